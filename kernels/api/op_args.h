#pragma once
// Arguments of the ops: plain structs of pointers and sizes. All activations are float32,
// row-major, contiguous unless a stride is named; strides count elements. Pointers are in the
// backend's memory (for the CPU: ordinary memory). Axis names: tok = query token of this call, pos
// = position in the sequence, head, kvHead, d = headDim. Thread: read by the calling (engine)
// thread and by the pool while the op runs.

#include <cstdint>

#include "kernels/api/dtype.h"

namespace vitrine::kernels {

struct Matrix;  // a weight matrix [nRows = outputs, nCols = inputs], owned and laid out by the
                // backend

struct EmbedArgs {
    const Matrix* table;  ///< [vocab, dim]
    const int32_t* ids;   ///< [tok], each in 0…vocab−1
    int32_t nTok;
    float* out;  ///< [tok, dim]
};

struct RmsNormArgs {
    const float* x;       ///< [tok, dim]
    const float* weight;  ///< [dim]
    float* out;           ///< [tok, dim]; may be x
    int32_t nTok;
    int32_t dim;
    float eps;  ///< inside the root, as in Zhang & Sennrich 2019, eq. 4
};

/// y_i = x · W_iᵀ (+ bias_i) for up to three matrices that read the same x (Q, K, V or gate, up):
/// one pass, one barrier.
struct LinearArgs {
    static constexpr int kMaxOutputs = 3;
    const float* x;  ///< [tok, nCols]
    int32_t nTok;
    int32_t nOutputs;
    const Matrix* w[kMaxOutputs];    ///< [nRows_i, nCols]
    const float* bias[kMaxOutputs];  ///< [nRows_i] or null
    float* y[kMaxOutputs];           ///< [tok, nRows_i]; no overlap with x
    bool accumulate;                 ///< y += instead of y = (the residual connection)
};

enum class RopePairing : uint8_t {
    Interleaved /* (2i, 2i+1), llama GGUF */,
    Halves /* (i, i+d/2), NEOX */
};

/// Rotates pairs of the first `rotaryDim` values of each head in place.
struct RopeArgs {
    float* x;  ///< [tok, head, d]
    int32_t nTok, nHeads, headDim, rotaryDim;
    const float*
        cosSin;        ///< [pos, rotaryDim/2, 2] (cos, sin), row 0 = position 0, magnitude included
    int32_t firstPos;  ///< position of tok 0
    RopePairing pairing;
};

/// One layer of the paged KV cache. Page p of the sequence lies at k + pages[p]·pageBytes; inside
/// it [kvHead][slot][d]. Neighbouring page numbers are one contiguous block of memory.
struct KvLayerView {
    void* k;
    void* v;
    DType type;            ///< F32 or F16
    const int32_t* pages;  ///< [ceil(length/pageTokens)] page numbers of the sequence
    int32_t pageTokens;    ///< slots of a page
    int32_t nKvHeads;
    int32_t headDim;
    int64_t pageBytes;  ///< nKvHeads·pageTokens·headDim·sizeof(type)
};

struct KvStoreArgs {
    const float* k;  ///< [tok, kvHead, d], after RoPE
    const float* v;  ///< [tok, kvHead, d]
    int32_t nTok;
    int32_t firstPos;
    KvLayerView kv;
};

/// Causal attention over K and V as stored: query tok t sees positions 0…firstPos+t (and only the
/// last `window` of them). out_t = Σ_j exp(score_j − lse_t) v_j, score_j = cap(scale·q·k_j). Tiles
/// with online softmax, never the square matrix.
struct AttentionArgs {
    const float* q;  ///< [tok, head, d], after RoPE
    int32_t nTok, nHeads;
    int32_t firstPos;
    float scale;
    float softcap;   ///< 0 = none; else cap(x) = softcap·tanh(x/softcap)
    int32_t window;  ///< 0 = none; key visible when query − key < window
    KvLayerView kv;
    float* out;  ///< [tok, head, d]
    float* lse;  ///< [head, lseStride], column t: natural log-sum-exp of the row; null = not wanted
    int64_t lseStride;  ///< ≥ nTok
};

/// A tile of attention probabilities rebuilt from what was kept: A[i, j] = exp(score(q_i, k_j) −
/// lse_i), masked cells = 0.
struct AttentionTileArgs {
    const float* q;    ///< [row, d] of one head (already at stride qStride)
    int64_t qStride;   ///< elements from one row to the next
    const float* lse;  ///< [row]
    int32_t nRows;
    int32_t firstRow;  ///< position of row 0
    int32_t firstKey, nKeys;
    int32_t kvHead;
    float scale, softcap;
    int32_t window;
    KvLayerView kv;
    float* out;  ///< [row, key]
};

struct SiluMulArgs {
    const float* gate;  ///< [n]
    const float* up;    ///< [n]
    float* out;         ///< [n]; may be gate or up; out = gate·sigmoid(gate)·up
    int64_t n;
};

}  // namespace vitrine::kernels
