#pragma once
// The oracle: every op of op_args.h written in the plainest way, one loop per sum, sums in double.
// Tests compare the fast kernels with it; it is never optimised. Thread: pure functions, any
// thread. All functions: shapes as in op_args.h; never fail.

#include "kernels/api/op_args.h"

namespace vitrine::kernels::reference {

/// A weight matrix as stored in a file: row r begins at rows + r·rowBytes(type, nCols).
struct RowMatrix {
    DType type;
    const void* rows;
    int64_t nRows, nCols;

    const void* row(int64_t r) const noexcept {
        return static_cast<const char*>(rows) + static_cast<size_t>(r) * rowBytes(type, nCols);
    }
};

/// ids, nTok, out, scale and accumulate of EmbedArgs. rowBuffer: [nCols] f32.
void embed(const RowMatrix& table, const EmbedArgs& args, float* rowBuffer) noexcept;

/// One output of LinearArgs: y = x·Wᵀ (+ bias), or y += with accumulate. rowBuffer: [nCols] f32.
void linear(const RowMatrix& w, const float* x, int32_t nTok, const float* bias, bool accumulate,
            float* y, float* rowBuffer) noexcept;

void rmsNorm(const RmsNormArgs& args) noexcept;
void rope(const RopeArgs& args) noexcept;
void kvStore(const KvStoreArgs& args) noexcept;
void attention(const AttentionArgs& args) noexcept;
void attentionTile(const AttentionTileArgs& args) noexcept;
void activate(const ActivateArgs& args) noexcept;
void layerNorm(const LayerNormArgs& args) noexcept;
void addScaled(const AddScaledArgs& args) noexcept;
void scaleCap(const ScaleCapArgs& args) noexcept;
void route(const RouteArgs& args) noexcept;

/// One expert's three matrices.
struct ExpertRows {
    RowMatrix gate, up, down;
};

/// ExpertsArgs token by token; its matrices and its room to work in are not looked at. matrices:
/// [expert]. buffer: [dim or ffDim, whichever is larger, + 2·ffDim + dim] f32.
void experts(const ExpertsArgs& args, const ExpertRows* matrices, float* buffer) noexcept;

/// Values first…first+n−1 of the K or V row of one position and head. plane: k or v of `kv`; first
/// and n are multiples of its block size.
void kvValues(const KvLayerView& kv, const KvPlane& plane, int64_t pos, int kvHead, int first,
              int n, float* values) noexcept;

/// cap(scale·q·k) for one key, without the mask. q: [headDim].
double attentionScore(const KvLayerView& kv, const float* q, int64_t key, int kvHead, float scale,
                      float softcap) noexcept;

/// Causal and within the window.
inline bool isVisible(int64_t query, int64_t key, int window) noexcept {
    return key <= query && (window <= 0 || query - key < window);
}

}  // namespace vitrine::kernels::reference
