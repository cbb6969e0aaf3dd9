#include "gui/widgets/heat_map_image.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

namespace vitrine::gui {
namespace {

/// Cells [begin, end) under one pixel; empty = outside the grid.
struct Span {
    int32_t begin = 0, end = 0;
    bool isGap = false;

    bool operator==(const Span&) const = default;
};

std::vector<Span> spans(double low, double high, int pixels, int32_t first, int32_t step,
                        int32_t cells, bool hasGaps) {
    std::vector<Span> out(static_cast<size_t>(pixels));
    const double perPixel = (high - low) / pixels / step;  // cells
    const double origin = (low - (first - 0.5)) / step;
    const bool isSharp = perPixel < 1;
    for (int i = 0; i < pixels; ++i) {
        const double a = origin + i * perPixel, b = a + perPixel;
        Span& span = out[static_cast<size_t>(i)];
        if (isSharp) {
            const double cell = std::floor(a + perPixel / 2);
            if (cell < 0 || cell >= cells) continue;
            span.begin = static_cast<int32_t>(cell);
            span.end = span.begin + 1;
            // The pixel whose right neighbour belongs to the next cell.
            if (hasGaps) span.isGap = std::floor(a + perPixel * 1.5) > cell;
        } else {
            const double begin = std::max(0.0, std::floor(a)),
                         end = std::min<double>(cells, std::ceil(b));
            if (end <= begin) continue;
            span.begin = static_cast<int32_t>(begin);
            span.end = static_cast<int32_t>(end);
        }
    }
    return out;
}

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

}  // namespace

QImage paintHeatMap(const CellGrid& grid, const QRectF& window, const QSize& pixels,
                    const HeatMapPainting& painting) {
    if (pixels.width() <= 0 || pixels.height() <= 0) return {};
    const int width = std::min(pixels.width(), 8192), height = std::min(pixels.height(), 8192);
    QImage image(width, height, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    if (grid.rows <= 0 || grid.cols <= 0 || !(window.width() > 0) || !(window.height() > 0))
        return image;
    const ColorTable& table = colorTable(painting.map);
    // Gaps between cells where both sides of a cell have room for one.
    const bool hasGaps = painting.hasGaps && width / window.width() * grid.keyStep >= 7 &&
                         height / window.height() * grid.rowStep >= 7;
    const std::vector<Span> columns = spans(window.left(), window.right(), width, grid.firstKey,
                                            grid.keyStep, grid.cols, hasGaps);
    const std::vector<Span> lines = spans(window.top(), window.bottom(), height, grid.firstRow,
                                          grid.rowStep, grid.rows, hasGaps);
    std::vector<float> pooled(static_cast<size_t>(grid.cols));
    std::vector<QRgb> line(static_cast<size_t>(width));
    Span pooledSpan{-1, -1, false};
    for (int y = 0; y < height; ++y) {
        Span span = lines[static_cast<size_t>(y)];
        if (span.end <= span.begin || span.isGap) continue;
        if (!(span == pooledSpan)) {
            pooledSpan = span;
            // Rows first, then columns: each cell is read once per pooled line.
            std::copy_n(grid.cells.begin() + static_cast<int64_t>(span.begin) * grid.cols,
                        grid.cols, pooled.begin());
            for (int32_t row = span.begin + 1; row < span.end; ++row) {
                const float* cells = grid.cells.data() + static_cast<int64_t>(row) * grid.cols;
                for (int32_t col = 0; col < grid.cols; ++col) {
                    float& best = pooled[static_cast<size_t>(col)];
                    if (cells[col] > best || std::isnan(best)) best = cells[col];
                }
            }
            const int32_t lastPos = grid.firstRow + span.end * grid.rowStep - 1;
            for (int x = 0; x < width; ++x) {
                const Span& column = columns[static_cast<size_t>(x)];
                QRgb color = 0;
                const int32_t firstKey = grid.firstKey + column.begin * grid.keyStep;
                if (column.end > column.begin && !column.isGap &&
                    grid.firstKey + column.end * grid.keyStep > painting.firstKeyShown) {
                    float best = kNaN;
                    for (int32_t col = column.begin; col < column.end; ++col) {
                        const float value = pooled[static_cast<size_t>(col)];
                        if (value > best || std::isnan(best)) best = value;
                    }
                    if (!std::isnan(best))
                        color = table[painting.scale.level(best)];
                    else if (firstKey <= lastPos)
                        color = painting.unknown;
                }
                line[static_cast<size_t>(x)] = color;
            }
        }
        std::memcpy(image.scanLine(y), line.data(), line.size() * sizeof(QRgb));
    }
    return image;
}

}  // namespace vitrine::gui
