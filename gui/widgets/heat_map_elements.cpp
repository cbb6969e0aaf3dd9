#include "gui/widgets/heat_map_elements.h"

#include <cmath>

#include "gui/models/format.h"
#include "gui/widgets/plot_style.h"
#include "gui/widgets/theme.h"

namespace vitrine::gui {

HeatMapPlottable::HeatMapPlottable(QCPAxis* keyAxis, QCPAxis* queryAxis)
    : QCPAbstractPlottable(keyAxis, queryAxis) {
    setSelectable(QCP::stNone);
}

void HeatMapPlottable::setGrid(const CellGrid* grid) {
    grid_ = grid;
    markChanged();
}

void HeatMapPlottable::setPainting(const HeatMapPainting& painting) {
    painting_ = painting;
    markChanged();
}

double HeatMapPlottable::selectTest(const QPointF&, bool, QVariant*) const {
    return -1;
}

QCPRange HeatMapPlottable::getKeyRange(bool& found, QCP::SignDomain) const {
    found = grid_ && grid_->cols > 0;
    if (!found) return {};
    return {grid_->firstKey - 0.5,
            grid_->firstKey + static_cast<double>(grid_->cols) * grid_->keyStep - 0.5};
}

QCPRange HeatMapPlottable::getValueRange(bool& found, QCP::SignDomain, const QCPRange&) const {
    found = grid_ && grid_->rows > 0;
    if (!found) return {};
    return {grid_->firstRow - 0.5,
            grid_->firstRow + static_cast<double>(grid_->rows) * grid_->rowStep - 0.5};
}

void HeatMapPlottable::draw(QCPPainter* painter) {
    if (!grid_ || grid_->rows == 0 || grid_->cols == 0) return;
    const QRect area = mKeyAxis->axisRect()->rect();
    if (area.width() < 1 || area.height() < 1) return;
    const bool isVector = painter->modes().testFlag(QCPPainter::pmVectorized);
    const double ratio = isVector            ? 3.0
                         : painter->device() ? painter->device()->devicePixelRatioF()
                                             : 1.0;
    const QSize pixels(static_cast<int>(std::lround(area.width() * ratio)),
                       static_cast<int>(std::lround(area.height() * ratio)));
    const QRectF window(mKeyAxis->range().lower, mValueAxis->range().lower,
                        mKeyAxis->range().size(), mValueAxis->range().size());
    if (image_.size() != pixels || imageWindow_ != window) {
        image_ = paintHeatMap(*grid_, window, pixels, painting_);
        imageWindow_ = window;
    }
    const bool wasAntialiased = painter->antialiasing();
    painter->setAntialiasing(false);
    painter->drawImage(QRectF(area), image_, QRectF(image_.rect()));
    if (hasNumbers_) drawNumbers(painter, area);
    painter->setAntialiasing(wasAntialiased);
}

void HeatMapPlottable::drawNumbers(QCPPainter* painter, const QRect& area) const {
    const double rowPixels = area.height() / mValueAxis->range().size() * grid_->rowStep;
    const QFont font = Theme::monoFont(-2.5);
    const QFontMetrics metrics(font);
    if (rowPixels < metrics.ascent() + 2) return;
    const ColorTable& table = colorTable(painting_.map);
    painter->setFont(font);
    for (int32_t row = 0; row < grid_->rows; ++row) {
        const double top = mValueAxis->coordToPixel(
            grid_->firstRow + static_cast<double>(row) * grid_->rowStep - 0.5);
        if (top + rowPixels < area.top() || top > area.bottom()) continue;
        const float value =
            grid_->cells[static_cast<size_t>(row) * static_cast<size_t>(grid_->cols)];
        if (std::isnan(value)) continue;
        painter->setPen(inkOn(QColor::fromRgb(table[painting_.scale.level(value)])));
        painter->drawText(QRectF(area.left(), top, area.width(), rowPixels), Qt::AlignCenter,
                          QString::number(static_cast<double>(value), 'f', 2));
    }
}

void HeatMapPlottable::drawLegendIcon(QCPPainter* painter, const QRectF& rect) const {
    painter->fillRect(rect, QColor::fromRgb(colorTable(painting_.map)[160]));
}

HeatMapScaleBar::HeatMapScaleBar(QCustomPlot* plot) : QCPLayoutElement(plot) {
    setLayer(QStringLiteral("axes"));
}

void HeatMapScaleBar::setScale(ColorMap map, const ProbabilityScale& scale) {
    map_ = map;
    scale_ = scale;
}

QSize HeatMapScaleBar::minimumOuterSizeHint() const {
    const QFontMetrics metrics(Theme::monoFont(-2));
    return {10 + 12 + 5 + metrics.horizontalAdvance(QStringLiteral("0.001")) + 2, 40};
}

QSize HeatMapScaleBar::maximumOuterSizeHint() const {
    return {minimumOuterSizeHint().width(), QWIDGETSIZE_MAX};
}

void HeatMapScaleBar::draw(QCPPainter* painter) {
    const Theme& theme = Theme::current();
    const QRect area = rect();
    const QRect bar(area.left() + 10, area.top(), 12, area.height());
    if (bar.height() < 8) return;
    QImage image(1, 256, QImage::Format_RGB32);
    const ColorTable& table = colorTable(map_);
    for (int y = 0; y < 256; ++y) image.setPixel(0, y, table[static_cast<size_t>(255 - y)]);
    painter->drawImage(bar, image);
    painter->setPen(hairline(theme.line));
    painter->setBrush(Qt::NoBrush);
    painter->drawRect(bar.adjusted(0, 0, -1, -1));
    const QFont font = Theme::monoFont(-2);
    const QFontMetrics metrics(font);
    painter->setFont(font);
    painter->setPen(theme.faint);
    const double logTicks[] = {1, 0.1, 0.01, 0.001, 1e-4}, linearTicks[] = {1, 0.75, 0.5, 0.25, 0};
    for (int i = 0; i < 5; ++i) {
        const double value = scale_.isLog ? logTicks[i] : linearTicks[i];
        const float at = scale_.position(static_cast<float>(value));
        const double y = bar.bottom() - static_cast<double>(at) * (bar.height() - 1);
        const QString text =
            value == 1e-4 ? QStringLiteral("≤1e-4") : QString::number(value, 'g', 3);
        const double textTop =
            std::clamp(y - metrics.height() / 2.0, static_cast<double>(bar.top()) - 2,
                       static_cast<double>(bar.bottom()) - metrics.height() + 2);
        painter->drawText(QPointF(bar.right() + 5, textTop + metrics.ascent()), text);
    }
}

HeatMapLayerable::HeatMapLayerable(QCustomPlot* plot, const QString& layer,
                                   std::function<void(QCPPainter*)> paint)
    : QCPLayerable(plot, layer), paint_(std::move(paint)) {}

void HeatMapLayerable::applyDefaultAntialiasingHint(QCPPainter* painter) const {
    painter->setAntialiasing(false);
}

void HeatMapLayerable::draw(QCPPainter* painter) {
    paint_(painter);
}

}  // namespace vitrine::gui
