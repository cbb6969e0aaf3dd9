#pragma once
// The parts that QCustomPlot lacks for the attention picture: a plottable that shows an image of
// exactly the visible cells, a colour bar, and layers for token labels and the selection. Thread:
// GUI thread.

#include <functional>
#include <optional>

#include <qcustomplot.h>

#include "gui/widgets/heat_map_image.h"

namespace vitrine::gui {

/// Shows one CellGrid on its axes.
class HeatMapPlottable : public QCPAbstractPlottable {
    Q_OBJECT
public:
    HeatMapPlottable(QCPAxis* keyAxis, QCPAxis* queryAxis);

    /// grid: kept by the caller, which calls markChanged() when its cells changed.
    void setGrid(const CellGrid* grid);
    void setPainting(const HeatMapPainting& painting);

    void markChanged() { image_ = QImage(); }

    /// Writes each cell's value in it where there is room (the sink lane).
    void setHasNumbers(bool hasNumbers) { hasNumbers_ = hasNumbers; }

    double selectTest(const QPointF& pos, bool onlySelectable, QVariant* details) const override;
    QCPRange getKeyRange(bool& found, QCP::SignDomain domain) const override;
    QCPRange getValueRange(bool& found, QCP::SignDomain domain,
                           const QCPRange& inKeyRange) const override;

protected:
    void draw(QCPPainter* painter) override;
    void drawLegendIcon(QCPPainter* painter, const QRectF& rect) const override;

private:
    void drawNumbers(QCPPainter* painter, const QRect& area) const;

    const CellGrid* grid_ = nullptr;
    HeatMapPainting painting_;
    bool hasNumbers_ = false;
    QImage image_;
    QRectF imageWindow_;
};

/// The fixed colour scale, vertical, with its values.
class HeatMapScaleBar : public QCPLayoutElement {
    Q_OBJECT
public:
    explicit HeatMapScaleBar(QCustomPlot* plot);
    void setScale(ColorMap map, const ProbabilityScale& scale);
    QSize minimumOuterSizeHint() const override;
    QSize maximumOuterSizeHint() const override;

protected:
    void draw(QCPPainter* painter) override;

private:
    ColorMap map_ = ColorMap::Viridis;
    ProbabilityScale scale_;
};

/// A layer that draws by a function.
class HeatMapLayerable : public QCPLayerable {
    Q_OBJECT
public:
    HeatMapLayerable(QCustomPlot* plot, const QString& layer,
                     std::function<void(QCPPainter*)> paint);

protected:
    void applyDefaultAntialiasingHint(QCPPainter* painter) const override;
    void draw(QCPPainter* painter) override;

private:
    std::function<void(QCPPainter*)> paint_;
};

}  // namespace vitrine::gui
