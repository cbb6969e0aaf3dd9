// Tokens come in slices of 256, so that the scratch is known when a matrix is created. Rounded
// activations lie in tiles of 64 tokens, [tile][block of 32][token][32], so that one unpacked
// sub-block of weights meets 64 tokens from neighbouring addresses. All outputs of a call are one
// list of work items: one barrier for Q, K and V.

#include "kernels/cpu/fast_linear.h"

#include <algorithm>
#include <atomic>

#include "kernels/cpu/kernels.h"
#include "kernels/cpu/packed.h"

namespace vitrine::kernels::cpu {

namespace {

constexpr int kSlice = 256;     // tokens in scratch at once
constexpr int kTokenTile = 64;  // tokens that meet an unpacked sub-block
constexpr int kWideRows = 16;   // rows widened to float32 at once

/// The rounded activations of one slice, tile after tile.
struct Activations {
    Int8Tile first;  // tile 0
    int64_t nCols;
    int nTok;

    int tokensIn(int64_t tile) const noexcept {
        const auto left = static_cast<int>(nTok - tile * kTokenTile);
        return left < kTokenTile ? left : kTokenTile;
    }

    Int8Tile tile(int64_t index) const noexcept {
        const int64_t values = index * kTokenTile * nCols, blocks = values / 32;
        return {first.a + values, first.scales + blocks, first.fineA + values,
                first.fineScales + blocks, first.fine + index * (nCols / 32)};
    }

    int64_t nTiles() const noexcept { return (nTok + kTokenTile - 1) / kTokenTile; }
};

static_assert(kTokenTile <= 64, "a bit per token in Int8Tile::fine");

/// One output of a call and its share of the work items.
struct Part {
    const Matrix* w;
    const float* bias;
    float* y;  // token 0 of the slice
    int64_t groupsPerItem, nTiles, nItems;
};

struct Slice {
    const Kernels* kernels;
    const float* x;  // token 0 of the slice
    int nTok;
    bool accumulate;
    Activations act;
    Part parts[LinearArgs::kMaxOutputs];
    int nParts;
};

void storeValue(const Slice& slice, const Part& part, int64_t tok, int64_t row,
                float value) noexcept {
    if (part.bias != nullptr) value += part.bias[row];
    float& out = part.y[tok * part.w->nRows + row];
    out = slice.accumulate ? out + value : value;
}

/// n values of neighbouring rows; those past the last row are left out.
void storeRows(const Slice& slice, const Part& part, int64_t tok, int64_t row, const float* values,
               int64_t n) noexcept {
    const int64_t left = part.w->nRows - row;
    float* out = part.y + tok * part.w->nRows + row;
    if (left >= n && part.bias == nullptr) {
        if (slice.accumulate) {
            for (int64_t r = 0; r < n; ++r) out[r] += values[r];
        } else {
            std::memcpy(out, values, static_cast<size_t>(n) * sizeof(float));
        }
        return;
    }
    for (int64_t r = 0; r < left && r < n; ++r) storeValue(slice, part, tok, row + r, values[r]);
}

/// Groups of eight interleaved rows against one tile of tokens.
void packedItem(const Slice& slice, const Part& part, int64_t item) noexcept {
    const Matrix& w = *part.w;
    const size_t groupBytes = packedGroupBytes(w.type, w.nCols);
    const int64_t nGroups = (w.nRows + kPackRows - 1) / kPackRows;
    const int64_t tile = item % part.nTiles;
    const int64_t first = item / part.nTiles * part.groupsPerItem;
    const int nTok = slice.act.tokensIn(tile);
    const int64_t last = std::min(first + part.groupsPerItem, nGroups);
    alignas(64) float y[kTokenTile * kPackRows * kMaxGroupsAtOnce];
    for (int64_t g = first; g < last;) {
        const char* group = static_cast<const char*>(w.data) + static_cast<size_t>(g) * groupBytes;
        int count = slice.kernels->groupsAtOnce;
        while (count > last - g) count /= 2;
        slice.kernels->packedRows(w.type, {group, groupBytes, count}, w.nCols, slice.act.tile(tile),
                                  nTok, y);
        const int64_t n = int64_t{kPackRows} * count;
        for (int t = 0; t < nTok; ++t) {
            storeRows(slice, part, tile * kTokenTile + t, g * kPackRows, y + n * t, n);
        }
        g += count;
    }
}

/// Up to four rows against one token, without going through memory where the type allows it.
void wideRowsOneToken(const Slice& slice, const Part& part, int64_t row, int n,
                      float* scratch) noexcept {
    const Matrix& w = *part.w;
    const size_t stride = rowBytes(w.type, w.nCols);
    const char* stored = static_cast<const char*>(w.data) + static_cast<size_t>(row) * stride;
    float out[12];
    if (!slice.kernels->dotStored(w.type, stored, n, slice.x, w.nCols, out)) {
        for (int r = 0; r < n; ++r) {
            slice.kernels->widenRow(w.type, stored + static_cast<size_t>(r) * stride,
                                    scratch + r * w.nCols, w.nCols);
        }
        slice.kernels->dotTile(scratch, w.nCols, n, slice.x, w.nCols, 1, w.nCols, out);
    }
    for (int r = 0; r < n; ++r) storeValue(slice, part, 0, row + r, out[3 * r]);
}

/// Rows as stored, widened to float32, against all tokens of the slice.
void wideItem(const Slice& slice, const Part& part, int64_t item, float* scratch) noexcept {
    const Matrix& w = *part.w;
    const int64_t first = item * kWideRows;
    const int64_t nRows = w.nRows - first < kWideRows ? w.nRows - first : kWideRows;
    const auto quad = [&](int64_t r) { return nRows - r < 4 ? static_cast<int>(nRows - r) : 4; };
    if (slice.nTok == 1) {
        for (int64_t r = 0; r < nRows; r += 4) {
            wideRowsOneToken(slice, part, first + r, quad(r), scratch);
        }
        return;
    }
    const size_t stride = rowBytes(w.type, w.nCols);
    const char* stored = static_cast<const char*>(w.data) + static_cast<size_t>(first) * stride;
    for (int64_t r = 0; r < nRows; ++r) {
        slice.kernels->widenRow(w.type, stored + static_cast<size_t>(r) * stride,
                                scratch + r * w.nCols, w.nCols);
    }
    for (int tok = 0; tok < slice.nTok; tok += 3) {
        const int nTok = slice.nTok - tok < 3 ? slice.nTok - tok : 3;
        for (int64_t r = 0; r < nRows; r += 4) {
            float out[12];
            slice.kernels->dotTile(scratch + r * w.nCols, w.nCols, quad(r), slice.x + tok * w.nCols,
                                   w.nCols, nTok, w.nCols, out);
            for (int i = 0; i < quad(r); ++i) {
                for (int t = 0; t < nTok; ++t) {
                    storeValue(slice, part, tok + t, first + r + i, out[3 * i + t]);
                }
            }
        }
    }
}

void quantize(Context& context, Slice& slice, int64_t nCols) noexcept {
    Activations& act = slice.act;
    act.nCols = nCols;
    act.nTok = slice.nTok;
    const int64_t nBlocks = nCols / 32;
    // Largest alignment first: masks, scales, bytes.
    act.first.fine = reinterpret_cast<uint64_t*>(context.shared.data());
    act.first.scales = reinterpret_cast<Int8Scale*>(act.first.fine + kSlice / kTokenTile * nBlocks);
    act.first.fineScales = act.first.scales + kSlice * nBlocks;
    act.first.a = reinterpret_cast<int8_t*>(act.first.fineScales + kSlice * nBlocks);
    act.first.fineA = act.first.a + kSlice * nCols;
    std::memset(act.first.fine, 0, static_cast<size_t>(act.nTiles() * nBlocks) * sizeof(uint64_t));
    // One token of 32 columns is some 20 ns; below a few microseconds waking the pool costs more.
    constexpr int64_t kWorthwhile = 16384;
    forRows(context, slice.nTok, nCols, kWorthwhile, [&](int64_t first, int64_t last, int) {
        for (int64_t t = first; t < last; ++t) {
            const Int8Tile tile = act.tile(t / kTokenTile);
            const int64_t at = t % kTokenTile;
            const int n = act.tokensIn(t / kTokenTile);
            slice.kernels->quantizeRow(slice.x + t * nCols, nCols, tile.token(at), n);
            for (int64_t b = 0; b < nBlocks; ++b) {
                if (tile.fineScales[b * n + at].scale == 0) continue;
                std::atomic_ref(tile.fine[b])
                    .fetch_or(uint64_t{1} << at, std::memory_order_relaxed);
            }
        }
    });
}

Part makePart(const LinearArgs& args, int i, int64_t firstTok, const Slice& slice) noexcept {
    const Matrix& w = *args.w[i];
    Part part{&w, args.bias[i], args.y[i] + firstTok * w.nRows, 1, 1, 0};
    if (w.isPacked) {
        const int64_t nGroups = (w.nRows + kPackRows - 1) / kPackRows;
        part.groupsPerItem = slice.nTok == 1    ? slice.kernels->groupsAtOnce
                             : slice.nTok <= 16 ? 2
                                                : 8;
        part.nTiles = slice.act.nTiles();
        part.nItems = (nGroups + part.groupsPerItem - 1) / part.groupsPerItem * part.nTiles;
    } else {
        part.nItems = (w.nRows + kWideRows - 1) / kWideRows;
    }
    return part;
}

void linearSlice(Context& context, const LinearArgs& args, int64_t firstTok, int nTok) noexcept {
    const int64_t nCols = args.w[0]->nCols;
    Slice slice{};
    slice.kernels = context.ops->kernels;
    slice.x = args.x + firstTok * nCols;
    slice.nTok = nTok;
    slice.accumulate = args.accumulate;
    bool anyPacked = false;
    for (int i = 0; i < args.nOutputs; ++i) anyPacked = anyPacked || args.w[i]->isPacked;
    if (anyPacked) quantize(context, slice, nCols);
    slice.nParts = args.nOutputs;
    int64_t nItems = 0;
    for (int i = 0; i < args.nOutputs; ++i) {
        slice.parts[i] = makePart(args, i, firstTok, slice);
        nItems += slice.parts[i].nItems;
    }
    const auto work = [&](int64_t first, int64_t last, int thread) {
        for (int64_t item = first; item < last; ++item) {
            int64_t at = item;
            const Part* part = slice.parts;
            while (at >= part->nItems) at -= (part++)->nItems;
            if (part->w->isPacked) {
                packedItem(slice, *part, at);
            } else {
                wideItem(slice, *part, at, context.threadScratch<float>(thread));
            }
        }
    };
    context.pool.parallelFor(nItems, nTok == 1 ? chunkOf(context, nItems) : 1, work);
}

}  // namespace

size_t fastLinearSharedBytes(int64_t nCols) noexcept {
    const int64_t nBlocks = nCols / 32;
    const int64_t perTok = 2 * (nCols + nBlocks * static_cast<int64_t>(sizeof(Int8Scale)));
    const int64_t masks = kSlice / kTokenTile * nBlocks * static_cast<int64_t>(sizeof(uint64_t));
    return static_cast<size_t>(perTok * kSlice + masks);
}

size_t fastLinearThreadBytes(int64_t nCols) noexcept {
    return static_cast<size_t>(nCols) * sizeof(float) * kWideRows;
}

void fastLinear(Context& context, const LinearArgs& args) noexcept {
    for (int64_t first = 0; first < args.nTok && !context.pool.isCancelled(); first += kSlice) {
        const int64_t left = args.nTok - first;
        linearSlice(context, args, first, static_cast<int>(left < kSlice ? left : kSlice));
    }
}

}  // namespace vitrine::kernels::cpu
