#include "engine/plan/model_shape.h"

#include <algorithm>

namespace vitrine::engine {

namespace {

/// Far above any model; what is beyond would only make lists that fill the memory.
constexpr int64_t kMaxLayers = 1 << 16;

Checked gated(const ModelShape& s, int64_t width) {
    return Checked(s.isGated ? 3 : 2) * Checked(s.dim) * Checked(width);
}

Checked attentionOfLayer(const ModelShape& s, const LayerShape& layer) {
    const Checked d(s.dim), nq(s.nHeads);
    if (s.isLatent()) {
        // keyDim counts the rotated part, which K shares between the heads.
        const Checked keys = nq * Checked(s.keyDim), values = nq * Checked(s.valueDim);
        const Checked nope = nq * Checked(std::max<int64_t>(s.keyDim - s.ropeDim, 0));
        const Checked q = s.qRank > 0 ? d * Checked(s.qRank) + Checked(s.qRank) * keys : d * keys;
        return q + d * (Checked(s.kvRank) + Checked(s.ropeDim)) +
               Checked(s.kvRank) * (nope + values) + values * d;
    }
    const Checked kv(layer.nKvHeads);
    if (layer.nKvHeads == 0) return {};
    return d * nq * Checked(s.keyDim) + nq * Checked(s.valueDim) * d +
           d * kv * (Checked(s.keyDim) + Checked(s.valueDim));
}

Checked vectorsOfLayer(const ModelShape& s, const LayerShape& layer, bool hasExperts) {
    const Checked d(s.dim), nq(s.nHeads), kv(layer.nKvHeads);
    Checked sum = Checked(s.nNormsPerLayer) * d * Checked(s.hasNormBias ? 2 : 1);
    if (s.hasQkNorm) sum += (s.isQkNormWide ? nq + kv : Checked(2)) * Checked(s.keyDim);
    if (s.isLatent()) sum += Checked(s.qRank) + Checked(s.kvRank);  // their norms
    if (s.hasQkvBias)
        sum += nq * Checked(s.keyDim) + kv * (Checked(s.keyDim) + Checked(s.valueDim));
    if (s.hasOutBias) sum += d;
    if (s.hasFfBias && !hasExperts) sum += Checked(s.isGated ? 2 : 1) * Checked(s.ffDim) + d;
    if (hasExperts && s.hasExpertBias) sum += Checked(s.nExperts);
    return sum;
}

}  // namespace

int64_t ModelShape::nWindowedLayers() const {
    return std::count_if(layers.begin(), layers.end(),
                         [](const LayerShape& layer) { return layer.window > 0; });
}

Result<void> checkShape(const ModelShape& s) {
    const auto bad = [](const std::string& what, int64_t value) {
        return makeError(Errc::InvalidArgument, "A model cannot have " + std::to_string(value) +
                                                    " " + what + "; check the configuration.");
    };
    if (s.nLayers < 1 || s.nLayers > kMaxLayers) return bad("layers", s.nLayers);
    if (s.dim < 1) return bad("as its width", s.dim);
    if (s.nHeads < 1) return bad("attention heads", s.nHeads);
    if (s.keyDim < 1 || s.valueDim < 1)
        return bad("as its head size", std::min(s.keyDim, s.valueDim));
    if (s.vocab < 0 || s.ffDim < 0) return bad("as a width", std::min(s.vocab, s.ffDim));
    if (!s.layers.empty() && static_cast<int64_t>(s.layers.size()) != s.nLayers)
        return bad("entries in a list per layer", static_cast<int64_t>(s.layers.size()));
    if (s.kvRank < 0 || s.ropeDim < 0 || s.qRank < 0) return bad("as a rank", s.kvRank);
    if (s.nExperts < 0 || s.nExpertsUsed < 0 || s.nExpertsUsed > s.nExperts)
        return bad("experts in use", s.nExpertsUsed);
    if (s.isLatent()) return {};
    for (int64_t i = 0; i < (s.layers.empty() ? 1 : s.nLayers); ++i) {
        const LayerShape layer = s.layer(i);
        if (layer.window < 0) return bad("as a window", layer.window);
        if (layer.nKvHeads < 0 || layer.nKvHeads > s.nHeads ||
            (layer.nKvHeads == 0 && s.layers.empty()))
            return bad("KV heads", layer.nKvHeads);
        if (layer.nKvHeads > 0 && s.nHeads % layer.nKvHeads != 0)
            return bad("KV heads: they do not divide its attention heads", layer.nKvHeads);
    }
    return {};
}

Checked ParameterCount::total(bool isTied) const {
    return attention + feedForward + vectors + embedding + (isTied ? Checked() : head);
}

ParameterCount countParameters(const ModelShape& s) {
    ParameterCount count;
    for (int64_t i = 0; i < s.nLayers; ++i) {
        const LayerShape layer = s.layer(i);
        const bool hasExperts = s.nExperts > 0 && i >= s.nDenseLayers;
        count.attention += attentionOfLayer(s, layer);
        count.vectors += vectorsOfLayer(s, layer, hasExperts);
        if (!hasExperts) {
            count.feedForward += gated(s, s.ffDim);
            count.feedForwardActive += gated(s, s.ffDim);
            continue;
        }
        const Checked router = Checked(s.dim) * Checked(s.nExperts);
        const Checked one = gated(s, s.expertFfDim);
        const Checked fixed = router + one * Checked(s.nSharedExperts);
        count.feedForward += fixed + one * Checked(s.nExperts);
        count.feedForwardActive += fixed + one * Checked(s.nExpertsUsed);
    }
    count.vectors += Checked(s.dim) * Checked(s.hasNormBias ? 2 : 1);
    count.head = Checked(s.vocab) * Checked(s.dim);
    count.embedding = count.head + Checked(s.nPositions) * Checked(s.dim);
    return count;
}

ModelShape withAttention(const ModelShape& shape, AttentionKind kind, int64_t nKvHeads,
                         int64_t kvRank, int64_t ropeDim) {
    ModelShape out = shape;
    if (kind == AttentionKind::AsIs) return out;
    const auto setHeads = [&out](int64_t n) {
        out.nKvHeads = n;
        out.kvRank = 0;
        for (LayerShape& layer : out.layers)
            if (layer.nKvHeads > 0) layer.nKvHeads = n;
    };
    switch (kind) {
        case AttentionKind::AsIs: break;
        case AttentionKind::Mha: setHeads(shape.nHeads); break;
        case AttentionKind::Mqa: setHeads(1); break;
        case AttentionKind::Gqa:
            setHeads(nKvHeads > 0 ? nKvHeads : std::max<int64_t>(shape.nHeads / 4, 1));
            break;
        case AttentionKind::Mla:
            out.kvRank = kvRank > 0 ? kvRank : 512;
            out.ropeDim = ropeDim > 0 ? ropeDim : 64;
            break;
    }
    return out;
}

AttentionKind attentionKindOf(const ModelShape& shape) {
    if (shape.isLatent()) return AttentionKind::Mla;
    if (shape.nKvHeads == shape.nHeads) return AttentionKind::Mha;
    return shape.nKvHeads == 1 ? AttentionKind::Mqa : AttentionKind::Gqa;
}

const char* attentionKindName(AttentionKind kind) noexcept {
    switch (kind) {
        case AttentionKind::AsIs: return "as is";
        case AttentionKind::Mha: return "MHA";
        case AttentionKind::Gqa: return "GQA";
        case AttentionKind::Mqa: return "MQA";
        case AttentionKind::Mla: return "MLA";
    }
    return "";
}

}  // namespace vitrine::engine
