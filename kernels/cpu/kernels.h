#pragma once
// The inner loops of the fast mode, one table per instruction set. The drivers (fast_linear,
// fast_attention, ops_fast) do the threading and tiling once for all of them. Thread: pure
// functions on disjoint outputs, any thread of the pool. None fails.

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "kernels/api/op_args.h"

namespace vitrine::kernels::cpu {

/// Scale and sums of 32 activations that were rounded to int8: x ≈ scale·a.
struct Int8Scale {
    float scale;
    float scaleSum;     ///< scale·Σa, for formats with a minimum or an offset
    int32_t offset[2];  ///< −32·Σa of the first and second 16, for six-bit codes
};

/// The rounded activations of up to 64 tokens, block by block. A block whose peak stands far above
/// its row (the massive activations of a few channels) leaves a large rounding error in the other
/// 31 values; it gets a second, fine plane that holds the error, rounded again. On SmolLM2 this
/// concerns one block in twenty and halves the error of the logits. Source of the observation: Sun
/// et al. 2024, "Massive Activations in Large Language Models".
struct Int8Tile {
    int8_t* a;              ///< [block of 32, tok, 32]
    Int8Scale* scales;      ///< [block, tok]
    int8_t* fineA;          ///< as a; written only where there is a fine plane
    Int8Scale* fineScales;  ///< as scales; scale 0 = no fine plane
    uint64_t* fine;         ///< [block] bit t = token t has a fine plane

    /// The planes of one token: pointers to its first block, the strides are nTok blocks.
    Int8Tile token(int64_t tok) const noexcept {
        return {a + 32 * tok, scales + tok, fineA + 32 * tok, fineScales + tok, fine};
    }
};

/// A block is fine when its peak is more than this many times the root mean square of its row.
inline constexpr float kFineRatio = 8.0f;

/// The same tile from its next block on.
inline Int8Tile nextBlock(const Int8Tile& tile, int nTok) noexcept {
    return {tile.a + 32 * nTok, tile.scales + nTok, tile.fineA + 32 * nTok, tile.fineScales + nTok,
            tile.fine + 1};
}

/// Scale above which a block of a row gets a fine plane; NaN (never) when the row is not finite.
inline float fineLimit(float sumOfSquares, int64_t nCols) noexcept {
    return std::sqrt(sumOfSquares / static_cast<float>(nCols)) * (kFineRatio / 127.0f);
}

/// One head's rows of queries against a run of keys, with the running softmax kept outside, so that
/// keys may come in several runs.
struct AttendTile {
    const KvLayerView* kv;
    int kvHead;
    int nRows;
    const float* const* q;      ///< [row] → [headDim]
    const int64_t* query;       ///< [row] position
    int64_t firstKey, lastKey;  ///< keys firstKey…lastKey−1; firstKey is a multiple of kKeyBlock
    float scale, softcap;
    int window;
    float* acc;      ///< [row, accStride(headDim)] Σ weight·v, relative to `largest`; in and out
    float* largest;  ///< [row] largest score so far, −∞ = none yet; in and out
    float* sum;      ///< [row] Σ weight; in and out
    float* scratch;  ///< attendScratch(headDim, nRows) floats, 64-byte aligned
};

inline constexpr int kKeyBlock = 64;

constexpr int64_t accStride(int headDim) {
    return (headDim + 15) / 16 * 16;
}

/// Floats: q [row, d], Kᵀ [d, key], V [key, accStride], scores [row, key].
constexpr int64_t attendScratch(int headDim, int nRows) {
    return nRows * accStride(headDim) + 2 * kKeyBlock * accStride(headDim) +
           int64_t{nRows} * kKeyBlock;
}

/// Neighbouring groups of 8 packed rows: 1, 2 or 4.
struct PackedGroups {
    const void* first;
    size_t bytes;  ///< from one group to the next
    int count;     ///< 1…Kernels::groupsAtOnce
};

/// The most groups that any instruction set takes at once.
inline constexpr int kMaxGroupsAtOnce = 4;

struct Kernels {
    const char* isa;
    int groupsAtOnce;  ///< groups that packedRows takes in one call

    /// Rounds one token's nCols activations to int8, a scale per 32, into the planes of `token`
    /// (from Int8Tile::token, of a tile of nTok tokens). `fine` is left to the caller.
    void (*quantizeRow)(const float* x, int64_t nCols, const Int8Tile& token, int nTok);
    /// y[tok, 8·groups.count] = packed rows · nTok tokens.
    void (*packedRows)(DType type, const PackedGroups& groups, int64_t nCols, const Int8Tile& tile,
                       int nTok, float* y);

    /// One row as stored → float32.
    void (*widenRow)(DType type, const void* src, float* dst, int64_t nCols);
    /// out[row·3 + tok] = w_row · x_tok for nRows ≤ 4, nTok ≤ 3.
    void (*dotTile)(const float* w, int64_t wStride, int nRows, const float* x, int64_t xStride,
                    int nTok, int64_t n, float* out);

    /// The same sums for one token and rows of F32, F16 or BF16 as stored; false for others.
    bool (*dotStored)(DType type, const void* rows, int nRows, const float* x, int64_t n,
                      float* out);

    void (*rmsNormRow)(const float* x, const float* weight, float* out, int dim, float eps);
    void (*ropeHeads)(float* x, int nHeads, int headDim, int rotaryDim, const float* cosSin,
                      RopePairing pairing);
    /// [Activation]: out = f(x)·times; times may be null.
    void (*activate[3])(const float* x, const float* times, float* out, int64_t n);
    void (*narrowRow)(const float* src, uint16_t* dst, int64_t n);  ///< to f16
    void (*layerNormRow)(const float* x, const float* weight, const float* bias, float* out,
                         int dim, float eps);
    void (*addScaled)(const float* x, float* y, float scale, int64_t n);
    void (*scaleCap)(float* x, int64_t n, float scale, float softcap);

    void (*attend)(const AttendTile& tile);
    /// exp(score − lse) for rows as in AttendTile; out[row·outStride + key − firstKey].
    void (*attendWeights)(const AttendTile& tile, const float* lse, float* out, int64_t outStride);
    /// Merges the softmax state of more keys (part) into one row's state. n = accStride.
    void (*mergeRow)(float* acc, float* largest, float* sum, const float* accPart,
                     float largestPart, float sumPart, int64_t n);
};

const Kernels& scalarKernels() noexcept;
const Kernels* avx2Kernels() noexcept;    ///< null where the program was built for another machine
const Kernels* avx512Kernels() noexcept;  ///< the same

}  // namespace vitrine::kernels::cpu
