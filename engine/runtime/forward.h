#pragma once
// The forward pass as a resumable loop over layers: begin a chunk, run its layers one by one, then
// the head for the positions wanted. Rows count as cached only when the caller commits them after
// the last layer. Thread: the engine thread.

#include <atomic>
#include <memory>
#include <span>
#include <vector>

#include "engine/base/result.h"
#include "engine/model/model.h"
#include "engine/runtime/kv_pages.h"
#include "engine/runtime/observer.h"

namespace vitrine::engine {

/// Largest chunk of a prefill: one layer of it is 10–90 ms on two AVX2 cores.
inline constexpr int32_t kChunkTokens = 256;

class Forward {
public:
    /// Fails: OutOfMemory.
    static Result<std::unique_ptr<Forward>> create(const Model& model, KvPages& kv,
                                                   const kernels::Backend* backend,
                                                   kernels::Context* context, Observer& observer,
                                                   const std::atomic<bool>* cancel);
    ~Forward();
    Forward(const Forward&) = delete;
    Forward& operator=(const Forward&) = delete;

    /// Embeds ids (1…256 tokens) for positions firstPos… . Requires: the KV pages are grown for
    /// them. Fails: OutOfMemory.
    Result<void> begin(std::span<const TokenId> ids, int32_t firstPos);
    /// Runs the next layer. True = that was the last. Fails: Cancelled.
    Result<bool> layer();

    int32_t layersDone() const { return nextLayer_; }

    int32_t chunkFirst() const { return firstPos_; }

    int32_t chunkTokens() const { return nTok_; }

    /// Final norm and head for the chunk's positions from `firstRow` on: float32 [rows, vocab],
    /// valid until the next call. At most kHeadRows rows at a time. Requires: all layers are done.
    /// Fails: Cancelled.
    Result<std::span<const float>> head(int32_t firstRow, int32_t nRows);
    static constexpr int32_t kHeadRows = 16;

    uint64_t activationBytes() const { return activationBytes_; }

private:
    Forward(const Model& model, KvPages& kv, const kernels::Backend* backend,
            kernels::Context* context, Observer& observer, const std::atomic<bool>* cancel);
    Result<float*> allocate(int64_t nValues);
    Result<void> ensureRope(int32_t nPositions);
    void attentionBlock(int32_t layer);
    void feedForwardBlock(int32_t layer);
    void keepCapture(int32_t layer);

    bool isCancelled() const {
        return cancel_ != nullptr && cancel_->load(std::memory_order_relaxed);
    }

    uint64_t attentionFlops() const;

    /// Runs `op`, timing it when op times are asked for.
    template <class Op>
    void timed(observe::OpClass opClass, int32_t layer, uint64_t bytes, uint64_t flops, Op&& op);

    const Model& model_;
    const ModelConfig& config_;
    KvPages& kv_;
    const kernels::Backend* backend_;
    kernels::Context* context_;
    Observer& observer_;
    const std::atomic<bool>* cancel_;

    std::vector<std::pair<float*, size_t>> buffers_;
    uint64_t activationBytes_ = 0;
    float* x_ = nullptr;       // [chunk, dim] residual stream
    float* normed_ = nullptr;  // [chunk, dim]
    float* q_ = nullptr;       // [chunk, head, d]
    float* k_ = nullptr;       // [chunk, kvHead, d]
    float* v_ = nullptr;       // [chunk, kvHead, d]
    float* mixed_ = nullptr;   // [chunk, head, d]
    float* gate_ = nullptr;    // [chunk, ffDim]
    float* up_ = nullptr;      // [chunk, ffDim]
    float* lse_ = nullptr;     // [head, chunk]
    float* logits_ = nullptr;  // [kHeadRows, vocab]
    float* rope_ = nullptr;    // [ropePositions, rope.dim/2, 2]
    size_t ropeBytes_ = 0;
    int32_t ropePositions_ = 0;

    std::vector<int32_t> ids_;
    int32_t firstPos_ = 0, nTok_ = 0, nextLayer_ = 0;
};

}  // namespace vitrine::engine
