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
#include "engine/runtime/activations.h"
#include "engine/runtime/engine_thread.h"
#include "engine/runtime/kv_pages.h"
#include "engine/runtime/observer.h"
#include "engine/runtime/rope_tables.h"

namespace vitrine::engine {

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

    /// Embeds ids (1…256 tokens) for positions firstPos… of a sequence of `length` tokens (which
    /// chooses LongRoPE's factors). Requires: the KV pages are grown for them. Fails: OutOfMemory.
    Result<void> begin(std::span<const TokenId> ids, int32_t firstPos, int32_t length);
    /// Runs the next layer. True = that was the last. Fails: Cancelled.
    Result<bool> layer();

    int32_t layersDone() const { return nextLayer_; }

    int32_t chunkFirst() const { return firstPos_; }

    int32_t chunkTokens() const { return nTok_; }

    /// Final norm and head for the chunk's positions from `firstRow` on: float32 [rows, vocab],
    /// valid until the next call. At most kHeadRows rows at a time. Requires: all layers are done.
    /// Fails: Cancelled.
    Result<std::span<const float>> head(int32_t firstRow, int32_t nRows);

    uint64_t activationBytes() const { return Activations::bytesFor(config_) + rope_.sizeBytes(); }

private:
    Forward(const Model& model, KvPages& kv, const kernels::Backend* backend,
            kernels::Context* context, Observer& observer, const std::atomic<bool>* cancel);
    void attentionBlock(int32_t layer);
    void feedForwardBlock(int32_t layer);
    // Parts of the blocks, see forward_blocks.cpp.
    void norm(const float* x, const float* weight, const float* bias, float* out, int32_t nRows,
              int32_t width);
    const float* preNorm(int32_t layer, const float* weight, const float* bias);
    void normQk(int32_t layer);
    void rotate(int32_t layer);
    void branchOut(const float* input, const kernels::Matrix* w, const float* bias,
                   const float* postNorm);
    void joinBranch(const float* postNorm);
    void denseFeedForward(int32_t layer, const float* input);
    void expertFeedForward(int32_t layer, const float* input);
    uint64_t expertBytesRead(int32_t layer) const;
    void keepCapture(int32_t layer);

    bool isCancelled() const {
        return cancel_ != nullptr && cancel_->load(std::memory_order_relaxed);
    }

    uint64_t attentionFlops(int32_t layer) const;
    uint64_t attentionBytes(int32_t layer) const;

    /// Runs `op`, timing it when op times are asked for.
    template <class Op>
    void timed(observe::OpClass opClass, int32_t layer, uint64_t bytes, uint64_t flops, Op&& op) {
        if (!observer_.timesOps()) {
            op();
            return;
        }
        const int64_t begin = steadyNowNs();
        op();
        observer_.record(opClass, layer, firstPos_, nTok_, begin, steadyNowNs(), bytes, flops);
    }

    const Model& model_;
    const ModelConfig& config_;
    KvPages& kv_;
    const kernels::Backend* backend_;
    kernels::Context* context_;
    Observer& observer_;
    const std::atomic<bool>* cancel_;

    Activations a_;
    RopeTables rope_;

    std::vector<int32_t> ids_, positions_;
    int32_t firstPos_ = 0, nTok_ = 0, nextLayer_ = 0;
};

}  // namespace vitrine::engine
