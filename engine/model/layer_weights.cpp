#include "engine/model/layer_weights.h"

namespace vitrine::engine {

namespace {

SlotInfo matrix(int64_t nRows, int64_t nCols, kernels::Matrix* LayerWeights::*target, ByteUse use) {
    SlotInfo info;
    info.nRows = nRows;
    info.nCols = nCols;
    info.matrix = target;
    info.use = use;
    info.isMatrix = true;
    return info;
}

SlotInfo experts(int64_t nRows, int64_t nCols,
                 std::vector<kernels::Matrix*> LayerWeights::*target) {
    SlotInfo info = matrix(nRows, nCols, nullptr, ByteUse::Experts);
    info.experts = target;
    return info;
}

SlotInfo vector(int64_t n, float* LayerWeights::*target) {
    SlotInfo info;
    info.nRows = 1;
    info.nCols = n;
    info.vector = target;
    return info;
}

}  // namespace

SlotInfo slotInfo(const ModelConfig& c, Slot slot) {
    using L = LayerWeights;
    const int64_t qRows = int64_t{c.nHeads} * c.headDim;
    const int64_t kvRows = int64_t{c.nKvHeads} * c.headDim;
    const bool isPerHead = c.block.qkNorm == QkNorm::PerHead;
    switch (slot) {
        case Slot::TokenEmbedding:
        case Slot::Output: return matrix(c.vocab, c.dim, nullptr, ByteUse::None);
        case Slot::PositionEmbedding:
            return matrix(c.trainedContext, c.dim, nullptr, ByteUse::None);
        case Slot::OutputNorm:
        case Slot::OutputNormBias: return vector(c.dim, nullptr);
        case Slot::RopeFreqs:
        case Slot::RopeFactorsShort:
        case Slot::RopeFactorsLong: return vector(c.rope.dim / 2, nullptr);
        case Slot::AttnNorm: return vector(c.dim, &L::attnNorm);
        case Slot::AttnNormBias: return vector(c.dim, &L::attnNormBias);
        case Slot::AttnQ: return matrix(qRows, c.dim, &L::q, ByteUse::Qkv);
        case Slot::AttnK: return matrix(kvRows, c.dim, &L::k, ByteUse::Qkv);
        case Slot::AttnV: return matrix(kvRows, c.dim, &L::v, ByteUse::Qkv);
        case Slot::AttnQBias: return vector(qRows, &L::qBias);
        case Slot::AttnKBias: return vector(kvRows, &L::kBias);
        case Slot::AttnVBias: return vector(kvRows, &L::vBias);
        case Slot::AttnQNorm: return vector(isPerHead ? c.headDim : qRows, &L::qNorm);
        case Slot::AttnKNorm: return vector(isPerHead ? c.headDim : kvRows, &L::kNorm);
        case Slot::AttnOut: return matrix(c.dim, qRows, &L::out, ByteUse::Out);
        case Slot::AttnOutBias: return vector(c.dim, &L::outBias);
        case Slot::AttnPostNorm: return vector(c.dim, &L::attnPostNorm);
        case Slot::FfnNorm: return vector(c.dim, &L::ffnNorm);
        case Slot::FfnNormBias: return vector(c.dim, &L::ffnNormBias);
        case Slot::FfnGate: return matrix(c.ffDim, c.dim, &L::gate, ByteUse::FeedForward);
        case Slot::FfnUp: return matrix(c.ffDim, c.dim, &L::up, ByteUse::FeedForward);
        case Slot::FfnDown: return matrix(c.dim, c.ffDim, &L::down, ByteUse::FeedForward);
        case Slot::FfnGateBias: return vector(c.ffDim, &L::gateBias);
        case Slot::FfnUpBias: return vector(c.ffDim, &L::upBias);
        case Slot::FfnDownBias: return vector(c.dim, &L::downBias);
        case Slot::FfnPostNorm: return vector(c.dim, &L::ffnPostNorm);
        case Slot::Router: return matrix(c.experts.count, c.dim, &L::router, ByteUse::FeedForward);
        case Slot::FfnGateExperts: return experts(c.experts.ffDim, c.dim, &L::gateExperts);
        case Slot::FfnUpExperts: return experts(c.experts.ffDim, c.dim, &L::upExperts);
        case Slot::FfnDownExperts: return experts(c.dim, c.experts.ffDim, &L::downExperts);
        case Slot::AttnQkv:
        case Slot::AttnQkvBias:
        case Slot::FfnGateUp: break;
    }
    return {};
}

}  // namespace vitrine::engine
