#include "gui/app/top_bar.h"

#include <algorithm>
#include <cmath>

#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPainter>
#include <QToolButton>

#include "gui/models/format.h"
#include "gui/models/model_name.h"
#include "gui/session/run_figures.h"
#include "gui/widgets/chip.h"
#include "gui/widgets/icons.h"
#include "gui/widgets/theme.h"

namespace vitrine::gui {
namespace {

/// The name of the program with its mark, a pane of glass with a lit core.
class Logo : public QWidget {
public:
    explicit Logo(QWidget* parent) : QWidget(parent) {
        setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
        connect(ThemeNotifier::instance(), &ThemeNotifier::changed, this,
                [this] { updateGeometry(); });
    }

    QSize sizeHint() const override {
        const QFontMetrics metrics(Theme::uiFont(1.5, QFont::Bold));
        return {metrics.horizontalAdvance(QStringLiteral("Vitrine")) + metrics.height() + 8,
                metrics.height() + 6};
    }

protected:
    void paintEvent(QPaintEvent*) override {
        const Theme& theme = Theme::current();
        const QFont font = Theme::uiFont(1.5, QFont::Bold);
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        const qreal side = QFontMetricsF(font).ascent() * 1.05;
        const QPointF c(side / 2 + 1, height() / 2.0);
        const auto diamond = [&](qreal r) {
            return QPolygonF(
                {c + QPointF(0, -r), c + QPointF(r, 0), c + QPointF(0, r), c + QPointF(-r, 0)});
        };
        painter.setPen(QPen(theme.ink, 1.5));
        painter.drawPolygon(diamond(side / 2));
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.accent);
        painter.drawPolygon(diamond(side / 4.2));
        painter.setFont(font);
        painter.setPen(theme.ink);
        painter.drawText(rect().adjusted(static_cast<int>(side) + 8, 0, 0, 0),
                         Qt::AlignVCenter | Qt::AlignLeft, QStringLiteral("Vitrine"));
    }
};

}  // namespace

QString modelTitle(const engine::ModelInfo& info) {
    const QString path = QString::fromStdString(info.path);
    QString name = modelName(path);
    // A blob's hash says less than the name inside, a repository's name says more.
    if (isNamedByHash(path) && !name.contains(QChar('/')) && !info.name.empty())
        name = QString::fromStdString(info.name);
    const QString quant = QString::fromStdString(info.quantisation).section(' ', 0, 0);
    // The quantisation stands beside it already.
    if (!quant.isEmpty() && name.endsWith(quant, Qt::CaseInsensitive)) name.chop(quant.size() + 1);
    return name.isEmpty() ? QString::fromStdString(info.name) : name;
}

TopBar::TopBar(QWidget* parent) : QWidget(parent) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(14, 5, 10, 5);
    row->setSpacing(8);
    logo_ = new Logo(this);
    row->addWidget(logo_);
    row->addSpacing(4);
    model_ = new Chip(this);
    model_->setMenuArrow(true);
    machine_ = new Chip(this);
    context_ = new Chip(this);
    context_->setGauge(0, 0);
    machine_->setRigid(true);
    context_->setRigid(true);
    for (Chip* chip : {model_, machine_, context_}) row->addWidget(chip);
    row->addStretch(1);
    ttft_ = new FigureTile(this);
    tpot_ = new FigureTile(this);
    row->addWidget(ttft_);
    row->addWidget(tpot_);
    language_ = new QToolButton(this);
    language_->setText(QStringLiteral("中 / EN"));
    theme_ = new IconButton(Icon::Theme, this);
    settings_ = new IconButton(Icon::Settings, this);
    for (QToolButton* button : std::initializer_list<QToolButton*>{language_, theme_, settings_})
        row->addWidget(button);
    connect(model_, &QAbstractButton::clicked, this, [this] {
        if (modelMenu_) modelMenu_->popup(model_->mapToGlobal(QPoint(0, model_->height() + 2)));
    });
    connect(machine_, &QAbstractButton::clicked, this, &TopBar::machineClicked);
    connect(context_, &QAbstractButton::clicked, this, &TopBar::contextClicked);
    connect(language_, &QToolButton::clicked, this, &TopBar::languageClicked);
    connect(theme_, &QToolButton::clicked, this, &TopBar::themeClicked);
    connect(settings_, &QToolButton::clicked, this, &TopBar::settingsClicked);
    connect(ThemeNotifier::instance(), &ThemeNotifier::changed, this, &TopBar::updateAll);
    setMinimumWidth(360);
    retranslate();
}

void TopBar::setModelMenu(QMenu* menu) {
    modelMenu_ = menu;
}

void TopBar::setTargets(double ttftMs, double tpotMs) {
    ttftTargetMs_ = ttftMs;
    tpotTargetMs_ = tpotMs;
    updateAll();
}

void TopBar::setDraftTokens(int tokens) {
    draftTokens_ = std::max(0, tokens);
    updateAll();
}

void TopBar::setLoading(const QString& name) {
    loading_ = name;
    updateAll();
}

void TopBar::showSnapshot(const SnapshotPtr& snapshot) {
    snapshot_ = snapshot;
    updateAll();
}

void TopBar::updateAll() {
    const Theme& theme = Theme::current();
    ttft_->setMark(theme.prefill);
    tpot_->setMark(theme.decode);
    const engine::ModelInfo* info =
        snapshot_ && snapshot_->model ? snapshot_->model.get() : nullptr;
    if (!loading_.isEmpty()) {
        model_->setTexts(loading_, tr("opening…"));
    } else if (!info) {
        model_->setTexts(tr("No model"), tr("open one"));
    } else {
        model_->setTexts(
            modelTitle(*info),
            QStringLiteral("%1 · %2 · %3 · %4 · %5")
                .arg(QString::fromStdString(info->quantisation), formatBytes(info->fileBytes),
                     QString::fromStdString(info->architecture),
                     tr("%n layer(s)", nullptr, info->nLayers),
                     tr("%1/%2 heads").arg(info->nHeads).arg(info->nKvHeads)));
    }
    if (info) {
        machine_->setTexts(
            QString::fromStdString(info->backend).toUpper(),
            QStringLiteral("%1 · %2").arg(QString::fromStdString(info->isa).toUpper(),
                                          tr("%n thread(s)", nullptr, info->nThreads)));
        const observe::Frame& frame = snapshot_->frame;
        const int32_t size = info->contextSize;
        context_->setTexts(tr("Context"), QStringLiteral("%1 / %2").arg(
                                              formatCount(frame.contextUsed), formatCount(size)));
        const uint64_t used =
            static_cast<uint64_t>(std::max(0, frame.contextUsed)) * info->kvBytesPerToken;
        const uint64_t whole = static_cast<uint64_t>(std::max(0, size)) * info->kvBytesPerToken;
        context_->setTrailing(tr("KV %1 / %2").arg(formatBytes(used), formatBytes(whole)));
        context_->setGauge(size > 0 ? static_cast<double>(frame.contextUsed) / size : 0,
                           size > 0 ? static_cast<double>(draftTokens_) / size : 0);
    }
    const RunFigures f = snapshot_ && snapshot_->run ? runFigures(*snapshot_->run) : RunFigures{};
    using Verdict = FigureTile::Verdict;
    const auto verdict = [](std::optional<int64_t> ns, double targetMs) {
        return !ns                                          ? Verdict::Unknown
               : static_cast<double>(*ns) / 1e6 <= targetMs ? Verdict::Inside
                                                            : Verdict::Outside;
    };
    const QString none = QStringLiteral("–");
    const auto target = [](double ms) {
        return formatDuration(static_cast<int64_t>(ms * 1e6))
            .replace(QStringLiteral(".00"), QString())
            .replace(QStringLiteral(".0 "), QStringLiteral(" "));
    };
    ttft_->setFigure(f.ttftNs ? formatDuration(*f.ttftNs) : none,
                     tr("TTFT · target ≤ %1").arg(target(ttftTargetMs_)),
                     verdict(f.ttftNs, ttftTargetMs_));
    const QString rate =
        f.tpotNs && *f.tpotNs > 0
            ? formatRate(1e9 / static_cast<double>(*f.tpotNs)) + QStringLiteral(" · ")
            : QString();
    tpot_->setFigure(
        f.tpotNs ? formatDuration(*f.tpotNs) : none,
        QStringLiteral("TPOT · ") + rate + tr("target ≤ %1").arg(target(tpotTargetMs_)),
        verdict(f.tpotNs, tpotTargetMs_));
    fit();
}

void TopBar::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fit();
}

void TopBar::fit() {
    // What is least needed goes first on a narrow window; the menus reach all of it.
    const bool hasModel = snapshot_ && snapshot_->model;
    QWidget* const order[] = {language_, logo_, machine_, settings_, context_};
    const auto isWanted = [&](const QWidget* w) {
        return hasModel || (w != machine_ && w != context_);
    };
    int needed = layout()->contentsMargins().left() + layout()->contentsMargins().right() + 4;
    const auto widthOf = [this](const QWidget* w) {
        return w->minimumSizeHint()
                   .expandedTo(w == language_ || w == settings_ || w == theme_ || w == logo_
                                   ? w->sizeHint()
                                   : QSize())
                   .width() +
               layout()->spacing();
    };
    for (const QWidget* w : std::initializer_list<QWidget*>{model_, ttft_, tpot_, theme_})
        needed += widthOf(w);
    constexpr int kModelRoom = 70;  // the model's name is worth more than its shortest form
    needed += kModelRoom;
    for (const QWidget* w : order)
        if (isWanted(w)) needed += widthOf(w);
    for (QWidget* w : order) {
        const bool isShown = isWanted(w) && needed <= width();
        if (isWanted(w) && !isShown) needed -= widthOf(w);
        w->setVisible(isShown);
    }
}

void TopBar::retranslate() {
    model_->setToolTip(tr("The model: open another, or look into the catalogue"));
    machine_->setToolTip(
        tr("The machine part that computes, its instruction set, and how many threads"));
    context_->setToolTip(
        tr("Tokens in the context, and the memory of their keys and values. The pale part is your "
           "draft."));
    ttft_->setToolTip(tr("Time to first token: from sending to the first token of the answer"));
    tpot_->setToolTip(tr("Time per output token: mean gap between the tokens of the answer"));
    language_->setToolTip(tr("Language: English or Chinese"));
    theme_->setToolTip(tr("Dark or light"));
    settings_->setToolTip(tr("Settings"));
    for (QToolButton* button : std::initializer_list<QToolButton*>{language_, theme_, settings_})
        button->setAccessibleName(button->toolTip());
    updateAll();
}

void TopBar::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) retranslate();
}

}  // namespace vitrine::gui
