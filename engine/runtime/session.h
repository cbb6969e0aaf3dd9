#pragma once
// A model ready to evaluate tokens: KV pages, forward pass, capture. EngineThread drives it in
// steps; the terminal program's logits, nll and attention commands call it directly. Thread: one
// owner (the engine thread, or main in the terminal program).

#include <atomic>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "engine/base/result.h"
#include "engine/model/model.h"
#include "engine/observe/hub.h"
#include "engine/runtime/messages.h"

namespace vitrine::engine {

class AttentionViews;
class Forward;
class KvPages;
class Observer;

struct MemoryPlan;

class Session {
public:
    /// Opens, checks against free memory, loads. progress and cancel as in Model::load; `hub` may
    /// be null (nothing is observed). Fails: as openModelFile and Model::load; OutOfMemory when the
    /// estimate says that it cannot fit (and `force` is not set).
    static Result<std::unique_ptr<Session>> load(const std::string& path,
                                                 const LoadOptions& options,
                                                 std::shared_ptr<observe::Hub> hub,
                                                 const ProgressFn& progress,
                                                 const std::atomic<bool>* cancel);
    ~Session();
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    const Model& model() const { return *model_; }

    const std::shared_ptr<const ModelInfo>& info() const { return info_; }

    observe::MemoryLedger ledger() const;  ///< reads the process's RSS too (some 10 µs)

    // ---- evaluation in steps ----

    /// Makes `ids` the sequence to evaluate: finds the longest prefix in the cache (at most
    /// ids.size()−1, so that there is always a last token to evaluate), drops the rest. Returns the
    /// number of cached tokens. Fails: ContextFull, OutOfMemory, InvalidArgument (id outside the
    /// vocabulary, empty). Without reusePrefix everything is evaluated again.
    Result<int32_t> begin(std::span<const TokenId> ids, bool reusePrefix = true);
    /// How many tokens begin() would take from the cache now. Changes nothing, never fails.
    int32_t cachedPrefix(std::span<const TokenId> ids) const;
    /// As begin, but nothing is taken from the cache, so that capture is complete. layer: as
    /// ReplaySequence.
    Result<void> beginReplay(std::span<const TokenId> ids, int32_t layer);
    /// Appends one token to evaluate. Where LongRoPE changes its factors at this length nothing
    /// that is cached holds any longer: everything waits for evaluation again (see pending()).
    /// Fails: ContextFull, OutOfMemory.
    Result<void> append(TokenId id);
    /// Tokens of the sequence that still wait for evaluation.
    int32_t pending() const;
    /// One unit of work: one layer of a chunk (at most 256 tokens) when more than one token is
    /// pending, else a whole token. True = all pending tokens are evaluated and logits() holds the
    /// last position's row. Fails: Cancelled (the cache keeps only whole chunks), Device,
    /// OutOfMemory.
    Result<bool> step();
    /// float32 [vocab] of the last evaluated position. Requires: step() returned true.
    std::span<const float> logits() const;

    /// Blocking: evaluates `ids` from the start with prefix reuse; for every position ≥ firstWanted
    /// calls sink(pos, logits [vocab]). Positions that are wanted are always evaluated again.
    /// Fails: as begin and step.
    Result<void> evaluate(
        std::span<const TokenId> ids, int32_t firstWanted,
        const std::function<void(int32_t pos, std::span<const float> logits)>& sink);

    // ---- what can be looked at ----

    const std::vector<TokenId>& cachedTokens() const;
    /// While a chunk is being evaluated, the layers done of it can be looked at already.
    TileReply tile(const RequestTile& request);
    AtlasReply beginAtlas(const RequestAtlas& request);
    void fillAtlas(AtlasReply& reply, int32_t layer);  ///< one layer of it, see AttentionViews
    /// Natural log-sum-exp of the scores of one layer: [head, nTokens]. Empty when nothing is
    /// cached.
    std::vector<float> logSumExp(LayerId layer) const;

    Observer& observer() { return *observer_; }

    /// Fills progress, page map and ledger into `frame` (not the run's own fields).
    void describe(observe::Frame& frame) const;
    uint64_t kvBytesAllocated() const;
    uint64_t kvBytesUsed() const;
    int32_t pagesUsed() const;

private:
    Session() = default;
    Result<int32_t> beginWith(std::span<const TokenId> ids, int32_t maxReused);
    Result<void> openChunk(int32_t maxTokens);
    Result<void> runLayers(bool all);
    void showOpenChunk();
    Result<void> setUp(const LoadOptions& options, const MemoryPlan& plan, int64_t beginNs);

    std::shared_ptr<observe::Hub> hub_;
    const kernels::Backend* backend_ = nullptr;
    kernels::Context* context_ = nullptr;
    std::unique_ptr<Model> model_;
    std::shared_ptr<const ModelInfo> info_;
    std::unique_ptr<Observer> observer_;
    std::unique_ptr<KvPages> kv_;
    std::unique_ptr<Forward> forward_;
    std::unique_ptr<AttentionViews> views_;
    const std::atomic<bool>* cancel_ = nullptr;
    std::vector<TokenId> tokens_;  ///< the whole sequence, evaluated part first
    int32_t reusedTokens_ = 0;     ///< of the last begin()
    int32_t promptTokens_ = 0;     ///< of the last begin()
    bool chunkOpen_ = false;
    std::span<const float> logits_;
};

}  // namespace vitrine::engine
