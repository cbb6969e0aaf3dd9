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

/// out_t (+)= scale · table[ids_t]: token embeddings, and learned positions added to them.
struct EmbedArgs {
    const Matrix* table;  ///< [vocab, dim]
    const int32_t* ids;   ///< [tok], each in 0…vocab−1
    int32_t nTok;
    float* out;  ///< [tok, dim]
    float scale = 1.0f;
    bool accumulate = false;  ///< out += instead of out =
};

struct RmsNormArgs {
    const float* x;       ///< [tok, dim]
    const float* weight;  ///< [dim]
    float* out;           ///< [tok, dim]; may be x
    int32_t nTok;
    int32_t dim;
    float eps;  ///< inside the root, as in Zhang & Sennrich 2019, eq. 4
};

/// Layer norm: (x − mean)/√(variance + eps)·weight + bias. Source: Ba et al. 2016, eq. 4.
struct LayerNormArgs {
    const float* x;       ///< [tok, dim]
    const float* weight;  ///< [dim]
    const float* bias;    ///< [dim] or null
    float* out;           ///< [tok, dim]; may be x
    int32_t nTok;
    int32_t dim;
    float eps;
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

/// K or V of one layer as stored: a row of headDim values per page, head and slot.
struct KvPlane {
    void* data;
    DType type;         ///< F32, F16, BF16, Q8_0 or Q4_0: see holdsKv
    int64_t rowBytes;   ///< rowBytes(type, headDim)
    int64_t pageBytes;  ///< nKvHeads·pageTokens·rowBytes
};

/// Types that a KV cache may have; those in blocks of 32 want heads of whole blocks.
inline bool holdsKv(DType type, int headDim) noexcept {
    switch (type) {
        case DType::F32:
        case DType::F16:
        case DType::BF16: return true;
        case DType::Q8_0:
        case DType::Q4_0: return headDim % 32 == 0;
        default: return false;
    }
}

/// One layer of the paged KV cache. Page p of the sequence lies at data + pages[p]·pageBytes of its
/// plane; inside it [kvHead][slot][d]. Neighbouring page numbers are one contiguous block of
/// memory.
struct KvLayerView {
    KvPlane k;
    KvPlane v;
    const int32_t* pages;  ///< [ceil(length/pageTokens)] page numbers of the sequence
    int32_t pageTokens;    ///< slots of a page
    int32_t nKvHeads;
    int32_t headDim;
};

/// The row of one position and head. plane: k or v of `kv`.
inline char* kvRow(const KvLayerView& kv, const KvPlane& plane, int64_t pos, int kvHead) noexcept {
    return static_cast<char*>(plane.data) + kv.pages[pos / kv.pageTokens] * plane.pageBytes +
           (int64_t{kvHead} * kv.pageTokens + pos % kv.pageTokens) * plane.rowBytes;
}

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

enum class Activation : uint8_t {
    Silu,     ///< x·sigmoid(x)
    GeluTanh, /**< x/2·(1 + tanh(√(2/π)(x + 0.044715x³))) */
    GeluErf   ///< x/2·(1 + erf(x/√2))
};

/// out = f(x)·times: the gate of a feed-forward, or the plain activation where times is null.
struct ActivateArgs {
    const float* x;      ///< [n]
    const float* times;  ///< [n] or null
    float* out;          ///< [n]; may be x or times
    int64_t n;
    Activation kind;
};

/// y += scale·x: a branch joins the residual stream.
struct AddScaledArgs {
    const float* x;  ///< [n]
    float* y;        ///< [n]
    float scale;
    int64_t n;
};

/// x = cap(scale·x) in place, cap(x) = softcap·tanh(x/softcap): the logits.
struct ScaleCapArgs {
    float* x;  ///< [n]
    int64_t n;
    float scale;
    float softcap;  ///< 0 = no cap
};

/// Which experts a token goes to: the nUsed largest of its logits, equal ones by number. Their
/// weights are their share of the softmax over all experts, or over the chosen ones alone
/// (renormalise), times scale.
struct RouteArgs {
    const float* logits;  ///< [tok, nExperts]
    int32_t nTok, nExperts, nUsed;
    bool renormalise;
    float scale;
    int32_t* experts;  ///< [tok, nUsed], ascending
    float* weights;    ///< [tok, nUsed], of the same expert
};

/// The gated feed-forwards of the chosen experts: out_t = Σ_e weight_te · down_e(f(gate_e x_t) ·
/// up_e x_t), e ascending. Only chosen experts are evaluated, each once for all of its tokens.
struct ExpertsArgs {
    static constexpr int kMaxExperts = 1024;
    const float* x;  ///< [tok, dim]
    int32_t nTok, dim, ffDim, nExperts, nUsed;
    const int32_t* experts;     ///< [tok, nUsed], ascending, no number twice for a token
    const float* weights;       ///< [tok, nUsed]
    const Matrix* const* gate;  ///< [expert] of [ffDim, dim]
    const Matrix* const* up;    ///< [expert] of [ffDim, dim]
    const Matrix* const* down;  ///< [expert] of [dim, ffDim]
    Activation activation;
    float* out;  ///< [tok, dim]; no overlap with x
    // Room to work in:
    int32_t* rows;    ///< [tok·nUsed] the tokens of each expert
    float* gathered;  ///< [tok, dim]
    float* gateOut;   ///< [tok, ffDim]
    float* upOut;     ///< [tok, ffDim]
    float* part;      ///< [tok, dim]
};

}  // namespace vitrine::kernels
