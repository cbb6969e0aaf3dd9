// Layout: activations are [tok, feature] float32. Per layer two blocks, each norm → projections →
// mix → projection added to the residual stream; Q, K, V and gate, up are one pass each over the
// same input. Derived bytes count weights once and K, V as read.

#include "engine/runtime/forward.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "engine/runtime/engine_thread.h"

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
      cancel_(cancel) {}

Forward::~Forward() {
    for (const auto& [data, sizeBytes] : buffers_) backend_->release(context_, data, sizeBytes);
    if (rope_ != nullptr) backend_->release(context_, rope_, ropeBytes_);
}

Result<float*> Forward::allocate(int64_t nValues) {
    const size_t sizeBytes = static_cast<size_t>(nValues) * sizeof(float);
    auto* data = static_cast<float*>(backend_->alloc(context_, sizeBytes));
    if (data == nullptr)
        return makeError(Errc::OutOfMemory,
                         "There is not enough memory for the activations; close other programs.");
    buffers_.emplace_back(data, sizeBytes);
    activationBytes_ += sizeBytes;
    return data;
}

Result<std::unique_ptr<Forward>> Forward::create(const Model& model, KvPages& kv,
                                                 const kernels::Backend* backend,
                                                 kernels::Context* context, Observer& observer,
                                                 const std::atomic<bool>* cancel) {
    std::unique_ptr<Forward> forward(new Forward(model, kv, backend, context, observer, cancel));
    const ModelConfig& c = model.config();
    const int64_t chunk = std::min(kChunkTokens, c.trainedContext);
    const int64_t qWidth = int64_t{c.nHeads} * c.headDim;
    const int64_t kvWidth = int64_t{c.nKvHeads} * c.headDim;

    struct Buffer {
        float** target;
        int64_t nValues;
    };

    const Buffer buffers[] = {
        {&forward->x_, chunk * c.dim},      {&forward->normed_, chunk * c.dim},
        {&forward->q_, chunk * qWidth},     {&forward->k_, chunk * kvWidth},
        {&forward->v_, chunk * kvWidth},    {&forward->mixed_, chunk * qWidth},
        {&forward->gate_, chunk * c.ffDim}, {&forward->up_, chunk * c.ffDim},
        {&forward->lse_, chunk * c.nHeads}, {&forward->logits_, int64_t{kHeadRows} * c.vocab},
    };
    for (const Buffer& buffer : buffers) {
        auto data = forward->allocate(buffer.nValues);
        if (!data) return std::move(data).error();
        *buffer.target = *data;
    }
    return forward;
}

Result<void> Forward::ensureRope(int32_t nPositions) {
    if (nPositions <= ropePositions_) return {};
    // Grown by doubling: a table for the whole trained context can be larger than a small model's
    // cache.
    const int32_t half = config_.rope.dim / 2;
    const int32_t positions = std::max({nPositions, 2 * ropePositions_, 1024});
    const size_t sizeBytes =
        static_cast<size_t>(positions) * static_cast<size_t>(half) * 2 * sizeof(float);
    auto* table = static_cast<float*>(backend_->alloc(context_, sizeBytes));
    if (table == nullptr)
        return makeError(Errc::OutOfMemory, "There is not enough memory for the position table.");
    std::vector<float> host(static_cast<size_t>(positions) * static_cast<size_t>(half) * 2);
    for (int32_t i = 0; i < half; ++i) {
        // Su et al. 2021 (RoFormer), eq. 15: θ_i = base^(−2i/d); llama-3.1's factors divide it.
        double theta = std::pow(config_.rope.base, -2.0 * i / config_.rope.dim);
        theta /= config_.rope.linearFactor;
        if (!config_.rope.freqDivisors.empty())
            theta /= static_cast<double>(config_.rope.freqDivisors[static_cast<size_t>(i)]);
        for (int32_t pos = 0; pos < positions; ++pos) {
            float* pair =
                host.data() +
                (static_cast<size_t>(pos) * static_cast<size_t>(half) + static_cast<size_t>(i)) * 2;
            pair[0] = static_cast<float>(std::cos(pos * theta));
            pair[1] = static_cast<float>(std::sin(pos * theta));
        }
    }
    backend_->upload(context_, table, host.data(), sizeBytes);
    if (rope_ != nullptr) backend_->release(context_, rope_, ropeBytes_);
    activationBytes_ += sizeBytes - ropeBytes_;
    rope_ = table;
    ropeBytes_ = sizeBytes;
    ropePositions_ = positions;
    return {};
}

template <class Op>
void Forward::timed(OpClass opClass, int32_t layer, uint64_t bytes, uint64_t flops, Op&& op) {
    if (!observer_.timesOps()) {
        op();
        return;
    }
    const int64_t begin = steadyNowNs();
    op();
    observer_.record(opClass, layer, firstPos_, nTok_, begin, steadyNowNs(), bytes, flops);
}

uint64_t Forward::attentionFlops() const {
    // Two products of 2·d per visible key: 4·n_q·d_h·Σ(keys), the causal sum with the diagonal.
    const auto n = static_cast<uint64_t>(nTok_), c = static_cast<uint64_t>(firstPos_);
    return 4 * static_cast<uint64_t>(config_.nHeads) * static_cast<uint64_t>(config_.headDim) *
           (n * c + n * (n + 1) / 2);
}

Result<void> Forward::begin(std::span<const TokenId> ids, int32_t firstPos) {
    VITRINE_CHECK(!ids.empty() && ids.size() <= static_cast<size_t>(kChunkTokens));
    auto rope = ensureRope(firstPos + static_cast<int32_t>(ids.size()));
    if (!rope) return rope;
    ids_.clear();
    for (TokenId id : ids) ids_.push_back(id.value);
    firstPos_ = firstPos;
    nTok_ = static_cast<int32_t>(ids.size());
    nextLayer_ = 0;
    kv_.prepareCapture(firstPos_, nTok_, observer_.taps().qStore);
    timed(OpClass::Embed, -1, 0, 0, [&] {
        backend_->embed(context_, {model_.tokenEmbedding(), ids_.data(), nTok_, x_});
    });
    return {};
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

    timed(OpClass::Norm, layer, 0, 0, [&] {
        backend_->rmsNorm(context_, {x_, w.attnNorm, normed_, nTok_, config_.dim, config_.rmsEps});
    });
    timed(OpClass::QkvProjection, layer, bytes.qkv, 2 * n * dim * (qWidth + 2 * kvWidth), [&] {
        backend_->linear(
            context_,
            {normed_, nTok_, 3, {w.q, w.k, w.v}, {w.qBias, w.kBias, w.vBias}, {q_, k_, v_}, false});
    });
    timed(OpClass::Rope, layer, 0, 0, [&] {
        const RopeConfig& rope = config_.rope;
        backend_->rope(context_,
                       {q_, nTok_, config_.nHeads, d, rope.dim, rope_, firstPos_, rope.pairing});
        backend_->rope(context_,
                       {k_, nTok_, config_.nKvHeads, d, rope.dim, rope_, firstPos_, rope.pairing});
    });
    timed(OpClass::KvStore, layer, n * kv_.bytesPerToken() / static_cast<uint64_t>(config_.nLayers),
          0, [&] {
              backend_->kvStore(context_, {k_, v_, nTok_, firstPos_, kv});
          });
    const uint64_t kvRead = (static_cast<uint64_t>(firstPos_) + n) * kv_.bytesPerToken() /
                            static_cast<uint64_t>(config_.nLayers);
    timed(OpClass::Attention, layer, kvRead, attentionFlops(), [&] {
        backend_->attention(context_,
                            {q_, nTok_, config_.nHeads, firstPos_, config_.attentionScale,
                             config_.block.softcap, config_.block.window, kv, mixed_, lse_, nTok_});
        keepCapture(layer);
    });
    timed(OpClass::OutProjection, layer, bytes.out, 2 * n * dim * qWidth, [&] {
        backend_->linear(context_, {mixed_, nTok_, 1, {w.out}, {nullptr}, {x_}, true});
    });
}

void Forward::feedForwardBlock(int32_t layer) {
    const LayerWeights& w = model_.layer(layer);
    const auto n = static_cast<uint64_t>(nTok_);
    const uint64_t flops =
        6 * n * static_cast<uint64_t>(config_.dim) * static_cast<uint64_t>(config_.ffDim);
    timed(OpClass::Norm, layer, 0, 0, [&] {
        backend_->rmsNorm(context_, {x_, w.ffnNorm, normed_, nTok_, config_.dim, config_.rmsEps});
    });
    timed(OpClass::FeedForward, layer, model_.layerBytes(layer).ffn, flops, [&] {
        backend_->linear(
            context_, {normed_, nTok_, 2, {w.gate, w.up}, {nullptr, nullptr}, {gate_, up_}, false});
        backend_->siluMul(context_, {gate_, up_, gate_, int64_t{nTok_} * config_.ffDim});
        backend_->linear(context_, {gate_, nTok_, 1, {w.down}, {nullptr}, {x_}, true});
    });
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
            lse[row] = lse_[head * nTok_ + t];
            if (q != nullptr)
                std::memcpy(q + row * d,
                            q_ + (static_cast<size_t>(t) * static_cast<size_t>(config_.nHeads) +
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
    const float* x = x_ + int64_t{firstRow} * config_.dim;
    const uint64_t flops = 2 * static_cast<uint64_t>(nRows) * static_cast<uint64_t>(config_.dim) *
                           static_cast<uint64_t>(config_.vocab);
    timed(OpClass::Head, -1, model_.headBytes(), flops, [&] {
        backend_->rmsNorm(context_,
                          {x, model_.outputNorm(), normed_, nRows, config_.dim, config_.rmsEps});
        backend_->linear(context_,
                         {normed_, nRows, 1, {model_.output()}, {nullptr}, {logits_}, false});
    });
    if (isCancelled()) return makeError(Errc::Cancelled, "Stopped.");
    return std::span<const float>(logits_,
                                  static_cast<size_t>(nRows) * static_cast<size_t>(config_.vocab));
}

}  // namespace vitrine::engine
