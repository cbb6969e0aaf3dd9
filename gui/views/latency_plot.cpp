#include "gui/views/latency_plot.h"

#include <algorithm>
#include <cmath>

#include <QMouseEvent>
#include <QToolTip>

#include "gui/models/format.h"
#include "gui/widgets/plot_style.h"
#include "gui/widgets/theme.h"

namespace vitrine::gui {

LatencyPlot::LatencyPlot(QWidget* parent) : QCustomPlot(parent) {
    setMinimumSize(160, 90);
    setMouseTracking(true);
    plotLayout()->setMargins(QMargins(0, 2, 0, 0));
    dots_ = addGraph();
    dots_->setLineStyle(QCPGraph::lsNone);
    outliers_ = addGraph();
    outliers_->setLineStyle(QCPGraph::lsNone);
    addLayer(QStringLiteral("band"), layer(QStringLiteral("background")));
    band_ = new QCPItemRect(this);
    band_->setLayer(QStringLiteral("band"));
    band_->topLeft->setTypeX(QCPItemPosition::ptAxisRectRatio);
    band_->bottomRight->setTypeX(QCPItemPosition::ptAxisRectRatio);
    band_->setPen(Qt::NoPen);
    for (auto*& line : lines_) {
        line = new QCPItemStraightLine(this);
        line->setLayer(QStringLiteral("grid"));
    }
    moment_ = new QCPItemStraightLine(this);
    moment_->setVisible(false);
    labels_ = new PlotEdgeLabels(this);
    yAxis->ticker()->setTickCount(4);
    const QSharedPointer<QCPAxisTickerFixed> whole(new QCPAxisTickerFixed);
    whole->setTickStep(1);
    whole->setScaleStrategy(QCPAxisTickerFixed::ssMultiples);
    xAxis->setTicker(whole);
    setInteractions(QCP::iRangeZoom | QCP::iRangeDrag);
    axisRect()->setRangeZoom(Qt::Horizontal);
    axisRect()->setRangeDrag(Qt::Horizontal);
    retranslate();
}

void LatencyPlot::retranslate() {
    labelAxes();
    setAccessibleName(tr("Latency of each token"));
    replot(rpQueuedReplot);
}

void LatencyPlot::labelAxes() {
    xAxis->setLabel(height() >= 110 ? tr("generated token") : QString());
    yAxis->setLabel(height() >= 170 ? tr("gap before it (ms)") : tr("ms"));
}

void LatencyPlot::applyTheme() {
    const Theme& theme = Theme::current();
    applyPlotTheme(this);
    // Squares without antialiasing: discs cost 14 ms a frame at 4,000 tokens.
    dots_->setScatterStyle(
        QCPScatterStyle(QCPScatterStyle::ssSquare, hairline(theme.decode), theme.decode, 2));
    dots_->setAntialiasedScatters(false);
    outliers_->setScatterStyle(
        QCPScatterStyle(QCPScatterStyle::ssTriangle, hairline(theme.warn), theme.warn, 6));
    band_->setBrush(theme.targetBand);
    for (auto* line : lines_) line->setPen(hairline(withAlpha(theme.dim, 150), Qt::DashLine));
    moment_->setPen(hairline(theme.selectedCell));
    replot(rpQueuedReplot);
}

void LatencyPlot::setSeries(const RunSeries& series, double targetMs) {
    const std::vector<float>& itl = series.itlMs();
    const bool isOther = series.runId() != runId_ || itl.size() < itlMs_.size();
    if (isOther) {
        runId_ = series.runId();
        itlMs_.clear();
        dots_->data()->clear();
    }
    const bool isNew = isOther || itl.size() != itlMs_.size();
    QVector<double> keys, values;
    for (size_t i = itlMs_.size(); i < itl.size(); ++i) {
        itlMs_.push_back(itl[i]);
        if (std::isnan(itl[i])) continue;
        keys.append(static_cast<double>(i));
        values.append(static_cast<double>(itl[i]));
    }
    if (!keys.isEmpty()) dots_->addData(keys, values, true);
    if (isNew) {
        summary_ = series.gaps().summary();
        // One stall must not flatten the rest: far outliers are drawn at the upper edge.
        const double p95 = summary_.p95.value_or(1), max = summary_.max.value_or(1);
        top_ = max > 4 * p95 ? 2.5 * p95 : max * 1.12;
        if (!(top_ > 0)) top_ = 1;
        outliers_->data()->clear();
        clipped_ = 0;
        if (max > top_)
            for (size_t i = 0; i < itlMs_.size(); ++i)
                if (static_cast<double>(itlMs_[i]) > top_) {
                    outliers_->addData(static_cast<double>(i), top_ * 0.97);
                    ++clipped_;
                }
        yAxis->setRange(0, top_);
        xAxis->setRange(-0.5, std::max<double>(static_cast<double>(itlMs_.size()), 16) - 0.5);
        const std::optional<double> values3[] = {summary_.p50, summary_.p95, summary_.p99};
        for (int i = 0; i < 3; ++i) {
            lines_[i]->setVisible(values3[i].has_value());
            lines_[i]->point1->setCoords(0, values3[i].value_or(0));
            lines_[i]->point2->setCoords(1, values3[i].value_or(0));
        }
    }
    band_->topLeft->setTypeY(QCPItemPosition::ptPlotCoords);
    band_->bottomRight->setTypeY(QCPItemPosition::ptPlotCoords);
    band_->topLeft->setCoords(0, std::min(targetMs, top_));
    band_->bottomRight->setCoords(1, 0);
    band_->setVisible(targetMs > 0 && !itlMs_.empty());
    labelPercentiles();
    replot(rpQueuedReplot);
}

void LatencyPlot::labelPercentiles() {
    const Theme& theme = Theme::current();
    const std::optional<double> values[] = {summary_.p50, summary_.p95, summary_.p99};
    const char* const names[] = {"p50", "p95", "p99"};
    std::vector<PlotEdgeLabels::Label> labels;
    for (int i = 0; i < 3; ++i)
        if (values[i])
            labels.push_back(
                {*values[i],
                 QStringLiteral("%1 %2").arg(QLatin1String(names[i]), formatMs(*values[i])),
                 theme.dim});
    labels_->setLabels(std::move(labels));
}

void LatencyPlot::setSelected(std::optional<int32_t> index) {
    moment_->setVisible(index.has_value());
    if (index) {
        moment_->point1->setCoords(*index, 0);
        moment_->point2->setCoords(*index, 1);
    }
    replot(rpQueuedReplot);
}

std::optional<int32_t> LatencyPlot::indexAt(const QPoint& pixel) const {
    if (itlMs_.empty() || !axisRect()->rect().contains(pixel)) return std::nullopt;
    const double at = xAxis->pixelToCoord(pixel.x());
    return std::clamp(static_cast<int32_t>(std::lround(at)), 0,
                      static_cast<int32_t>(itlMs_.size()) - 1);
}

QPoint LatencyPlot::pixelOf(int32_t index) const {
    return QPoint(static_cast<int>(std::lround(xAxis->coordToPixel(index))),
                  axisRect()->rect().center().y());
}

void LatencyPlot::mouseReleaseEvent(QMouseEvent* event) {
    QCustomPlot::mouseReleaseEvent(event);
    if (event->button() != Qt::LeftButton) return;
    if (const auto index = indexAt(event->pos())) emit chosen(*index);
}

void LatencyPlot::mouseMoveEvent(QMouseEvent* event) {
    QCustomPlot::mouseMoveEvent(event);
    const auto index = indexAt(event->pos());
    if (!index) return QToolTip::hideText();
    const float ms = itlMs_[static_cast<size_t>(*index)];
    QToolTip::showText(
        event->globalPosition().toPoint() + QPoint(12, 12),
        std::isnan(ms)
            ? tr("token %1: the first, it counts as TTFT").arg(*index + 1)
            : tr("token %1: %2 ms").arg(*index + 1).arg(formatMs(static_cast<double>(ms))),
        this);
}

void LatencyPlot::resizeEvent(QResizeEvent* event) {
    labelAxes();
    QCustomPlot::resizeEvent(event);
    if (top_ > 0) labelPercentiles();
}

}  // namespace vitrine::gui
