#include "gui/views/memory_view.h"

#include <algorithm>

#include <QHeaderView>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QVBoxLayout>
#include <qcustomplot.h>

#include "gui/models/format.h"
#include "gui/models/latency_stats.h"
#include "gui/models/moment.h"
#include "gui/widgets/plot_edge_labels.h"
#include "gui/widgets/plot_style.h"
#include "gui/widgets/theme.h"

namespace vitrine::gui {
namespace {

View* create(const ViewContext& context, QWidget* parent) {
    return new MemoryView(context, parent);
}

/// Small swatches, and no frame on the current cell: nothing here can be chosen.
class PlainDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
        QStyledItemDelegate::initStyleOption(option, index);
        option->state &= ~QStyle::State_HasFocus;
        option->decorationSize = QSize(9, 9);
    }
};

}  // namespace

extern const ViewSpec memorySpec{"memory", QT_TRANSLATE_NOOP("ViewSpec", "Memory"),
                                 observe::TapSet{false, true, false, -1}, &create};

MemoryView::MemoryView(const ViewContext& context, QWidget* parent)
    : ViewBase(context, parent), model_(new MemoryModel(this)) {
    header_ = new ViewHeader;
    plot_ = new QCustomPlot;
    plot_->setMinimumSize(160, 100);
    plot_->plotLayout()->setMargins(QMargins(0, 0, 0, 0));
    table_ = new QTableView;
    table_->setModel(model_);
    table_->verticalHeader()->hide();
    table_->setShowGrid(false);
    table_->setFrameShape(QFrame::NoFrame);
    table_->setSelectionMode(QAbstractItemView::NoSelection);
    table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table_->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    table_->horizontalHeader()->setHighlightSections(false);
    table_->horizontalHeader()->setStretchLastSection(false);
    table_->setItemDelegate(new PlainDelegate(table_));
    auto* layout = new QVBoxLayout(content());
    layout->setSizeConstraint(QLayout::SetNoConstraint);
    layout->setContentsMargins(10, 6, 10, 8);
    layout->setSpacing(5);
    layout->addWidget(header_);
    layout->addWidget(plot_, 1);
    layout->addWidget(table_);

    // Each area is filled down to the one below it.
    for (size_t i = 0; i < areas_.size(); ++i) {
        areas_[i] = plot_->addGraph();
        if (i > 0) areas_[i]->setChannelFillGraph(areas_[i - 1]);
    }
    process_ = plot_->addGraph();
    moment_ = new QCPItemStraightLine(plot_);
    labels_ = new PlotEdgeLabels(plot_);
    start();
}

std::array<QColor, kMemoryParts> MemoryView::colors() const {
    const Theme& theme = Theme::current();
    return {theme.weights, theme.kv, theme.activations, theme.scratch, theme.capture, theme.dim};
}

void MemoryView::retranslate() {
    model_->retranslate();
    table_->setAccessibleName(tr("Memory by purpose"));
    plot_->setAccessibleName(tr("Memory over time"));
}

void MemoryView::applyTheme() {
    const Theme& theme = Theme::current();
    applyPlotTheme(plot_);
    const auto swatches = colors();
    model_->setSwatches(swatches);
    for (size_t i = 0; i < areas_.size(); ++i) {
        areas_[i]->setPen(hairline(swatches[i]));
        areas_[i]->setBrush(withAlpha(swatches[i], theme.isDark ? 150 : 130));
    }
    process_->setPen(hairline(theme.ink, Qt::DashLine));
    moment_->setPen(hairline(theme.selectedCell));
    applyTableTheme(table_);
    table_->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    fitTable();
}

void MemoryView::fitTable() {
    // All rows, unless the chart would get too low for them; a low view has the chart only.
    const int whole = table_->horizontalHeader()->sizeHint().height() +
                      model_->rowCount() * table_->verticalHeader()->defaultSectionSize() + 4;
    const int room = height() - 190;
    table_->setFixedHeight(std::max(40, std::min(whole, room)));
    table_->setVisible(room >= 90);
    table_->setColumnHidden(MemoryModel::Bytes, width() < 440);
}

void MemoryView::resizeEvent(QResizeEvent* event) {
    ViewBase::resizeEvent(event);
    fitTable();
}

void MemoryView::refresh() {
    const observe::MemoryLedger& live = snapshot().frame.memory;
    if (!snapshot().model && !run() && live.rss == 0) {
        showNotice(tr("No model loaded"),
                   tr("Open a GGUF file from the menu, or drop one onto the window."));
        return;
    }
    hideNotice();
    drawAreas();
    refreshSelection();
}

void MemoryView::labelEdge(const std::array<QVector<QCPGraphData>, kStackedParts>& sums,
                           const QVector<QCPGraphData>& process) {
    std::vector<PlotEdgeLabels::Label> labels;
    if (!process.isEmpty()) {
        const auto swatches = colors();
        labels.push_back({process.last().value, tr("process"), Theme::current().ink});
        double below = 0;
        for (size_t i = 0; i < sums.size(); ++i) {
            const double top = sums[i].last().value;
            labels.push_back({(below + top) / 2, MemoryModel::shortName(static_cast<MemoryPart>(i)),
                              swatches[i]});
            below = top;
        }
    }
    labels_->setLabels(std::move(labels));
}

void MemoryView::drawAreas() {
    std::array<QVector<QCPGraphData>, kStackedParts> sums;
    QVector<QCPGraphData> process;
    double end = 0, top = 0;
    const RunRecord* shown = run();
    uint64_t peak = snapshot().frame.memory.rss;
    if (shown)
        for (const MemorySample& sample : shown->memory) {
            uint64_t sum = 0;
            for (int i = 0; i < kStackedParts; ++i)
                sum += memoryBytes(sample.ledger, static_cast<MemoryPart>(i));
            peak = std::max({peak, sum, sample.ledger.rss});
        }
    const bool isGiB = peak >= (4ull << 30);
    unit_ = isGiB ? 1024.0 * 1024.0 * 1024.0 : 1024.0 * 1024.0;
    if (shown)
        for (const MemorySample& sample : shown->memory) {
            const double key = static_cast<double>(spanNs(shown->submittedNs, sample.timeNs)) / 1e9;
            if (!process.isEmpty() && key < process.last().key) continue;
            double sum = 0;
            for (int i = 0; i < kStackedParts; ++i) {
                sum += static_cast<double>(memoryBytes(sample.ledger, static_cast<MemoryPart>(i))) /
                       unit_;
                sums[static_cast<size_t>(i)].append({key, sum});
            }
            const double rss = static_cast<double>(sample.ledger.rss) / unit_;
            process.append({key, rss});
            top = std::max({top, sum, rss});
            end = std::max(end, key);
        }
    labelEdge(sums, process);
    for (size_t i = 0; i < areas_.size(); ++i) areas_[i]->data()->set(sums[i], true);
    process_->data()->set(process, true);
    plot_->xAxis->setRange(0, end > 0 ? end : 1);
    plot_->yAxis->setRange(0, top > 0 ? top * 1.06 : 1);
    plot_->xAxis->setLabel(tr("time since sent (s)"));
    plot_->yAxis->setLabel(isGiB ? QStringLiteral("GiB") : QStringLiteral("MiB"));
}

void MemoryView::refreshSelection() {
    // The table shows the chosen moment where one is chosen, else now.
    observe::MemoryLedger ledger = snapshot().frame.memory;
    const RunRecord* shown = run();
    const TokenRecord* token =
        shown && selection().pos() ? momentToken(*shown, selection()) : nullptr;
    bool isMoment = false;
    if (shown && !shown->memory.empty() && (ledger.rss == 0 || !shown->isRunning))
        ledger = shown->memory.back().ledger;
    if (token && shown && !shown->memory.empty() && token->timeNs > 0) {
        const auto after = std::lower_bound(
            shown->memory.begin(), shown->memory.end(), token->timeNs,
            [](const MemorySample& sample, int64_t time) { return sample.timeNs < time; });
        ledger = (after == shown->memory.end() ? shown->memory.back() : *after).ledger;
        isMoment = true;
    }
    model_->setLedger(ledger);
    std::array<uint64_t, kStackedParts> predicted{};
    if (const auto& info = snapshot().model)
        predicted = {info->plannedWeightBytes, info->plannedKvBytes, info->plannedActivationBytes,
                     0, info->plannedCaptureBytes};
    model_->setPredicted(predicted);
    const double at =
        isMoment ? static_cast<double>(spanNs(shown->submittedNs, token->timeNs)) / 1e9 : -1;
    moment_->setVisible(isMoment);
    moment_->point1->setCoords(at, 0);
    moment_->point2->setCoords(at, 1);
    QString detail = tr("resident · free on this system %1").arg(formatBytes(ledger.available));
    if (isMoment) detail += QStringLiteral(" · ") + tr("at token %1").arg(token->pos);
    if (shown && shown->provenance == Provenance::Recorded)
        detail += QStringLiteral(" · ") + tr("recorded");
    header_->setTexts(formatBytes(ledger.rss), detail);
    plot_->replot(QCustomPlot::rpQueuedReplot);
}

}  // namespace vitrine::gui
