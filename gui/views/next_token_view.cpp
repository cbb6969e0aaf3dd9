#include "gui/views/next_token_view.h"

#include <algorithm>

#include <QHeaderView>
#include <QLabel>
#include <QLocale>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QVBoxLayout>

#include "gui/models/candidate_model.h"
#include "gui/models/format.h"
#include "gui/models/moment.h"
#include "gui/widgets/plot_style.h"
#include "gui/widgets/theme.h"

namespace vitrine::gui {
namespace {

View* create(const ViewContext& context, QWidget* parent) {
    return new NextTokenView(context, parent);
}

/// A bar of the probability with its number at the right.
class ProbabilityDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        const Theme& theme = Theme::current();
        const bool isChosen = index.data(CandidateModel::ChosenRole).toBool();
        const bool isCut = index.data(CandidateModel::CutRole).toBool();
        painter->save();
        if (isChosen) painter->fillRect(option.rect, withAlpha(theme.accent, 38));
        const QVariant probability = index.data(CandidateModel::ProbabilityRole);
        QRect area = option.rect.adjusted(6, 0, -6, 0);
        if (probability.isValid()) {
            painter->setFont(Theme::monoFont(-0.5));
            const QFontMetrics metrics(painter->font());
            const int numberWidth = metrics.horizontalAdvance(QStringLiteral("100.0 %")) + 6;
            const int barWidth = std::max(0, area.width() - numberWidth);
            const double p = std::clamp(probability.toDouble(), 0.0, 1.0);
            const int thick = std::min(12, area.height() - 4);
            const QRectF track(area.left(), area.center().y() - thick / 2.0 + 0.5, barWidth, thick);
            painter->fillRect(track, withAlpha(theme.line, 90));
            const QColor fill = index.column() == CandidateModel::Raw
                                    ? (isCut ? withAlpha(theme.decode, 110) : theme.decode)
                                    : theme.good;
            if (p > 0)
                painter->fillRect(
                    QRectF(track.left(), track.top(), std::max(1.0, p * track.width()), thick),
                    fill);
            painter->setPen(isCut ? theme.faint : theme.ink);
            painter->drawText(area, Qt::AlignRight | Qt::AlignVCenter,
                              index.data(Qt::DisplayRole).toString());
        } else {
            const bool isMono = index.column() != CandidateModel::Cut;
            painter->setFont(isMono
                                 ? Theme::monoFont(-0.5, isChosen ? QFont::DemiBold : QFont::Normal)
                                 : Theme::uiFont(-1));
            const bool isQuiet = isCut || index.column() == CandidateModel::Id ||
                                 index.column() == CandidateModel::Rank;
            painter->setPen(index.column() == CandidateModel::Cut && isChosen ? theme.accent
                            : isQuiet                                         ? theme.faint
                                                                              : theme.ink);
            painter->drawText(
                area, static_cast<int>(index.data(Qt::TextAlignmentRole).value<Qt::Alignment>()),
                QFontMetrics(painter->font())
                    .elidedText(index.data(Qt::DisplayRole).toString(), Qt::ElideRight,
                                area.width()));
        }
        painter->restore();
    }
};

}  // namespace

extern const ViewSpec nextTokenSpec{"next_token", QT_TRANSLATE_NOOP("ViewSpec", "Next token"),
                                    observe::TapSet{false, false, false, -1}, &create};

NextTokenView::NextTokenView(const ViewContext& context, QWidget* parent)
    : ViewBase(context, parent), model_(new CandidateModel(this)) {
    header_ = new ViewHeader;
    table_ = new QTableView;
    table_->setModel(model_);
    table_->setItemDelegate(new ProbabilityDelegate(table_));
    table_->verticalHeader()->hide();
    table_->setShowGrid(false);
    table_->setFrameShape(QFrame::NoFrame);
    table_->setSelectionMode(QAbstractItemView::NoSelection);
    table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    table_->horizontalHeader()->setHighlightSections(false);
    table_->setMinimumHeight(60);
    table_->viewport()->installEventFilter(this);
    foot_ = new QLabel;
    foot_->setTextFormat(Qt::RichText);
    foot_->setWordWrap(true);
    foot_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    foot_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    auto* layout = new QVBoxLayout(content());
    layout->setSizeConstraint(QLayout::SetNoConstraint);
    layout->setContentsMargins(10, 6, 10, 8);
    layout->setSpacing(5);
    layout->addWidget(header_);
    layout->addWidget(table_, 1);
    layout->addWidget(foot_);
    start();
}

void NextTokenView::retranslate() {
    model_->retranslate();
    table_->setAccessibleName(tr("Candidates for the next token"));
    shown_ = nullptr;
}

void NextTokenView::applyTheme() {
    applyTableTheme(table_);
    foot_->setFont(Theme::uiFont(-1));
    shown_ = nullptr;
    sizeColumns();
}

bool NextTokenView::eventFilter(QObject* watched, QEvent* event) {
    if (watched == table_->viewport() && event->type() == QEvent::Resize) {
        sizeColumns();
        showChosenRow();
    }
    return ViewBase::eventFilter(watched, event);
}

void NextTokenView::sizeColumns() {
    const int width = table_->viewport()->width();
    const QFontMetrics mono(Theme::monoFont()), ui(Theme::uiFont(-1));
    const bool isWide = width >= 460;
    table_->setColumnHidden(CandidateModel::Id, width < 560);
    table_->setColumnHidden(CandidateModel::Rank, width < 380);
    table_->setColumnHidden(CandidateModel::Cut, !isWide);
    const int rank = table_->isColumnHidden(CandidateModel::Rank)
                         ? 0
                         : std::max(ui.horizontalAdvance(tr("Rank")) + 20,
                                    mono.horizontalAdvance(QStringLiteral("000")) + 16);
    const int id = table_->isColumnHidden(CandidateModel::Id)
                       ? 0
                       : mono.horizontalAdvance(QStringLiteral("000000")) + 16;
    const int cut = isWide ? std::clamp(width / 5, 96, 190) : 0;
    const int piece = std::clamp(width / 5, 80, 220);
    const int bars = std::max(60, (width - rank - id - cut - piece) / 2);
    table_->setColumnWidth(CandidateModel::Rank, rank);
    table_->setColumnWidth(CandidateModel::Piece, piece);
    table_->setColumnWidth(CandidateModel::Id, id);
    table_->setColumnWidth(CandidateModel::Raw, bars);
    table_->setColumnWidth(CandidateModel::Sampled, bars);
    table_->setColumnWidth(CandidateModel::Cut, cut);
}

void NextTokenView::showChosenRow() {
    foot_->setVisible(height() >= 300);
    for (int row = 0; row < model_->rowCount(); ++row)
        if (model_->index(row, 0).data(CandidateModel::ChosenRole).toBool())
            return table_->scrollTo(model_->index(row, CandidateModel::Piece));
}

void NextTokenView::refresh() {
    if (showNoticeWithoutRun()) return;
    const TokenRecord* token = momentStep(*run(), selection());
    if (!token) {
        shown_ = nullptr;
        model_->setToken(nullptr, run()->sampling);
        showNotice(tr("No token sampled yet"),
                   tr("The candidates appear with the first token, after the prefill."));
        return;
    }
    if (token == shown_ && run()->runId == shownRun_) return;
    shown_ = token;
    shownRun_ = run()->runId;
    const Theme& theme = Theme::current();
    model_->setToken(token, run()->sampling);
    QString before;
    for (int32_t pos = std::max(0, token->pos - 3); pos < token->pos; ++pos)
        if (const TokenRecord* earlier = tokenAt(*run(), pos)) before += earlier->text;
    QString detail =
        tr("after “%1” · entropy %2 bits")
            .arg(visiblePiece(before.trimmed().replace(QLatin1Char(' '), QChar(0xA0)), 30),
                 QLocale().toString(static_cast<double>(token->entropyBits), 'f', 2));
    if (run()->provenance == Provenance::Recorded) detail += QStringLiteral(" · ") + tr("recorded");
    header_->setTexts(tr("Token %1").arg(token->index + 1), detail);
    QString text = colored(samplerChainText(run()->sampling), theme.dim);
    text += QStringLiteral("<br>") +
            colored(tr("chosen: “%1” · rank %2 · raw p %3 · after sampling p %4")
                        .arg(axisPiece(token->text, 30))
                        .arg(token->rank + 1)
                        .arg(formatProbability(static_cast<double>(token->rawProb)),
                             formatProbability(static_cast<double>(token->sampledProb))),
                    theme.ink);
    if (token->candidates.empty())
        text += QStringLiteral("<br>") +
                colored(tr("The other candidates of this token were not kept."), theme.faint);
    foot_->setText(text);
    header_->setToolTip(text);
    showChosenRow();
}

}  // namespace vitrine::gui
