#include "gui/views/kv_cache_view.h"

#include <algorithm>

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>
#include <qcustomplot.h>

#include "gui/models/format.h"
#include "gui/models/latency_stats.h"
#include "gui/models/moment.h"
#include "gui/views/kv_page_map.h"
#include "gui/widgets/plot_facts.h"
#include "gui/widgets/plot_style.h"
#include "gui/widgets/theme.h"

namespace vitrine::gui {
namespace {

View* create(const ViewContext& context, QWidget* parent) {
    return new KvCacheView(context, parent);
}

constexpr double kMiB = 1024.0 * 1024.0;

}  // namespace

extern const ViewSpec kvCacheSpec{"kv_cache", QT_TRANSLATE_NOOP("ViewSpec", "KV cache"),
                                  observe::TapSet{false, true, false, -1}, &create};

KvCacheView::KvCacheView(const ViewContext& context, QWidget* parent) : ViewBase(context, parent) {
    header_ = new ViewHeader;
    legend_ = new QLabel;
    legend_->setTextFormat(Qt::RichText);
    header_->addControl(legend_);
    map_ = new KvPageMap;
    facts_ = new PlotFacts;
    growthTitle_ = new QLabel;
    growthBy_ = new QComboBox;
    growthBy_->addItems({QString(), QString()});
    growth_ = new QCustomPlot;
    growth_->setMinimumSize(140, 90);

    auto* growthRow = new QHBoxLayout;
    growthRow->setContentsMargins(0, 0, 0, 0);
    growthRow->addWidget(growthTitle_, 1);
    growthRow->addWidget(growthBy_);
    growthPanel_ = new QWidget;
    auto* growthColumn = new QVBoxLayout(growthPanel_);
    growthColumn->setContentsMargins(0, 0, 0, 0);
    growthColumn->setSpacing(2);
    growthColumn->addLayout(growthRow);
    growthColumn->addWidget(growth_, 1);
    belowPanel_ = new QWidget;
    auto* below = new QHBoxLayout(belowPanel_);
    below->setContentsMargins(0, 0, 0, 0);
    below->setSpacing(14);
    below->addWidget(facts_, 0, Qt::AlignTop | Qt::AlignLeft);
    below->addWidget(growthPanel_, 1);

    auto* layout = new QVBoxLayout(content());
    layout->setSizeConstraint(QLayout::SetNoConstraint);
    layout->setContentsMargins(10, 6, 10, 8);
    layout->setSpacing(5);
    layout->addWidget(header_);
    layout->addWidget(map_, 3);
    layout->addWidget(belowPanel_, 2);

    for (int i = 0; i < 2; ++i) growth_->addGraph();
    growth_->graph(0)->setLineStyle(QCPGraph::lsStepLeft);
    growth_->yAxis->ticker()->setTickCount(4);
    growth_->plotLayout()->setMargins(QMargins(0, 0, 0, 0));
    connect(map_, &KvPageMap::chosen, this, [this](int32_t pos) { selection().setPos(pos); });
    connect(growthBy_, qOverload<int>(&QComboBox::currentIndexChanged), this,
            [this] { drawGrowth(); });
    start();
}

void KvCacheView::retranslate() {
    growthBy_->setItemText(0, tr("over time"));
    growthBy_->setItemText(1, tr("over tokens"));
    growthBy_->setAccessibleName(tr("Growth over"));
    growth_->setAccessibleName(tr("Growth of the KV cache"));
    map_->retranslate();
    showLegend();
}

void KvCacheView::applyTheme() {
    const Theme& theme = Theme::current();
    applyPlotTheme(growth_);
    growth_->graph(0)->setPen(hairline(theme.dim));
    growth_->graph(1)->setPen(hairline(theme.kv));
    growth_->graph(1)->setBrush(withAlpha(theme.kv, 70));
    facts_->applyTheme();
    legend_->setFont(Theme::uiFont(-1.5));
    growthTitle_->setFont(Theme::uiFont(-1));
    map_->applyTheme();
    showLegend();
}

void KvCacheView::resizeEvent(QResizeEvent* event) {
    ViewBase::resizeEvent(event);
    arrange();
}

void KvCacheView::arrange() {
    // The map comes first; the chart and then the table are left out where there is no room.
    const bool isTall = height() >= 320;
    growthPanel_->setVisible(width() >= 480 && run() && !run()->memory.empty());
    legend_->setVisible(width() >= 460);
    belowPanel_->setVisible(isTall);
}

void KvCacheView::showLegend() {
    const Theme& theme = Theme::current();
    const auto item = [&](const QColor& color, const QString& name) {
        return colored(QStringLiteral("■ "), color) + colored(name, theme.dim);
    };
    const QString gap = QStringLiteral("&nbsp;&nbsp; ");
    legend_->setText(item(theme.kvPrompt, tr("prompt")) + gap + item(theme.kvReused, tr("reused")) +
                     gap + item(theme.kvGenerated, tr("generated")) + gap +
                     item(theme.isDark ? theme.line.lighter(130) : theme.line, tr("free")));
    growthTitle_->setText(item(theme.kv, tr("used")) + gap + item(theme.dim, tr("allocated")));
}

void KvCacheView::refresh() {
    const observe::Frame& frame = snapshot().frame;
    if (!snapshot().model && frame.pages.empty()) {
        showNotice(tr("No model loaded"),
                   tr("Open a GGUF file from the menu, or drop one onto the window."));
        return;
    }
    hideNotice();
    observe::Frame shown = frame;
    if (const auto& model = snapshot().model) {
        // Before the first run the engine has sent no frame yet: the model says what will be there.
        if (shown.nLayers == 0) shown.nLayers = model->nLayers;
        if (shown.contextSize == 0) shown.contextSize = model->contextSize;
        if (shown.pageTokens <= 0 || frame.pages.empty()) shown.pageTokens = model->pageTokens;
    }
    map_->setState(shown, snapshot().run);
    const QString kvType = snapshot().model ? QString::fromStdString(snapshot().model->kvType)
                           : run()          ? QString::fromStdString(run()->stats.kvType)
                                            : QString();
    header_->setTexts(tr("Paged cache"), tr("%1 tokens per page · %2 pages × %3 layers · %4")
                                             .arg(shown.pageTokens)
                                             .arg(shown.pages.size())
                                             .arg(shown.nLayers)
                                             .arg(kvType));
    arrange();
    showFacts();
    drawGrowth();
    refreshSelection();
}

void KvCacheView::refreshSelection() {
    map_->setSelected(run() && run()->runId == snapshot().frame.runId && selection().pos()
                          ? std::optional<int32_t>(momentPos(*run(), selection()))
                          : std::nullopt);
}

void KvCacheView::showFacts() {
    const observe::Frame& frame = snapshot().frame;
    const auto& model = snapshot().model;
    const uint64_t perToken = frame.kvBytesPerToken ? frame.kvBytesPerToken
                              : model               ? model->kvBytesPerToken
                                                    : 0;
    const auto layers = static_cast<uint64_t>(std::max(1, model ? model->nLayers : frame.nLayers));
    const auto pageTokens =
        static_cast<uint64_t>(std::max(1, model ? model->pageTokens : frame.pageTokens));
    const uint64_t allocated = frame.memory.kv, used = frame.memory.kvUsed;
    const auto context =
        static_cast<uint64_t>(std::max(0, model ? model->contextSize : frame.contextSize));
    std::vector<PlotFacts::Row> rows;
    const auto row = [&](const QString& name, const QString& value, const QString& note) {
        rows.push_back({name, value, note});
    };
    const auto bytes = [&](const QString& name, uint64_t value, const QString& note) {
        row(name, formatBytes(value), note.isEmpty() ? formatExactBytes(value) : note);
    };
    bytes(tr("per token"), perToken, {});
    bytes(tr("per layer and token"), perToken / layers, {});
    bytes(tr("per page"), perToken * pageTokens, {});
    bytes(tr("allocated"), allocated, {});
    bytes(tr("used"), used, {});
    row(tr("rounding"), formatBytes(allocated > used ? allocated - used : 0),
        allocated > 0 ? formatPercent(static_cast<double>(allocated > used ? allocated - used : 0) /
                                      static_cast<double>(allocated))
                      : QString());
    row(tr("context"),
        QStringLiteral("%1 / %2")
            .arg(formatCount(frame.contextUsed))
            .arg(formatCount(static_cast<int64_t>(context))),
        tr("tokens"));
    bytes(tr("full context"), perToken * context, tr("derived"));
    facts_->setRows(std::move(rows));
}

void KvCacheView::drawGrowth() {
    const bool byTokens = growthBy_->currentIndex() == 1;
    QVector<QCPGraphData> allocated, used;
    const RunRecord* shown = run();
    double end = 0, top = 0;
    if (shown) {
        const int32_t prompt = shown->promptTokens;
        for (const MemorySample& sample : shown->memory) {
            const double key =
                byTokens ? sample.contextUsed - prompt
                         : static_cast<double>(spanNs(shown->submittedNs, sample.timeNs)) / 1e9;
            if (byTokens && key < 0) continue;
            if (!allocated.isEmpty() && key < allocated.last().key) continue;
            const double mib = static_cast<double>(sample.ledger.kv) / kMiB;
            allocated.append({key, mib});
            used.append({key, static_cast<double>(sample.ledger.kvUsed) / kMiB});
            top = std::max(top, mib);
            end = std::max(end, key);
        }
    }
    growth_->graph(0)->data()->set(allocated, true);
    growth_->graph(1)->data()->set(used, true);
    growth_->xAxis->setRange(0, end > 0 ? end : 1);
    growth_->yAxis->setRange(0, top > 0 ? top * 1.08 : 1);
    growth_->xAxis->setLabel(byTokens ? tr("generated tokens") : tr("time since sent (s)"));
    growth_->yAxis->setLabel(QStringLiteral("MiB"));
    growth_->replot(QCustomPlot::rpQueuedReplot);
}

}  // namespace vitrine::gui
