#include "gui/views/timeline_view.h"

#include <algorithm>

#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>

#include "gui/models/format.h"
#include "gui/models/moment.h"
#include "gui/models/run_series.h"
#include "gui/views/timeline_strip.h"
#include "gui/widgets/plot_style.h"
#include "gui/widgets/theme.h"

namespace vitrine::gui {
namespace {

View* create(const ViewContext& context, QWidget* parent) {
    return new TimelineView(context, parent);
}

/// "1.90 GFLOP/s, 18.7 GB/s (derived)" of work that took `ns`; empty when the work is not known.
QString derivedRates(uint64_t flops, uint64_t bytes, int64_t ns) {
    if (ns <= 0 || (flops == 0 && bytes == 0)) return {};
    const double seconds = static_cast<double>(ns) / 1e9;
    return TimelineView::tr("%1 · %2 (derived)")
        .arg(formatPerSecond(static_cast<double>(flops) / seconds, QStringLiteral("FLOP")),
             formatPerSecond(static_cast<double>(bytes) / seconds, QStringLiteral("B")));
}

}  // namespace

extern const ViewSpec timelineSpec{"timeline", QT_TRANSLATE_NOOP("ViewSpec", "Timeline"),
                                   observe::TapSet{true, true, false, -1}, &create};

TimelineView::TimelineView(const ViewContext& context, QWidget* parent)
    : ViewBase(context, parent) {
    stations_ = new QLabel;
    stations_->setTextFormat(Qt::RichText);
    stations_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    stations_->installEventFilter(this);
    moment_ = new QLabel;
    moment_->setTextFormat(Qt::RichText);
    back_ = new QToolButton;
    forward_ = new QToolButton;
    live_ = new QToolButton;
    back_->setText(QStringLiteral("◀"));
    forward_->setText(QStringLiteral("▶"));
    for (QToolButton* button : {back_, forward_}) button->setAutoRepeat(true);
    for (QToolButton* button : {back_, forward_, live_}) button->setAutoRaise(true);
    live_->setCheckable(true);
    strip_ = new TimelineStrip;
    auto* top = new QHBoxLayout;
    top->setContentsMargins(0, 0, 0, 0);
    top->setSpacing(4);
    top->addWidget(stations_, 1);
    top->addWidget(moment_);
    top->addWidget(back_);
    top->addWidget(forward_);
    top->addWidget(live_);
    auto* layout = new QVBoxLayout(content());
    layout->setSizeConstraint(QLayout::SetNoConstraint);
    layout->setContentsMargins(12, 5, 12, 4);
    layout->setSpacing(3);
    layout->addLayout(top);
    layout->addWidget(strip_, 1);
    connect(back_, &QToolButton::clicked, this, [this] { step(-1); });
    connect(forward_, &QToolButton::clicked, this, [this] { step(1); });
    connect(live_, &QToolButton::clicked, this, [this] {
        selection().reset();
        refreshSelection();
    });
    connect(strip_, &TimelineStrip::posChosen, this,
            [this](int32_t pos) { selection().setPos(pos); });
    connect(strip_, &TimelineStrip::stepped, this, &TimelineView::step);
    connect(strip_, &TimelineStrip::liveWanted, this, [this] { selection().reset(); });
    connect(strip_, &TimelineStrip::layerChosen, this,
            [this](int32_t layer) { selection().setLayerHead(layer, selection().head()); });
    start();
}

void TimelineView::retranslate() {
    back_->setToolTip(tr("One token back"));
    back_->setAccessibleName(tr("One token back"));
    forward_->setToolTip(tr("One token forward"));
    forward_->setAccessibleName(tr("One token forward"));
    live_->setText(tr("live"));
    live_->setToolTip(tr("Follow the newest token"));
    strip_->retranslate();
}

void TimelineView::applyTheme() {
    stations_->setFont(Theme::uiFont(-1));
    moment_->setFont(Theme::uiFont(-1));
    strip_->updateGeometry();
    strip_->update();
}

void TimelineView::step(int delta) {
    if (!run() || run()->tokens.empty()) return;
    const auto last = static_cast<int32_t>(run()->tokens.size()) - 1;
    const int32_t pos = momentPos(*run(), selection()) + delta;
    selection().setPos(std::clamp(pos, 0, last));
}

void TimelineView::refresh() {
    strip_->setRun(snapshotPtr());
    showStations();
    refreshSelection();
}

QString TimelineView::prefillText(bool hasRates) const {
    const RunRecord& shown = *run();
    const observe::Frame& frame = snapshot().frame;
    QString text = tr("2 Prefill");
    const bool isOpen =
        shown.isRunning && frame.runId == shown.runId && frame.phase == observe::Phase::Prefill;
    if (isOpen) {
        return text + QLatin1Char(' ') +
               tr("layer %1 of %2 · tokens %3–%4 of %5")
                   .arg(std::min(frame.layersDone + 1, std::max(1, frame.nLayers)))
                   .arg(frame.nLayers)
                   .arg(formatCount(frame.chunkFirst + 1))
                   .arg(formatCount(frame.chunkFirst + frame.chunkTokens))
                   .arg(formatCount(frame.promptTokens));
    }
    const int64_t ns = shown.stats.prefillNs > 0 ? shown.stats.prefillNs
                       : shown.prefillEndNs > 0  ? spanNs(shown.prefillBeginNs, shown.prefillEndNs)
                                                 : 0;
    if (ns <= 0) return text;
    text += QLatin1Char(' ') + formatDuration(ns);
    if (!hasRates) return text;
    uint64_t flops = 0, bytes = 0;
    int64_t layersNs = 0;
    for (const LayerTime& layer : shown.prefillLayers) {
        flops += layer.flops;
        bytes += layer.bytes;
        layersNs = addNs(layersNs, layer.totalNs);
    }
    const QString rates = derivedRates(flops, bytes, layersNs);
    return rates.isEmpty() ? text : text + QStringLiteral(" · ") + rates;
}

QString TimelineView::decodeText(bool hasRates) const {
    const RunRecord& shown = *run();
    const int32_t prompt = promptCount(shown);
    const auto generated = static_cast<int32_t>(shown.tokens.size()) - prompt;
    QString text = tr("3 Decode");
    if (generated <= 0) return text;
    text += QLatin1Char(' ') + formatCount(generated);
    if (shown.isRunning) text += QStringLiteral(" / …");
    const TokenRecord* token = momentStep(shown, selection());
    if (!token) return text;
    if (token->itlNs) text += QStringLiteral(" · ") + formatDuration(*token->itlNs);
    if (!hasRates) return text;
    const int64_t stepNs = token->opNs[static_cast<size_t>(observe::OpClass::Step)];
    const QString rates = derivedRates(token->stepFlops, token->stepBytes, stepNs);
    return rates.isEmpty() ? text : text + QStringLiteral(" · ") + rates;
}

std::array<QString, 4> TimelineView::stationTexts(int detail) const {
    std::array<QString, 4> texts{tr("1 Tokenize"), tr("2 Prefill"), tr("3 Decode"),
                                 tr("4 Detokenize")};
    const RunRecord* shown = run();
    if (!shown || detail == 0) return texts;
    const int64_t tokenizeNs = shown->stats.tokenizeNs > 0 ? shown->stats.tokenizeNs
                               : shown->tokenizeEndNs > 0
                                   ? spanNs(shown->templateEndNs, shown->tokenizeEndNs)
                                   : 0;
    if (tokenizeNs > 0) texts[0] += QLatin1Char(' ') + formatDuration(tokenizeNs);
    texts[1] = prefillText(detail >= 2);
    texts[2] = decodeText(detail >= 2);
    const TokenRecord* token = momentStep(*shown, selection());
    const int64_t detokenizeNs =
        token ? token->opNs[static_cast<size_t>(observe::OpClass::Detokenize)] : 0;
    if (detokenizeNs > 0) texts[3] += QLatin1Char(' ') + formatDuration(detokenizeNs);
    return texts;
}

QString TimelineView::notes() const {
    QStringList parts;
    if (const RunRecord* shown = run()) {
        if (shown->outcome) parts << outcomeText(*shown->outcome);
        if (shown->provenance == Provenance::Recorded) parts << tr("recorded");
        if (snapshot().droppedEvents > 0)
            parts << tr("%1 events dropped")
                         .arg(formatCount(static_cast<int64_t>(snapshot().droppedEvents)));
    }
    return parts.join(QStringLiteral(" · "));
}

void TimelineView::showStations() {
    const Theme& theme = Theme::current();
    const QFontMetrics metrics(Theme::uiFont(-1));
    const int room = stations_->width();
    // What does not fit is left out, the derived rates first, then the times.
    std::array<QString, 4> texts;
    QString end = notes();
    for (int detail = 2; detail >= 0; --detail) {
        texts = stationTexts(detail);
        QString plain = texts[0] + texts[1] + texts[2] + texts[3];
        const int arrows = metrics.horizontalAdvance(QStringLiteral("■   →  ")) * 4;
        const int needed = metrics.horizontalAdvance(plain) + arrows;
        if (needed + metrics.horizontalAdvance(end) + 16 <= room) break;
        if (needed <= room) {
            end.clear();
            break;
        }
    }
    const QColor colors[] = {theme.tokenize, theme.prefill, theme.decode, theme.detokenize};
    QString html;
    for (size_t i = 0; i < texts.size(); ++i) {
        if (i > 0) html += colored(QStringLiteral("  →  "), theme.faint);
        html += colored(QStringLiteral("■ "), colors[i]) + colored(texts[i], theme.dim);
    }
    if (!end.isEmpty()) html += QStringLiteral("&nbsp;&nbsp;&nbsp; ") + colored(end, theme.faint);
    if (html == stations_->text()) return;
    stations_->setText(html);
    const std::array<QString, 4> all = stationTexts(2);
    QStringList tip;
    for (const QString& text : all) tip << text;
    if (const QString more = notes(); !more.isEmpty()) tip << more;
    stations_->setToolTip(tip.join(QLatin1Char('\n')));
}

void TimelineView::resizeEvent(QResizeEvent* event) {
    ViewBase::resizeEvent(event);
    moment_->setVisible(width() >= 560);
}

bool TimelineView::eventFilter(QObject* watched, QEvent* event) {
    if (watched == stations_ && event->type() == QEvent::Resize) showStations();
    return ViewBase::eventFilter(watched, event);
}

void TimelineView::refreshSelection() {
    const Theme& theme = Theme::current();
    showStations();
    const bool hasTokens = run() && !run()->tokens.empty();
    back_->setEnabled(hasTokens);
    forward_->setEnabled(hasTokens);
    live_->setChecked(!selection().pos());
    QString text;
    std::optional<int32_t> pos;
    if (hasTokens) {
        if (selection().pos()) pos = momentPos(*run(), selection());
        const TokenRecord* token = momentToken(*run(), selection());
        if (token)
            text = pos ? tr("token %1 “%2”").arg(*pos).arg(axisPiece(token->text, 14))
                       : tr("newest token");
    }
    moment_->setText(colored(text, pos ? theme.ink : theme.faint));
    moment_->setToolTip(tr("Every view shows this moment"));
    strip_->setMoment(pos, selection().layer());
}

}  // namespace vitrine::gui
