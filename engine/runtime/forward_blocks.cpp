// Layout: activations are [tok, feature] float32. Per layer two blocks, each norm → projections →
// mix → projection added to the residual stream, as the model's BlockSpec says; Q, K, V and gate,
// up are one pass each over the same input. A branch that is added as it stands goes straight into
// the residual stream; one with a norm or a factor of its own takes the way over `branch`. Derived
// bytes count weights once and K, V as read.

#include <algorithm>
#include <set>

#include "engine/runtime/forward.h"

namespace vitrine::engine {

using observe::OpClass;

uint64_t Forward::attentionFlops(int32_t layer) const {
    // Two products of 2·d per visible key: 4·n_q·d_h·Σ(keys), the causal sum with the diagonal, of
    // which a window leaves at most its width per query.
    const auto n = static_cast<uint64_t>(nTok_), first = static_cast<uint64_t>(firstPos_);
    uint64_t keys = n * first + n * (n + 1) / 2;
    if (const auto window = static_cast<uint64_t>(config_.layer(layer).window); window > 0) {
        keys = 0;
        for (uint64_t t = 0; t < n; ++t) keys += std::min(first + t + 1, window);
    }
    return 4 * static_cast<uint64_t>(config_.nHeads) * static_cast<uint64_t>(config_.headDim) *
           keys;
}

uint64_t Forward::attentionBytes(int32_t layer) const {
    const auto n = static_cast<uint64_t>(nTok_);
    uint64_t keys = static_cast<uint64_t>(firstPos_) + n;
    if (const auto window = static_cast<uint64_t>(config_.layer(layer).window); window > 0)
        keys = std::min(keys, n + window - 1);
    return keys * kv_.bytesPerToken() / static_cast<uint64_t>(config_.nLayers);
}

void Forward::norm(const float* x, const float* weight, const float* bias, float* out,
                   int32_t nRows, int32_t width) {
    if (config_.block.norm == NormKind::Layer) {
        backend_->layerNorm(context_, {x, weight, bias, out, nRows, width, config_.normEps});
    } else {
        backend_->rmsNorm(context_, {x, weight, out, nRows, width, config_.normEps});
    }
}

const float* Forward::preNorm(int32_t layer, const float* weight, const float* bias) {
    if (!config_.block.hasPreNorm) return a_.x;
    timed(OpClass::Norm, layer, 0, 0,
          [&] { norm(a_.x, weight, bias, a_.normed, nTok_, config_.dim); });
    return a_.normed;
}

void Forward::normQk(int32_t layer) {
    if (config_.block.qkNorm == QkNorm::None) return;
    const LayerWeights& w = model_.layer(layer);
    const bool isPerHead = config_.block.qkNorm == QkNorm::PerHead;
    timed(OpClass::Norm, layer, 0, 0, [&] {
        const auto one = [&](float* x, const float* weight, int32_t nHeads) {
            const int32_t width = isPerHead ? config_.headDim : nHeads * config_.headDim;
            const int32_t nRows = isPerHead ? nTok_ * nHeads : nTok_;
            backend_->rmsNorm(context_, {x, weight, x, nRows, width, config_.normEps});
        };
        one(a_.q, w.qNorm, config_.nHeads);
        one(a_.k, w.kNorm, config_.nKvHeads);
    });
}

void Forward::rotate(int32_t layer) {
    const RopeConfig& rope = config_.rope;
    if (rope.dim == 0) return;
    const float* angles = rope_.table(config_.layer(layer).usesWindowedAngles);
    timed(OpClass::Rope, layer, 0, 0, [&] {
        backend_->rope(context_, {a_.q, nTok_, config_.nHeads, config_.headDim, rope.dim, angles,
                                  firstPos_, rope.pairing});
        backend_->rope(context_, {a_.k, nTok_, config_.nKvHeads, config_.headDim, rope.dim, angles,
                                  firstPos_, rope.pairing});
    });
}

void Forward::joinBranch(const float* postNorm) {
    if (postNorm != nullptr) norm(a_.branch, postNorm, nullptr, a_.branch, nTok_, config_.dim);
    backend_->addScaled(
        context_, {a_.branch, a_.x, config_.block.residualScale, int64_t{nTok_} * config_.dim});
}

void Forward::branchOut(const float* input, const kernels::Matrix* w, const float* bias,
                        const float* postNorm) {
    const bool isDirect = postNorm == nullptr && config_.block.residualScale == 1.0f;
    float* out = isDirect ? a_.x : a_.branch;
    backend_->linear(context_, {input, nTok_, 1, {w}, {bias}, {out}, isDirect});
    if (!isDirect) joinBranch(postNorm);
}

void Forward::attentionBlock(int32_t layer) {
    const LayerWeights& w = model_.layer(layer);
    const Model::LayerBytes& bytes = model_.layerBytes(layer);
    const auto n = static_cast<uint64_t>(nTok_);
    const int32_t d = config_.headDim;
    const uint64_t qWidth = static_cast<uint64_t>(config_.nHeads) * static_cast<uint64_t>(d);
    const uint64_t kvWidth = static_cast<uint64_t>(config_.nKvHeads) * static_cast<uint64_t>(d);
    const auto dim = static_cast<uint64_t>(config_.dim);
    const kernels::KvLayerView kv = kv_.view(layer);

    const float* input = preNorm(layer, w.attnNorm, w.attnNormBias);
    timed(OpClass::QkvProjection, layer, bytes.qkv, 2 * n * dim * (qWidth + 2 * kvWidth), [&] {
        backend_->linear(context_, {input,
                                    nTok_,
                                    3,
                                    {w.q, w.k, w.v},
                                    {w.qBias, w.kBias, w.vBias},
                                    {a_.q, a_.k, a_.v},
                                    false});
    });
    normQk(layer);
    rotate(layer);
    timed(OpClass::KvStore, layer, n * kv_.bytesPerToken() / static_cast<uint64_t>(config_.nLayers),
          0, [&] {
              backend_->kvStore(context_, {a_.k, a_.v, nTok_, firstPos_, kv});
          });
    timed(OpClass::Attention, layer, attentionBytes(layer), attentionFlops(layer), [&] {
        backend_->attention(context_, {a_.q, nTok_, config_.nHeads, firstPos_,
                                       config_.attentionScale, config_.block.softcap,
                                       config_.layer(layer).window, kv, a_.mixed, a_.lse, nTok_});
        keepCapture(layer);
    });
    timed(OpClass::OutProjection, layer, bytes.out, 2 * n * dim * qWidth,
          [&] { branchOut(a_.mixed, w.out, w.outBias, w.attnPostNorm); });
}

void Forward::denseFeedForward(int32_t layer, const float* input) {
    const LayerWeights& w = model_.layer(layer);
    const bool isGated = config_.block.feedForward == FeedForward::Gated;
    const int64_t n = int64_t{nTok_} * config_.ffDim;
    if (isGated) {
        backend_->linear(
            context_,
            {input, nTok_, 2, {w.gate, w.up}, {w.gateBias, w.upBias}, {a_.gate, a_.up}, false});
    } else {
        backend_->linear(context_, {input, nTok_, 1, {w.up}, {w.upBias}, {a_.gate}, false});
    }
    backend_->activate(context_,
                       {a_.gate, isGated ? a_.up : nullptr, a_.gate, n, config_.block.activation});
    branchOut(a_.gate, w.down, w.downBias, w.ffnPostNorm);
}

void Forward::expertFeedForward(int32_t layer, const float* input) {
    const LayerWeights& w = model_.layer(layer);
    const ExpertSpec& spec = config_.experts;
    backend_->linear(context_, {input, nTok_, 1, {w.router}, {nullptr}, {a_.routerLogits}, false});
    backend_->route(context_, {a_.routerLogits, nTok_, spec.count, spec.used, spec.renormalise,
                               spec.weightScale, a_.experts, a_.expertWeights});
    kernels::ExpertsArgs args{};
    args.x = input;
    args.nTok = nTok_;
    args.dim = config_.dim;
    args.ffDim = spec.ffDim;
    args.nExperts = spec.count;
    args.nUsed = spec.used;
    args.experts = a_.experts;
    args.weights = a_.expertWeights;
    args.gate = w.gateExperts.data();
    args.up = w.upExperts.data();
    args.down = w.downExperts.data();
    args.activation = config_.block.activation;
    args.out = a_.branch;
    args.rows = a_.expertRows;
    args.gathered = a_.gathered;
    args.gateOut = a_.gate;
    args.upOut = a_.up;
    args.part = a_.part;
    backend_->experts(context_, args);
    joinBranch(w.ffnPostNorm);
}

uint64_t Forward::expertBytesRead(int32_t layer) const {
    const ExpertSpec& spec = config_.experts;
    const auto nChoices = static_cast<size_t>(nTok_) * static_cast<size_t>(spec.used);
    std::vector<int32_t> chosen(nChoices);
    backend_->download(context_, chosen.data(), a_.experts, nChoices * sizeof(int32_t));
    const std::set<int32_t> distinct(chosen.begin(), chosen.end());
    return model_.layerBytes(layer).experts / static_cast<uint64_t>(spec.count) * distinct.size();
}

void Forward::feedForwardBlock(int32_t layer) {
    const LayerWeights& w = model_.layer(layer);
    const bool hasExperts = config_.block.feedForward == FeedForward::Experts;
    const auto width = static_cast<uint64_t>(
        hasExperts ? config_.experts.used * config_.experts.ffDim : config_.ffDim);
    const uint64_t nMatrices = config_.block.feedForward == FeedForward::Plain ? 2 : 3;
    const uint64_t flops =
        2 * nMatrices * static_cast<uint64_t>(nTok_) * static_cast<uint64_t>(config_.dim) * width;
    const float* input = preNorm(layer, w.ffnNorm, w.ffnNormBias);
    if (!hasExperts) {
        timed(OpClass::FeedForward, layer, model_.layerBytes(layer).ffn, flops,
              [&] { denseFeedForward(layer, input); });
        return;
    }
    // Which experts were read is known only afterwards.
    const int64_t begin = observer_.timesOps() ? steadyNowNs() : 0;
    expertFeedForward(layer, input);
    if (!observer_.timesOps()) return;
    const int64_t end = steadyNowNs();
    observer_.record(OpClass::FeedForward, layer, firstPos_, nTok_, begin, end,
                     model_.layerBytes(layer).ffn + expertBytesRead(layer), flops);
}

}  // namespace vitrine::engine
