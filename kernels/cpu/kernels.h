#pragma once
// The inner loops of the fast mode, one table per instruction set. The drivers (fast_linear,
// fast_attention, ops_fast) do the threading and tiling once for all of them. Thread: pure
// functions on disjoint outputs, any thread of the pool. None fails.

#include <cstdint>

#include "kernels/api/op_args.h"

namespace vitrine::kernels::cpu {

/// Scale and sums of 32 activations that were rounded to int8: x ≈ scale·a.
struct Int8Scale {
    float scale;
    float scaleSum;     ///< scale·Σa, for formats with a minimum or an offset
    int32_t offset[2];  ///< −32·Σa of the first and second 16, for six-bit codes
};

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

struct Kernels {
    const char* isa;

    /// Rounds one token's nCols activations to int8, a scale per 32. Block b goes to a + b·aStride
    /// and scales + b·scaleStride.
    void (*quantizeRow)(const float* x, int64_t nCols, int8_t* a, int64_t aStride,
                        Int8Scale* scales, int64_t scaleStride);
    /// y[tok, 8] = 8 packed rows · nTok tokens. a: [block of 32, tok, 32], scales: [block, tok].
    void (*packedRows)(DType type, const void* group, int64_t nCols, const int8_t* a,
                       const Int8Scale* scales, int nTok, float* y);

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
    void (*siluMul)(const float* gate, const float* up, float* out, int64_t n);
    void (*narrowRow)(const float* src, uint16_t* dst, int64_t n);  ///< to f16

    void (*attend)(const AttendTile& tile);
    /// exp(score − lse) for rows as in AttendTile; out[row·outStride + key − firstKey].
    void (*attendWeights)(const AttendTile& tile, const float* lse, float* out, int64_t outStride);
    /// Merges the softmax state of more keys (part) into one row's state. n = accStride.
    void (*mergeRow)(float* acc, float* largest, float* sum, const float* accPart,
                     float largestPart, float sumPart, int64_t n);
};

const Kernels& scalarKernels() noexcept;
const Kernels* avx2Kernels() noexcept;  ///< null where the program was built for another machine

}  // namespace vitrine::kernels::cpu
