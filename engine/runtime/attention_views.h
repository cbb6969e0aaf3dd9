#pragma once
// Rebuilds attention from what was kept (Q, K as stored, log-sum-exp): tiles for the picture on
// screen and the atlas of all heads. A[i, j] = exp(score(q_i, k_j) − lse_i); nothing of size T×T is
// ever held. Source: design of the kept quantities, FlashAttention (Dao et al. 2022), eq. for the
// row statistics. Thread: the engine thread, between steps.

#include "engine/model/config.h"
#include "engine/runtime/kv_pages.h"
#include "engine/runtime/messages.h"
#include "kernels/api/backend.h"

namespace vitrine::engine {

/// Cells of a reply at most; a request for more is answered with a reason.
inline constexpr int64_t kMaxTileCells = 1 << 20;

class AttentionViews {
public:
    AttentionViews(const ModelConfig& config, KvPages& kv, const kernels::Backend* backend,
                   kernels::Context* context)
        : config_(config), kv_(kv), backend_(backend), context_(context) {}

    /// While a chunk is open: its layers below `layersDone` can be looked at up to position
    /// `nTokens`. (0, 0) = no chunk is open.
    void setOpenChunk(int32_t layersDone, int32_t nTokens) {
        openLayers_ = layersDone;
        openTokens_ = nTokens;
    }

    /// Clips the request to what is cached or done of the open chunk. Rows whose Q was dropped, and
    /// masked cells, are NaN. Never fails: what cannot be computed says why in `notAvailable`.
    TileReply tile(const RequestTile& request);

    /// The atlas in two steps: its size and empty cells for what is cached now, then one layer at a
    /// time. Cells are block maxima, 8-bit logarithmic from 1e−4 to 1. Never fails: an empty cache
    /// says so in `notAvailable`.
    AtlasReply beginAtlas(const RequestAtlas& request) const;
    void fillAtlas(AtlasReply& reply, int32_t layer);

    /// [head, nTokens] of one layer.
    std::vector<float> logSumExp(int32_t layer) const;

private:
    /// Positions of a layer whose K, V, Q and log-sum-exp are there.
    int32_t visibleTokens(int32_t layer) const;
    /// Probabilities of one head: rows [firstRow, +nRows) × keys [firstKey, +nKeys) into out
    /// [nRows, nKeys]; rows without Q become NaN.
    void rows(int32_t layer, int32_t head, int32_t firstRow, int32_t nRows, int32_t firstKey,
              int32_t nKeys, float* out);

    const ModelConfig& config_;
    KvPages& kv_;
    const kernels::Backend* backend_;
    kernels::Context* context_;
    int32_t openLayers_ = 0, openTokens_ = 0;
    std::vector<float> q_, lse_, block_, mean_;
};

}  // namespace vitrine::engine
