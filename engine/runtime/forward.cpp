// The loop over layers, the head and what capture keeps. The blocks themselves are in
// forward_blocks.cpp.

#include "engine/runtime/forward.h"

#include <cstring>

namespace vitrine::engine {

using observe::OpClass;

Forward::Forward(const Model& model, KvPages& kv, const kernels::Backend* backend,
                 kernels::Context* context, Observer& observer, const std::atomic<bool>* cancel)
    : model_(model),
      config_(model.config()),
      kv_(kv),
      backend_(backend),
      context_(context),
      observer_(observer),
      cancel_(cancel),
      a_(backend, context),
      rope_(model.config().rope, backend, context) {}

Forward::~Forward() = default;

Result<std::unique_ptr<Forward>> Forward::create(const Model& model, KvPages& kv,
                                                 const kernels::Backend* backend,
                                                 kernels::Context* context, Observer& observer,
                                                 const std::atomic<bool>* cancel) {
    std::unique_ptr<Forward> forward(new Forward(model, kv, backend, context, observer, cancel));
    auto allocated = forward->a_.allocate(model.config());
    if (!allocated) return std::move(allocated).error();
    return forward;
}

Result<void> Forward::begin(std::span<const TokenId> ids, int32_t firstPos, int32_t length) {
    VITRINE_CHECK(!ids.empty() && ids.size() <= static_cast<size_t>(kChunkTokens));
    const auto end = firstPos + static_cast<int32_t>(ids.size());
    VITRINE_CHECK(!config_.hasPositions || end <= config_.trainedContext);
    auto rope = rope_.prepare(end, config_.rope.usesLongDivisors(length));
    if (!rope) return rope;
    ids_.clear();
    positions_.clear();
    for (TokenId id : ids) ids_.push_back(id.value);
    for (int32_t pos = firstPos; pos < end; ++pos) positions_.push_back(pos);
    firstPos_ = firstPos;
    nTok_ = static_cast<int32_t>(ids.size());
    nextLayer_ = 0;
    kv_.prepareCapture(firstPos_, nTok_, observer_.taps().qStore);
    timed(OpClass::Embed, -1, 0, 0, [&] {
        backend_->embed(context_, {model_.tokenEmbedding(), ids_.data(), nTok_, a_.x,
                                   config_.embeddingScale, false});
        if (config_.hasPositions)
            backend_->embed(context_,
                            {model_.positions(), positions_.data(), nTok_, a_.x, 1.0f, true});
    });
    return {};
}

void Forward::keepCapture(int32_t layer) {
    if (isCancelled()) return;
    const auto d = static_cast<size_t>(config_.headDim);
    const auto& pages = kv_.sequence().pages;
    for (int32_t t = 0; t < nTok_; ++t) {
        const int32_t pos = firstPos_ + t;
        const int32_t page = pages[static_cast<size_t>(pos / kPageTokens)];
        const auto slot = static_cast<size_t>(pos % kPageTokens);
        float* lse = kv_.lse(page, layer);
        float* q = kv_.q(page, layer, false);
        for (int32_t head = 0; head < config_.nHeads; ++head) {
            const auto row = static_cast<size_t>(head) * kPageTokens + slot;
            lse[row] = a_.lse[head * nTok_ + t];
            if (q != nullptr)
                std::memcpy(q + row * d,
                            a_.q + (static_cast<size_t>(t) * static_cast<size_t>(config_.nHeads) +
                                    static_cast<size_t>(head)) *
                                       d,
                            d * sizeof(float));
        }
    }
}

Result<bool> Forward::layer() {
    VITRINE_CHECK(nextLayer_ < config_.nLayers);
    const int64_t begin = observer_.timesOps() ? steadyNowNs() : 0;
    attentionBlock(nextLayer_);
    feedForwardBlock(nextLayer_);
    if (isCancelled()) return makeError(Errc::Cancelled, "Stopped.");
    if (observer_.timesOps())
        observer_.record(OpClass::Layer, nextLayer_, firstPos_, nTok_, begin, steadyNowNs(), 0, 0);
    return ++nextLayer_ == config_.nLayers;
}

Result<std::span<const float>> Forward::head(int32_t firstRow, int32_t nRows) {
    VITRINE_CHECK(nRows > 0 && nRows <= kHeadRows && firstRow + nRows <= nTok_);
    const float* x = a_.x + int64_t{firstRow} * config_.dim;
    const uint64_t flops = 2 * static_cast<uint64_t>(nRows) * static_cast<uint64_t>(config_.dim) *
                           static_cast<uint64_t>(config_.vocab);
    timed(OpClass::Head, -1, model_.headBytes(), flops, [&] {
        norm(x, model_.outputNorm(), model_.outputNormBias(), a_.normed, nRows, config_.dim);
        backend_->linear(context_,
                         {a_.normed, nRows, 1, {model_.output()}, {nullptr}, {a_.logits}, false});
        if (config_.logitScale != 1.0f || config_.logitSoftcap != 0.0f)
            backend_->scaleCap(context_, {a_.logits, int64_t{nRows} * config_.vocab,
                                          config_.logitScale, config_.logitSoftcap});
    });
    if (isCancelled()) return makeError(Errc::Cancelled, "Stopped.");
    return std::span<const float>(a_.logits,
                                  static_cast<size_t>(nRows) * static_cast<size_t>(config_.vocab));
}

}  // namespace vitrine::engine
