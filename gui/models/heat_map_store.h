#pragma once
// The attention cells on show: one block-max grid of one layer and head, filled tile by tile as
// rows become available, and what to ask for next. Positions are absolute; the grid's origin and
// steps are powers of two aligned, so that a growing sequence extends the grid instead of
// invalidating it (a row never changes once its token is evaluated). No Qt inside. Thread: one
// owner (GUI thread).

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/runtime/messages.h"

namespace vitrine::gui {

/// Half-open rectangle of positions: rows are queries, columns are keys.
struct CellRange {
    int32_t firstRow = 0, endRow = 0, firstKey = 0, endKey = 0;

    bool isEmpty() const { return endRow <= firstRow || endKey <= firstKey; }

    bool contains(const CellRange& other) const {
        return firstRow <= other.firstRow && endRow >= other.endRow && firstKey <= other.firstKey &&
               endKey >= other.endKey;
    }

    bool operator==(const CellRange&) const = default;
};

/// A rectangular grid of block maxima. NaN = masked or unknown.
struct CellGrid {
    int32_t firstRow = 0, firstKey = 0;  ///< multiples of the steps (keys: after the origin)
    int32_t rowStep = 1, keyStep = 1;    ///< powers of two
    int32_t rows = 0, cols = 0;          ///< cells
    std::vector<float> cells;            ///< [rows, cols]

    /// NaN outside.
    float at(int32_t pos, int32_t keyPos) const;
};

class HeatMapStore {
public:
    /// Forgets everything but the key origin: another run, layer, head or a cut sequence.
    void reset();

    /// Keys before `origin` are left out: blocks begin there, so that a strong sink token is in
    /// none of them. Starts over.
    void setKeyOrigin(int32_t origin);

    /// What should be on screen: `view` clipped to the sequence by the caller, in at most
    /// maxRows × maxCols cells. Chooses the steps; starts a new grid where the present one does not
    /// serve, keeping the old one for drawing until the new one has cells.
    void setViewport(const CellRange& view, int32_t maxRows, int32_t maxCols);

    /// The next tile to ask for when positions [0, readyRows) can be computed; none when all is
    /// there. Never more than kMaxTileCells cells. layer, head, slot and id are the caller's.
    std::optional<engine::RequestTile> nextRequest(int32_t readyRows) const;

    /// Takes a reply's cells. Replies that do not fit the grid (older zoom, foreign steps) are
    /// ignored. True when something changed.
    bool accept(const engine::TileReply& reply);

    /// The grid to draw now. Never null; may be empty.
    const CellGrid& grid() const { return drawn_; }

    /// Rows before this position have their final values in the wanted grid.
    int32_t doneRows() const { return doneRows_; }

    static constexpr int64_t kMaxTileCells = 1 << 20;

private:
    int32_t keyOrigin_ = 0;
    CellRange wanted_;  ///< aligned to the steps
    int32_t rowStep_ = 1, keyStep_ = 1;
    int32_t doneRows_ = 0;  ///< positions
    CellGrid drawn_;
    bool isDrawnCurrent_ = false;  ///< drawn_ has the wanted origin and steps
};

/// Largest value of a block of cells, NaN ignored; NaN when there is none. Rows [row0, row1) and
/// columns [col0, col1) of a [rows, cols] matrix, clipped to it. Never fails.
float blockMax(const float* cells, int32_t rows, int32_t cols, int32_t row0, int32_t row1,
               int32_t col0, int32_t col1);

/// Smallest power of two ≥ n / limit (at least 1). Requires: limit ≥ 1.
int32_t powerOfTwoStep(int32_t n, int32_t limit);

}  // namespace vitrine::gui
