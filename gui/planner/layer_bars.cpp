#include "gui/planner/layer_bars.h"

#include <algorithm>
#include <cmath>

#include <QEvent>
#include <QMouseEvent>
#include <QToolTip>
#include <QVBoxLayout>
#include <qcustomplot.h>

#include "gui/models/format.h"
#include "gui/widgets/plot_style.h"
#include "gui/widgets/theme.h"

namespace vitrine::gui {

namespace {

struct Unit {
    const char* name;
    double bytes;
};

Unit unitFor(double bytes) {
    if (bytes >= 1 << 30) return {"GiB", 1 << 30};
    if (bytes >= 1 << 20) return {"MiB", 1 << 20};
    return bytes >= 1 << 10 ? Unit{"KiB", 1 << 10} : Unit{"B", 1};
}

}  // namespace

LayerBars::LayerBars(QWidget* parent) : QWidget(parent) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    plot_ = new QCustomPlot(this);
    plot_->setMinimumHeight(fontMetrics().height() * 8);
    plot_->plotLayout()->setMargins(QMargins(0, 0, 0, 0));
    plot_->setMaximumHeight(fontMetrics().height() * 16);
    column->addWidget(plot_);
    full_ = new QCPBars(plot_->xAxis, plot_->yAxis);
    windowed_ = new QCPBars(plot_->xAxis, plot_->yAxis);
    const QSharedPointer<QCPAxisTickerFixed> whole(new QCPAxisTickerFixed);
    whole->setScaleStrategy(QCPAxisTickerFixed::ssMultiples);
    plot_->xAxis->setTicker(whole);
    full_->setWidth(1);
    windowed_->setWidth(1);
    full_->setAntialiased(false);
    windowed_->setAntialiased(false);
    connect(plot_, &QCustomPlot::mouseMove, this,
            [this](QMouseEvent* event) { showTip(event->pos()); });
    connect(ThemeNotifier::instance(), &ThemeNotifier::changed, this, &LayerBars::applyTheme);
    applyTheme();
}

void LayerBars::setLayers(const engine::ModelShape& shape, const engine::KvPlan& plan) {
    shape_ = shape;
    plan_ = plan;
    draw();
}

void LayerBars::clear() {
    plan_ = {};
    draw();
}

void LayerBars::draw() {
    // One pixel between neighbours, as long as that leaves something of the bars.
    const Theme& theme = Theme::current();
    for (const auto& [bars, color] :
         {std::pair(full_, theme.kv), std::pair(windowed_, theme.kvReused)}) {
        bars->setPen(plan_.layers.size() <= 150 ? hairline(theme.panel) : hairline(color));
        bars->setBrush(color);
    }
    double most = 0;
    for (const engine::KvLayerPlan& layer : plan_.layers)
        most = std::max(most, static_cast<double>(layer.bytes));
    const Unit unit = unitFor(most);
    QVector<double> fullAt, full, windowedAt, windowed;
    for (size_t i = 0; i < plan_.layers.size(); ++i) {
        const bool isWindowed = shape_.layer(static_cast<int64_t>(i)).window > 0;
        (isWindowed ? windowedAt : fullAt).append(static_cast<double>(i));
        (isWindowed ? windowed : full)
            .append(static_cast<double>(plan_.layers[i].bytes) / unit.bytes);
    }
    full_->setData(fullAt, full, true);
    windowed_->setData(windowedAt, windowed, true);
    plot_->xAxis->setLabel(tr("layer"));
    plot_->yAxis->setLabel(QLatin1String(unit.name));
    plot_->xAxis->setRange(-0.6, static_cast<double>(plan_.layers.size()) - 0.4);
    plot_->yAxis->setRange(0, most > 0 ? most / unit.bytes * 1.08 : 1);
    plot_->yAxis->ticker()->setTickCount(4);
    plot_->replot(QCustomPlot::rpQueuedReplot);
}

void LayerBars::applyTheme() {
    applyPlotTheme(plot_);
    plot_->xAxis->grid()->setVisible(false);
    draw();
}

void LayerBars::showTip(const QPoint& pos) {
    const auto index = static_cast<int64_t>(std::lround(plot_->xAxis->pixelToCoord(pos.x())));
    if (index < 0 || index >= static_cast<int64_t>(plan_.layers.size())) {
        QToolTip::hideText();
        return;
    }
    const engine::KvLayerPlan& layer = plan_.layers[static_cast<size_t>(index)];
    const int64_t window = shape_.layer(index).window;
    QToolTip::showText(
        plot_->mapToGlobal(pos),
        tr("Layer %1 · %2 (%3) · %4 tokens kept")
                .arg(index)
                .arg(formatBytes(layer.bytes), formatExactBytes(layer.bytes),
                     formatCount(layer.tokens)) +
            (window > 0 ? QStringLiteral(" · ") + tr("window of %1").arg(formatCount(window))
                        : QString()),
        plot_);
}

void LayerBars::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) draw();
}

}  // namespace vitrine::gui
