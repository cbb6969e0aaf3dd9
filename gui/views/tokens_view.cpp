#include "gui/views/tokens_view.h"

#include <QLabel>
#include <QSettings>
#include <QToolButton>
#include <QVBoxLayout>

#include "gui/models/format.h"
#include "gui/models/latency_stats.h"
#include "gui/models/moment.h"
#include "gui/widgets/plot_style.h"
#include "gui/widgets/theme.h"
#include "gui/widgets/token_flow.h"

namespace vitrine::gui {
namespace {

View* create(const ViewContext& context, QWidget* parent) {
    return new TokensView(context, parent);
}

}  // namespace

extern const ViewSpec tokensSpec{"tokens", QT_TRANSLATE_NOOP("ViewSpec", "Tokens"),
                                 observe::TapSet{false, false, false, -1}, &create};

TokensView::TokensView(const ViewContext& context, QWidget* parent) : ViewBase(context, parent) {
    header_ = new ViewHeader;
    idsButton_ = new QToolButton;
    idsButton_->setCheckable(true);
    idsButton_->setAutoRaise(true);
    header_->addControl(idsButton_);
    legend_ = new QLabel;
    legend_->setTextFormat(Qt::RichText);
    legend_->setWordWrap(true);
    legend_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    flow_ = new TokenFlow;
    detail_ = new QLabel;
    detail_->setTextFormat(Qt::RichText);
    detail_->setWordWrap(true);
    detail_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    detail_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    auto* layout = new QVBoxLayout(content());
    layout->setSizeConstraint(QLayout::SetNoConstraint);
    layout->setContentsMargins(10, 6, 10, 8);
    layout->setSpacing(5);
    layout->addWidget(header_);
    layout->addWidget(legend_);
    layout->addWidget(flow_, 1);
    layout->addWidget(detail_);
    const bool hasIds = QSettings().value(QStringLiteral("tokens/ids"), true).toBool();
    idsButton_->setChecked(hasIds);
    flow_->setHasIds(hasIds);
    connect(idsButton_, &QToolButton::toggled, this, [this](bool isOn) {
        QSettings().setValue(QStringLiteral("tokens/ids"), isOn);
        flow_->setHasIds(isOn);
    });
    connect(flow_, &TokenFlow::chosen, this, [this](int32_t pos) { selection().setPos(pos); });
    start();
}

void TokensView::retranslate() {
    idsButton_->setText(tr("ids"));
    idsButton_->setToolTip(tr("Show the id of each piece"));
    flow_->retranslate();
}

void TokensView::applyTheme() {
    const Theme& theme = Theme::current();
    flow_->applyTheme();
    legend_->setFont(Theme::uiFont(-1.5));
    detail_->setFont(Theme::uiFont(-0.5));
    const auto item = [&](const QColor& color, const QString& name) {
        return colored(QStringLiteral("■ "), color) + colored(name, theme.dim) +
               QStringLiteral("&nbsp;&nbsp; ");
    };
    legend_->setText(item(theme.prefill, tr("prompt")) + item(theme.decode, tr("answer")) +
                     item(theme.weights, tr("template")) + item(theme.detokenize, tr("special")) +
                     item(theme.kvReused, tr("reused")));
}

void TokensView::refresh() {
    if (showNoticeWithoutRun()) {
        flow_->setRun(nullptr);
        return;
    }
    flow_->setRun(snapshot().run);
    const int32_t prompt = promptCount(*run());
    const auto generated = static_cast<int32_t>(run()->tokens.size()) - prompt;
    const int64_t tokenizeNs = run()->stats.tokenizeNs > 0 ? run()->stats.tokenizeNs
                               : run()->tokenizeEndNs > 0
                                   ? spanNs(run()->templateEndNs, run()->tokenizeEndNs)
                                   : 0;
    QString detail =
        tr("%1 prompt + %2 generated").arg(formatCount(prompt)).arg(formatCount(generated));
    if (run()->cachedTokens > 0)
        detail += QStringLiteral(" · ") + tr("%1 reused").arg(formatCount(run()->cachedTokens));
    if (tokenizeNs > 0)
        detail += QStringLiteral(" · ") + tr("tokenized in %1").arg(formatDuration(tokenizeNs));
    if (run()->provenance == Provenance::Recorded) detail += QStringLiteral(" · ") + tr("recorded");
    header_->setTexts(tr("Pieces"), detail);
    refreshSelection();
}

void TokensView::refreshSelection() {
    const Theme& theme = Theme::current();
    if (!run() || run()->tokens.empty()) return;
    const int32_t pos = momentPos(*run(), selection());
    flow_->setSelected(selection().pos() ? std::optional<int32_t>(pos) : std::nullopt);
    const TokenRecord* token = tokenAt(*run(), pos);
    if (!token) return detail_->clear();
    QStringList parts{tr("position %1").arg(pos), tr("id %1").arg(token->id.value)};
    if (token->isControl) parts << tr("special token");
    if (token->isTemplate) parts << tr("from the chat template");
    if (token->isReused) parts << tr("K and V reused from an earlier turn");
    if (!token->isPrompt) {
        parts << tr("raw p %1").arg(formatProbability(static_cast<double>(token->rawProb)));
        parts << tr("rank %1").arg(token->rank + 1);
        if (token->itlNs) parts << tr("%1 after the one before").arg(formatDuration(*token->itlNs));
    }
    detail_->setText(colored(visiblePiece(token->text, 60), theme.ink, true) +
                     QStringLiteral("&nbsp;&nbsp; ") +
                     colored(parts.join(QStringLiteral(" · ")), theme.dim));
}

}  // namespace vitrine::gui
