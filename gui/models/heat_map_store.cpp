#include "gui/models/heat_map_store.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace vitrine::gui {
namespace {

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

int32_t alignDown(int32_t value, int32_t step) {
    return value / step * step;
}

int32_t cellsOf(int32_t length, int32_t step) {
    return static_cast<int32_t>((static_cast<int64_t>(length) + step - 1) / step);
}

}  // namespace

float CellGrid::at(int32_t pos, int32_t keyPos) const {
    if (pos < firstRow || keyPos < firstKey) return kNaN;
    const int32_t row = (pos - firstRow) / rowStep, col = (keyPos - firstKey) / keyStep;
    if (row >= rows || col >= cols) return kNaN;
    return cells[static_cast<size_t>(row) * static_cast<size_t>(cols) + static_cast<size_t>(col)];
}

int32_t powerOfTwoStep(int32_t n, int32_t limit) {
    int32_t step = 1;
    while (step < (1 << 28) && static_cast<int64_t>(step) * limit < n) step *= 2;
    return step;
}

float blockMax(const float* cells, int32_t rows, int32_t cols, int32_t row0, int32_t row1,
               int32_t col0, int32_t col1) {
    float best = kNaN;
    for (int32_t row = std::max(row0, 0); row < std::min(row1, rows); ++row)
        for (int32_t col = std::max(col0, 0); col < std::min(col1, cols); ++col) {
            const float value = cells[static_cast<size_t>(row) * static_cast<size_t>(cols) +
                                      static_cast<size_t>(col)];
            if (!std::isnan(value) && !(value <= best)) best = value;
        }
    return best;
}

void HeatMapStore::reset() {
    const int32_t origin = keyOrigin_;
    *this = HeatMapStore();
    keyOrigin_ = origin;
}

void HeatMapStore::setKeyOrigin(int32_t origin) {
    keyOrigin_ = std::max(origin, 0);
    reset();
}

void HeatMapStore::setViewport(const CellRange& view, int32_t maxRows, int32_t maxCols) {
    if (view.isEmpty()) return;
    maxRows = std::clamp(maxRows, 1, 2048);
    maxCols = std::clamp(maxCols, 1, 2048);
    const int32_t rowStep = powerOfTwoStep(view.endRow - view.firstRow, maxRows);
    const int32_t keyStep = powerOfTwoStep(view.endKey - view.firstKey, maxCols);
    CellRange aligned = view;
    aligned.firstRow = alignDown(view.firstRow, rowStep);
    aligned.firstKey = keyOrigin_ + alignDown(std::max(view.firstKey - keyOrigin_, 0), keyStep);
    if (aligned.isEmpty()) return;
    if (rowStep == rowStep_ && keyStep == keyStep_) {
        if (wanted_.contains(aligned)) return;
        // A sequence that grew: the same origin, more rows and keys. Rows that are there stay
        // valid, since keys beyond a row's own position are masked.
        const bool coversDone = aligned.endKey >= std::min(doneRows_, wanted_.endKey) &&
                                wanted_.endKey >= std::min(doneRows_, aligned.endKey);
        if (aligned.firstRow == wanted_.firstRow && aligned.firstKey == wanted_.firstKey &&
            aligned.endRow >= wanted_.endRow && coversDone) {
            wanted_ = aligned;
            return;
        }
    }
    wanted_ = aligned;
    rowStep_ = rowStep;
    keyStep_ = keyStep;
    doneRows_ = aligned.firstRow;
    isDrawnCurrent_ = false;
}

std::optional<engine::RequestTile> HeatMapStore::nextRequest(int32_t readyRows) const {
    const int32_t endRow = std::min(readyRows, wanted_.endRow);
    if (wanted_.isEmpty() || endRow <= doneRows_) return std::nullopt;
    engine::RequestTile request;
    // A block row that was only partly there is asked for again as a whole.
    request.firstRow = std::max(wanted_.firstRow, alignDown(doneRows_, rowStep_));
    request.firstKey = wanted_.firstKey;
    request.nKeys = std::min(wanted_.endKey, endRow) - wanted_.firstKey;
    request.rowStep = rowStep_;
    request.keyStep = keyStep_;
    const int64_t cols = std::max(1, cellsOf(request.nKeys, keyStep_));
    const int64_t maxRowCells = std::max<int64_t>(1, kMaxTileCells / cols);
    const int64_t maxRows = maxRowCells * rowStep_;
    request.nRows = static_cast<int32_t>(std::min<int64_t>(endRow - request.firstRow, maxRows));
    if (request.nKeys <= 0 || request.nRows <= 0) return std::nullopt;
    return request;
}

bool HeatMapStore::accept(const engine::TileReply& reply) {
    if (reply.rowStep != rowStep_ || reply.keyStep != keyStep_ || reply.cellRows <= 0 ||
        reply.cellCols <= 0)
        return false;
    if (reply.firstRow < wanted_.firstRow || reply.firstKey != wanted_.firstKey ||
        reply.firstRow % rowStep_ != 0 || reply.nRows <= 0)
        return false;
    const int64_t nCells = static_cast<int64_t>(reply.cellRows) * reply.cellCols;
    if (static_cast<int64_t>(reply.cells.size()) != nCells || nCells > kMaxTileCells) return false;
    if (reply.firstRow > doneRows_) return false;  // would leave a hole

    if (!isDrawnCurrent_) {
        drawn_ = CellGrid{wanted_.firstRow, wanted_.firstKey, rowStep_, keyStep_, 0, 0, {}};
        isDrawnCurrent_ = true;
    }
    const int32_t rowOffset = (reply.firstRow - drawn_.firstRow) / rowStep_;
    const int32_t rows = std::max(drawn_.rows, rowOffset + reply.cellRows);
    const int32_t cols = std::max(drawn_.cols, reply.cellCols);
    if (static_cast<int64_t>(rows) * cols > 4 * kMaxTileCells) return false;
    if (cols != drawn_.cols) {
        std::vector<float> wider(static_cast<size_t>(rows) * static_cast<size_t>(cols), kNaN);
        for (int32_t row = 0; row < drawn_.rows; ++row)
            std::copy_n(drawn_.cells.begin() + static_cast<int64_t>(row) * drawn_.cols, drawn_.cols,
                        wider.begin() + static_cast<int64_t>(row) * cols);
        drawn_.cells = std::move(wider);
    } else {
        drawn_.cells.resize(static_cast<size_t>(rows) * static_cast<size_t>(cols), kNaN);
    }
    drawn_.rows = rows;
    drawn_.cols = cols;
    for (int32_t row = 0; row < reply.cellRows; ++row) {
        auto* to = drawn_.cells.data() + static_cast<int64_t>(rowOffset + row) * cols;
        std::copy_n(reply.cells.data() + static_cast<int64_t>(row) * reply.cellCols, reply.cellCols,
                    to);
        std::fill(to + reply.cellCols, to + cols, kNaN);
    }
    doneRows_ = std::max(doneRows_, reply.firstRow + reply.nRows);
    return true;
}

}  // namespace vitrine::gui
