#pragma once
// One generation from request to outcome, in steps: template → tokenize → prefill by layers →
// sample → decode … → detokenize. It stamps every border on one clock, so that the five parts of
// TTFT sum to it. Thread: the engine thread.

#include <functional>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "engine/runtime/messages.h"
#include "engine/runtime/sampler.h"
#include "engine/runtime/session.h"
#include "engine/text/utf8_stream.h"

namespace vitrine::engine {

/// Finds stop texts in streamed text and holds back what could be the beginning of one. Thread: one
/// owner.
class StopScanner {
public:
    explicit StopScanner(std::vector<std::string> stopTexts);
    /// Adds text; returns what may be shown now.
    std::string push(const std::string& text);

    /// A stop text was met; what was held behind its beginning is gone.
    bool isMet() const { return isMet_; }

    /// The end without a stop text: what was held back.
    std::string finish() { return std::exchange(held_, {}); }

private:
    std::vector<std::string> stopTexts_;
    std::string held_;
    bool isMet_ = false;
};

class Run {
public:
    using Emit = std::function<void(OutboxItem)>;

    Run(Session& session, GenerationRequest request, Emit emit);

    /// Renders, tokenizes, finds the cached prefix. False = it ended at once (RunFinished was
    /// emitted).
    bool start();
    /// One unit of work (a layer of a chunk, or a token). False = it ended (RunFinished was
    /// emitted).
    bool step();
    /// Ends it now with what there is.
    void finish(Outcome outcome, std::optional<Error> error = std::nullopt);

    uint32_t runId() const { return request_.runId; }

    int32_t generatedTokens() const { return static_cast<int32_t>(stamps_.size()); }

    observe::Phase phase() const {
        return stamps_.empty() || recomputeBeginNs_ != 0 ? observe::Phase::Prefill
                                                         : observe::Phase::Decode;
    }

private:
    bool fail(const Error& error);
    bool timedOut();
    bool sampleToken();
    bool feed(TokenId id);
    void publish(const Sampled& sampled, int64_t timeNs);
    Result<std::vector<TokenId>> encodePrompt(std::vector<PromptToken>& pieces);

    Session& session_;
    GenerationRequest request_;
    Emit emit_;
    std::unique_ptr<SamplerChain> sampler_;
    uint64_t seed_ = 0;
    Utf8Stream utf8_;
    StopScanner stops_;
    std::vector<TokenId> history_;  ///< prompt and generated tokens: what penalties look at
    int64_t takenNs_ = 0, templateEndNs_ = 0, tokenizeEndNs_ = 0, prefillEndNs_ = 0;
    std::vector<int64_t> stamps_;  ///< when each token was sampled
    int32_t promptTokens_ = 0, cachedTokens_ = 0;
    int64_t recomputeBeginNs_ = 0;  ///< 0 = the cache is not being recomputed
    int32_t recomputedTokens_ = 0;
    int64_t recomputeNs_ = 0;
};

/// The finished request of a run that never began (stopped while it waited, or no model is loaded).
RunFinished finishedUnstarted(const GenerationRequest& request, Outcome outcome,
                              std::optional<Error> error);

}  // namespace vitrine::engine
