#include "engine/io/hf_recipe.h"

#include <algorithm>
#include <cstring>

namespace vitrine::engine {
namespace {

using Bytes = std::span<std::byte>;

constexpr uint64_t kStretchBytes = uint64_t{1} << 20;

/// Rows [firstRow, lastRow) of `rowBytes` bytes lie in `rows`: copies those bytes of them that are
/// in [first, first + dst.size()) to their place in dst.
void copyPart(std::span<const std::byte> rows, uint64_t position, uint64_t first, Bytes dst) {
    const uint64_t begin = std::max(position, first);
    const uint64_t end = std::min(position + rows.size(), first + dst.size());
    if (begin < end)
        std::memcpy(dst.data() + (begin - first), rows.data() + (begin - position), end - begin);
}

class RecipeReader {
public:
    RecipeReader(const HfCheckpoint& checkpoint, const HfRecipe& recipe, const TensorInfo& info)
        : checkpoint_(checkpoint),
          recipe_(recipe),
          info_(info),
          valueBytes_(kernels::dtypeInfo(recipe.storedType).blockBytes) {}

    /// Bytes of the tensor in the type in which it is stored.
    Result<void> readStored(uint64_t first, Bytes dst) const {
        switch (recipe_.treatment) {
            case HfTreatment::Query:
            case HfTreatment::Key: return readReordered(first, dst);
            case HfTreatment::Transposed: return readTransposed(first, dst);
            case HfTreatment::Experts: return readStacked(first, dst);
            default: return checkpoint_.read(recipe_.sources[0], first, dst);
        }
    }

    /// The same as float32, with gemma's 1 where it is due.
    Result<void> readWide(uint64_t first, Bytes dst) const {
        const float addend = recipe_.treatment == HfTreatment::NormPlusOne ? 1.0f : 0.0f;
        const uint64_t last = (first + dst.size() + 3) / 4;
        std::vector<std::byte> stored;
        std::vector<float> wide;
        for (uint64_t value = first / 4; value < last; value += wide.size()) {
            wide.resize(std::min(last - value, kStretchBytes / 4));
            stored.resize(wide.size() * valueBytes_);
            if (auto r = readStored(value * valueBytes_, stored); !r) return r;
            kernels::decodeRow(recipe_.storedType, stored.data(), wide.data(),
                               static_cast<int64_t>(wide.size()));
            for (float& x : wide) x += addend;
            copyPart(std::as_bytes(std::span(wide)), value * 4, first, dst);
        }
        return {};
    }

private:
    Result<void> readStacked(uint64_t first, Bytes dst) const {
        const uint64_t partBytes = checkpoint_.tensor(recipe_.sources[0]).sizeBytes;
        while (!dst.empty()) {
            const uint64_t inside = first % partBytes;
            const uint64_t n = std::min<uint64_t>(dst.size(), partBytes - inside);
            if (auto r = checkpoint_.read(recipe_.sources[first / partBytes], inside, dst.first(n));
                !r)
                return r;
            first += n;
            dst = dst.subspan(n);
        }
        return {};
    }

    // Row 2i + s of a head comes from its row i + s·d/2: a stretch of rows is two runs of the file.
    Result<void> readReordered(uint64_t first, Bytes dst) const {
        const bool isVector = info_.nDims == 1;
        const auto nRows = static_cast<uint64_t>(isVector ? info_.nCols() : info_.nRows());
        const uint64_t rowBytes =
            (isVector ? 1 : static_cast<uint64_t>(info_.nCols())) * valueBytes_;
        const uint64_t headRows = nRows / static_cast<uint64_t>(recipe_.nHeads);
        const uint64_t most = std::max<uint64_t>(kStretchBytes / rowBytes, 1);
        const uint64_t last = (first + dst.size() + rowBytes - 1) / rowBytes;
        std::vector<std::byte> runs[2];
        for (uint64_t row = first / rowBytes; row < last;) {
            const uint64_t head = row / headRows * headRows;
            const uint64_t end = std::min({last, head + headRows, row + most});
            uint64_t begins[2];
            for (uint64_t side = 0; side < 2; ++side) {
                begins[side] = (row - head + 1 - side) / 2;
                const uint64_t n = (end - head + 1 - side) / 2 - begins[side];
                runs[side].resize(n * rowBytes);
                const uint64_t from = head + side * (headRows / 2) + begins[side];
                if (auto r = checkpoint_.read(recipe_.sources[0], from * rowBytes, runs[side]); !r)
                    return r;
            }
            for (; row < end; ++row) {
                const uint64_t side = (row - head) % 2;
                const uint64_t i = (row - head) / 2 - begins[side];
                copyPart(std::span(runs[side]).subspan(i * rowBytes, rowBytes), row * rowBytes,
                         first, dst);
            }
        }
        return {};
    }

    // Stored [in, out]: a stretch of output rows is a stripe of columns, read row by row, so that
    // wider stripes mean fewer reads.
    Result<void> readTransposed(uint64_t first, Bytes dst) const {
        const auto nOut = static_cast<uint64_t>(info_.nRows());
        const auto nIn = static_cast<uint64_t>(info_.nCols());
        const uint64_t rowBytes = nIn * valueBytes_;
        const uint64_t most = std::max<uint64_t>(4 * kStretchBytes / rowBytes, 1);
        const uint64_t last = (first + dst.size() + rowBytes - 1) / rowBytes;
        std::vector<std::byte> stripe, rows;
        for (uint64_t row = first / rowBytes; row < last;) {
            const uint64_t n = std::min(last - row, most);
            stripe.resize(n * valueBytes_);
            rows.resize(n * rowBytes);
            for (uint64_t i = 0; i < nIn; ++i) {
                const uint64_t from = (i * nOut + row) * valueBytes_;
                if (auto r = checkpoint_.read(recipe_.sources[0], from, stripe); !r) return r;
                for (uint64_t k = 0; k < n; ++k)
                    std::memcpy(rows.data() + k * rowBytes + i * valueBytes_,
                                stripe.data() + k * valueBytes_, valueBytes_);
            }
            copyPart(rows, row * rowBytes, first, dst);
            row += n;
        }
        return {};
    }

    const HfCheckpoint& checkpoint_;
    const HfRecipe& recipe_;
    const TensorInfo& info_;
    const uint64_t valueBytes_;
};

}  // namespace

Result<void> readByRecipe(const HfCheckpoint& checkpoint, const HfRecipe& recipe,
                          const TensorInfo& info, uint64_t first, std::span<std::byte> dst) {
    if (recipe.sources.empty()) {
        copyPart(std::as_bytes(std::span(recipe.values)), 0, first, dst);
        return {};
    }
    const RecipeReader reader(checkpoint, recipe, info);
    const bool isWide =
        info.dtype != recipe.storedType || recipe.treatment == HfTreatment::NormPlusOne;
    return isWide ? reader.readWide(first, dst) : reader.readStored(first, dst);
}

}  // namespace vitrine::engine
