#pragma once
// Draws a grid of attention cells into an image of exactly the pixels on screen: block maxima where
// several cells share a pixel (nothing strong is ever lost), sharp cells with a gap where one cell
// covers many pixels. Masked cells stay transparent. Thread: any (pure function).

#include <QColor>
#include <QImage>
#include <QRectF>

#include "gui/models/color_map.h"
#include "gui/models/heat_map_store.h"

namespace vitrine::gui {

struct HeatMapPainting {
    ColorMap map = ColorMap::Viridis;
    ProbabilityScale scale;
    QRgb unknown = 0;           ///< cells that the engine could not compute
    int32_t firstKeyShown = 0;  ///< keys before it are left out (the sink has its own lane)
    bool hasGaps = true;
};

/// `window`: x = key and y = query in positions, where position p covers [p − ½, p + ½); y grows
/// downwards. `pixels`: size in device pixels, at most 8192 each way. Never fails; an empty size
/// gives a null image.
QImage paintHeatMap(const CellGrid& grid, const QRectF& window, const QSize& pixels,
                    const HeatMapPainting& painting);

}  // namespace vitrine::gui
