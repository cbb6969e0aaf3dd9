#pragma once
// The sizes of a transformer, as published, from which memory and arithmetic are predicted: also of
// models that this program cannot run. Thread: plain values and pure functions.

#include <cstdint>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/plan/checked.h"

namespace vitrine::engine {

struct LayerShape {
    int64_t nKvHeads = 0;  ///< 0 = this layer keeps no KV
    int64_t window = 0;    ///< 0 = full attention
};

struct ModelShape {
    std::string name, architecture;
    int64_t nLayers = 0, dim = 0, nHeads = 0, nKvHeads = 0;
    int64_t keyDim = 0, valueDim = 0;  ///< of a head, as published, not dim / nHeads
    int64_t ffDim = 0, vocab = 0;
    int64_t trainedContext = 0;  ///< 0 = not said
    bool isTied = false;         ///< the head is the embedding
    bool isGated = true;         ///< three feed-forward matrices, else two

    // Latent attention (MLA): one vector of kvRank + ropeDim values a token instead of heads.
    int64_t kvRank = 0;   ///< 0 = no latent attention
    int64_t ropeDim = 0;  ///< rotated part of a key, kept beside the latent vector
    int64_t qRank = 0;    ///< 0 = Q is not compressed

    int64_t nExperts = 0, nExpertsUsed = 0, expertFfDim = 0, nSharedExperts = 0;
    int64_t nDenseLayers = 0;        ///< the first layers, without experts
    bool hasExpertBias = false;      ///< one value per expert for choosing
    bool hasQkvBias = false;         ///< of Q, K and V
    bool hasOutBias = false;         ///< of the attention's output
    bool hasFfBias = false;          ///< of the feed-forward
    bool hasNormBias = false;        ///< LayerNorm
    bool hasQkNorm = false;          ///< one weight per value of a head, for Q and for K
    bool isQkNormWide = false;       ///< that norm has a weight per value of all heads instead
    int64_t nNormsPerLayer = 2;      ///< of `dim` values
    int64_t nPositions = 0;          ///< learned positions
    std::vector<LayerShape> layers;  ///< [nLayers], or empty: all full with nKvHeads

    bool isLatent() const { return kvRank > 0; }

    LayerShape layer(int64_t index) const {
        return layers.empty() ? LayerShape{nKvHeads, 0} : layers[static_cast<size_t>(index)];
    }

    int64_t nWindowedLayers() const;
};

/// Refuses what no model can be: sizes below 1, heads that do not divide, lists of another length.
/// Fails: InvalidArgument, naming the number.
Result<void> checkShape(const ModelShape& shape);

/// Weights by where they are read. Sums of all layers.
struct ParameterCount {
    Checked attention;          ///< matrices of attention
    Checked feedForward;        ///< matrices of the feed-forward, all experts and the router
    Checked feedForwardActive;  ///< of these, what one token uses
    Checked vectors;            ///< norms and biases
    Checked embedding;          ///< input embedding and learned positions
    Checked head;               ///< V·d

    /// Every weight once: a tied head is the embedding.
    Checked total(bool isTied) const;

    /// P_blk: the matrices of the layers that one token multiplies with.
    Checked blockActive() const { return attention + feedForwardActive; }

    /// What a decode step reads: everything active but an input embedding that is not the head.
    Checked readPerToken() const { return blockActive() + vectors + head; }
};

/// Requires: checkShape passed.
ParameterCount countParameters(const ModelShape& shape);

enum class AttentionKind { AsIs, Mha, Gqa, Mqa, Mla };

/// The same model with another kind of attention: as many KV heads as heads, `nKvHeads` of them (0
/// = a quarter, at least one; Gqa only), one, or a latent vector of `kvRank` + `ropeDim` values (0
/// = 512 and 64, as published by DeepSeek). Never fails.
ModelShape withAttention(const ModelShape& shape, AttentionKind kind, int64_t nKvHeads = 0,
                         int64_t kvRank = 0, int64_t ropeDim = 0);

/// What the model's attention is: Mha, Gqa, Mqa or Mla. Never fails.
AttentionKind attentionKindOf(const ModelShape& shape);
const char* attentionKindName(AttentionKind kind) noexcept;  ///< "MHA", …

}  // namespace vitrine::engine
