#include "gui/views/latency_view.h"

#include <algorithm>
#include <cmath>

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSettings>
#include <QVBoxLayout>

#include "gui/models/format.h"
#include "gui/models/moment.h"
#include "gui/views/latency_plot.h"
#include "gui/widgets/plot_metric_tile.h"
#include "gui/widgets/plot_stack_bar.h"
#include "gui/widgets/plot_style.h"
#include "gui/widgets/theme.h"

namespace vitrine::gui {
namespace {

View* create(const ViewContext& context, QWidget* parent) {
    return new LatencyView(context, parent);
}

constexpr int kTiles = 5;

double target(const char* key, double byDefault) {
    const double value = QSettings().value(QLatin1String(key), byDefault).toDouble();
    return value > 0 && std::isfinite(value) ? value : byDefault;
}

LatencySeries seriesOf(const RunRecord& run) {
    LatencySeries series;
    series.t0Ns = run.submittedNs;
    for (size_t pos = static_cast<size_t>(promptCount(run)); pos < run.tokens.size(); ++pos)
        if (run.tokens[pos]) series.steps.push_back({run.tokens[pos]->timeNs, 1});
    return series;
}

}  // namespace

extern const ViewSpec latencySpec{"latency", QT_TRANSLATE_NOOP("ViewSpec", "Latency"),
                                  observe::TapSet{true, false, false, -1}, &create};

double LatencyView::ttftTargetMs() {
    return target("targets/ttftMs", 1000);
}

double LatencyView::tpotTargetMs() {
    return target("targets/tpotMs", 50);
}

LatencyView::LatencyView(const ViewContext& context, QWidget* parent) : ViewBase(context, parent) {
    header_ = new ViewHeader;
    convention_ = new QComboBox;
    convention_->addItems({QString(), QStringLiteral("vLLM"), QStringLiteral("GuideLLM"),
                           QStringLiteral("MLPerf"), QStringLiteral("llama.cpp")});
    header_->addControl(convention_);
    auto* tileRow = new QHBoxLayout;
    tileRow->setSpacing(10);
    QColor (*const colors[kTiles])() = {
        [] { return Theme::current().prefill; }, [] { return Theme::current().decode; },
        [] { return Theme::current().prefill; }, [] { return Theme::current().decode; },
        [] { return Theme::current().weights; }};
    for (auto* color : colors) {
        tiles_.push_back(new PlotMetricTile(color));
        tileRow->addWidget(tiles_.back());
    }
    tileRow->addStretch(1);
    ttftTitle_ = new QLabel;
    ttftBar_ = new PlotStackBar;
    plot_ = new LatencyPlot;
    statistics_ = new QLabel;
    stepTitle_ = new QLabel;
    stepBar_ = new PlotStackBar;
    for (QLabel* label : {ttftTitle_, statistics_, stepTitle_}) {
        label->setTextFormat(Qt::RichText);
        label->setWordWrap(true);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    }
    auto* layout = new QVBoxLayout(content());
    layout->setSizeConstraint(QLayout::SetNoConstraint);
    layout->setContentsMargins(10, 6, 10, 8);
    layout->setSpacing(4);
    layout->addWidget(header_);
    layout->addLayout(tileRow);
    layout->addSpacing(2);
    layout->addWidget(ttftTitle_);
    layout->addWidget(ttftBar_);
    layout->addWidget(plot_, 1);
    layout->addWidget(statistics_);
    layout->addWidget(stepTitle_);
    layout->addWidget(stepBar_);
    connect(plot_, &LatencyPlot::chosen, this, [this](int32_t index) {
        if (run()) selection().setPos(promptCount(*run()) + index);
    });
    connect(convention_, qOverload<int>(&QComboBox::currentIndexChanged), this,
            [this] { refresh(); });
    start();
}

void LatencyView::retranslate() {
    convention_->setItemText(0, tr("Vitrine's definitions"));
    convention_->setAccessibleName(tr("Definitions of"));
    convention_->setToolTip(tr("Show the time per token as another tool would print it"));
    plot_->retranslate();
    ttftBar_->setAccessibleName(tr("Parts of the time to the first token"));
    stepBar_->setAccessibleName(tr("What the step was spent on"));
}

void LatencyView::applyTheme() {
    plot_->applyTheme();
    for (QLabel* label : {ttftTitle_, statistics_, stepTitle_}) label->setFont(Theme::uiFont(-1));
    for (PlotMetricTile* tile : tiles_) tile->updateGeometry();
}

void LatencyView::refresh() {
    if (showNoticeWithoutRun()) {
        series_.clear();
        return;
    }
    series_.update(*run());
    QStringList parts;
    if (run()->isRunning) parts << tr("live");
    if (run()->outcome) parts << outcomeText(*run()->outcome);
    if (run()->provenance == Provenance::Recorded) parts << tr("recorded");
    if (isColdRun(snapshot())) parts << tr("cold: the first run after the start");
    if (snapshot().droppedEvents > 0)
        parts << tr("%1 events dropped")
                     .arg(formatCount(static_cast<int64_t>(snapshot().droppedEvents)));
    header_->setTexts(tr("ms per token"), parts.join(QStringLiteral(" · ")));
    showTiles();
    showTtft();
    plot_->setSeries(series_, tpotTargetMs());
    showStatistics();
    refreshSelection();
}

void LatencyView::resizeEvent(QResizeEvent* event) {
    ViewBase::resizeEvent(event);
    fitParts();
}

void LatencyView::fitParts() {
    // Tiles that do not fit are left out, from the right.
    int room = width() - 20;
    for (PlotMetricTile* tile : tiles_) {
        room -= tile->minimumSizeHint().width() + 10;
        tile->setVisible(room >= -10);
    }
    // The scatter keeps at least this height; the bars and the statistics share the rest, in order.
    constexpr int kPlotHeight = 120;
    const int line = QFontMetrics(Theme::uiFont(-1)).height() + 6;
    int left = height() - 3 * line - tiles_[0]->sizeHint().height() - kPlotHeight;
    const auto show = [&](int cost, std::initializer_list<QWidget*> parts) {
        const bool fits = left >= cost;
        if (fits) left -= cost;
        for (QWidget* part : parts) part->setVisible(fits);
        return fits;
    };
    const int inner = width() - 20;
    convention_->setVisible(width() >= 480);
    show(line + ttftBar_->heightForWidth(inner), {ttftTitle_, ttftBar_});
    show(statistics_->text().isEmpty() ? 1 << 20 : statistics_->heightForWidth(inner) + 4,
         {statistics_});
    const bool hasOps = stepBar_->partCount() > 0;
    if (show(line + (hasOps ? stepBar_->heightForWidth(inner) : 0), {stepTitle_}))
        stepBar_->setVisible(hasOps);
    else
        stepBar_->hide();
}

void LatencyView::showTiles() {
    const TtftParts ttft = ttftParts(*run());
    const auto convention = static_cast<LatencyConvention>(convention_->currentIndex());
    std::optional<double> tpot = series_.tpotMs();
    if (convention != LatencyConvention::Vitrine)
        tpot = vitrine::gui::tpotMs(seriesOf(*run()), convention);
    const auto prefill = prefillRate(*run());
    const auto decode = series_.decodeRate();
    tiles_[0]->setTexts(ttft.isComplete ? formatDuration(ttft.totalNs) : tr("n/a"), tr("TTFT"),
                        tr("target ≤ %1 ms").arg(formatMs(ttftTargetMs())));
    tiles_[1]->setTexts(tpot ? tr("%1 ms").arg(formatMs(*tpot)) : tr("n/a"), tr("TPOT"),
                        tr("target ≤ %1 ms").arg(formatMs(tpotTargetMs())));
    const int32_t computed = run()->promptTokens - run()->cachedTokens;
    QString prompt = tr("%1 tokens").arg(formatCount(computed));
    if (run()->cachedTokens > 0)
        prompt += QStringLiteral(" + ") + tr("%1 reused").arg(formatCount(run()->cachedTokens));
    tiles_[2]->setTexts(prefill ? formatRate(*prefill) : tr("n/a"), tr("prefill"), prompt);
    tiles_[3]->setTexts(decode ? formatRate(*decode) : tr("n/a"), tr("decode"),
                        tr("%1 tokens").arg(formatCount(series_.generated())));
    const int64_t e2e =
        series_.lastTokenNs() ? spanNs(run()->submittedNs, *series_.lastTokenNs()) : 0;
    tiles_[4]->setTexts(series_.lastTokenNs() ? formatDuration(e2e) : tr("n/a"), tr("end to end"));
}

void LatencyView::showTtft() {
    const Theme& theme = Theme::current();
    const TtftParts ttft = ttftParts(*run());
    const QString names[] = {tr("queue"), tr("template"), tr("tokenize"), tr("prefill"),
                             tr("first sample")};
    const QColor colors[] = {theme.weights, theme.capture, theme.tokenize, theme.prefill,
                             theme.decode};
    std::vector<PlotStackBar::Part> parts;
    for (int i = 0; i < TtftParts::kCount; ++i)
        parts.push_back({names[i], formatDuration(ttft.ns[static_cast<size_t>(i)]),
                         static_cast<double>(ttft.ns[static_cast<size_t>(i)]), colors[i]});
    const double targetNs = ttftTargetMs() * 1e6;
    // The target is on the bar when it is near; a far one would squeeze the parts.
    const bool isNear = static_cast<double>(ttft.totalNs) > targetNs / 3;
    ttftBar_->setParts(std::move(parts), 0, isNear ? targetNs : 0,
                       tr("target: %1 ms").arg(formatMs(ttftTargetMs())));
    ttftTitle_->setText(
        colored(tr("Time to the first token"), theme.ink, true) + QStringLiteral("&nbsp;&nbsp; ") +
        colored(ttft.isComplete ? tr("the five parts sum to %1").arg(formatDuration(ttft.totalNs))
                                : tr("so far"),
                theme.dim));
}

QString LatencyView::pooledText() const {
    RunningSeries pooled;
    int runs = 0, left = 0;
    for (const auto& earlier : snapshot().history) {
        if (!earlier) continue;
        const bool isCold = &earlier == &snapshot().history.front();
        if (!countsInPercentiles(*earlier) || isCold ||
            earlier->provenance != Provenance::Measured) {
            ++left;
            continue;
        }
        std::vector<double> gaps;
        for (const int64_t ns : earlier->stats.itlNs) gaps.push_back(static_cast<double>(ns) / 1e6);
        pooled.add(gaps);
        ++runs;
    }
    if (runs == 0) return {};
    const SeriesSummary s = pooled.summary();
    QString text = tr("earlier runs, pooled: p50 %1 · p95 %2 · n = %3 gaps of %4 runs")
                       .arg(formatMs(s.p50.value_or(NAN)), formatMs(s.p95.value_or(NAN)))
                       .arg(formatCount(static_cast<int64_t>(s.n)))
                       .arg(runs);
    if (left > 0) text += tr(" (%1 cold, recorded or aborted left out)").arg(left);
    return text;
}

void LatencyView::showStatistics() {
    const Theme& theme = Theme::current();
    const auto convention = static_cast<LatencyConvention>(convention_->currentIndex());
    const RunningSeries& gaps = series_.gaps();
    const SeriesSummary s = gaps.summary();
    const auto ms = [](const std::optional<double>& v) { return formatMs(v.value_or(NAN)); };
    const auto at = [&](double p) { return percentile(gaps.ascending(), p, convention); };
    QString html;
    if (s.n > 0) {
        html =
            colored(QStringLiteral("p50 %1 · p95 %2 · ").arg(ms(at(0.5)), ms(at(0.95))), theme.ink);
        html += colored(
            s.n >= 100 ? QStringLiteral("p99 %1").arg(ms(at(0.99))) : tr("p99 from 100 gaps on"),
            s.n >= 100 ? theme.ink : theme.faint);
        if (s.n >= 1000) html += colored(QStringLiteral(" · p99.9 ") + ms(at(0.999)), theme.ink);
        html += colored(QStringLiteral(" ms · σ %1 · n = %2")
                            .arg(ms(s.sigma), formatCount(static_cast<int64_t>(s.n))),
                        theme.dim);
        if (const auto share = gaps.shareWithin(tpotTargetMs()))
            html += colored(
                QStringLiteral(" · ") + tr("%1 within the target").arg(formatPercent(*share)),
                theme.dim);
        if (plot_->clipped() > 0)
            html +=
                colored(QStringLiteral(" · ") + tr("%1 above the range (▲)").arg(plot_->clipped()),
                        theme.warn);
        const TtftParts ttft = ttftParts(*run());
        if (ttft.isComplete)
            html +=
                QStringLiteral("<br>") +
                colored(tr("E2E %1 = TTFT %2 + Σ gaps %3")
                            .arg(formatDuration(addNs(ttft.totalNs, series_.sumItlNs())),
                                 formatDuration(ttft.totalNs), formatDuration(series_.sumItlNs())),
                        theme.dim);
        const QString pooled = pooledText();
        if (!pooled.isEmpty()) html += QStringLiteral("<br>") + colored(pooled, theme.faint);
    }
    statistics_->setText(html);
}

void LatencyView::refreshSelection() {
    if (!run() || run()->tokens.empty()) return;
    const TokenRecord* token = momentStep(*run(), selection());
    plot_->setSelected(selection().pos() && token ? std::optional<int32_t>(token->index)
                                                  : std::nullopt);
    showStep();
}

void LatencyView::showStep() {
    const Theme& theme = Theme::current();
    const TokenRecord* token = momentStep(*run(), selection());
    std::vector<PlotStackBar::Part> parts;
    int64_t total = 0;
    if (token)
        for (int i = 0; i < observe::kOpClassCount; ++i) {
            const auto op = static_cast<observe::OpClass>(i);
            if (op == observe::OpClass::Layer || op == observe::OpClass::Step) continue;
            const int64_t ns = token->opNs[static_cast<size_t>(i)];
            if (ns <= 0) continue;
            total = addNs(total, ns);
            parts.push_back({opClassName(op), formatDuration(ns), static_cast<double>(ns),
                             theme.series[parts.size() % theme.series.size()]});
        }
    std::stable_sort(parts.begin(), parts.end(),
                     [](const auto& a, const auto& b) { return a.amount > b.amount; });
    for (size_t i = 0; i < parts.size(); ++i)
        parts[i].color = theme.series[i % theme.series.size()];
    QString title;
    if (!token) {
        title = colored(tr("No token yet"), theme.faint);
    } else {
        title = colored(tr("Step of token %1").arg(token->index + 1), theme.ink, true) +
                QStringLiteral("&nbsp;&nbsp; ");
        title += total > 0 ? colored(tr("“%1” · measured ops sum to %2")
                                         .arg(axisPiece(token->text, 24), formatDuration(total)),
                                     theme.dim)
                           : colored(tr("its op times were not observed"), theme.faint);
    }
    stepTitle_->setText(title);
    stepBar_->setParts(std::move(parts));
    fitParts();
}

}  // namespace vitrine::gui
