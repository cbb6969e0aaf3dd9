#pragma once
// Everything that crosses the engine thread's border: commands down, outbox items up. Plain values
// without pointers into the engine. All times are nanoseconds of std::chrono::steady_clock in this
// process. Thread: values are handed over whole.

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "engine/base/error.h"
#include "engine/base/ids.h"
#include "engine/observe/events.h"
#include "engine/observe/frame.h"
#include "engine/observe/hub.h"
#include "engine/runtime/sampling_params.h"
#include "engine/text/chat_template.h"

namespace vitrine::engine {

// ---- commands ----

struct LoadOptions {
    std::string isa = "auto";
    bool exact = false;
    std::string kvType;        ///< f32, f16, bf16, q8_0, q4_0; empty = f16, f32 with exact
    std::string kvTypeV;       ///< of V where it differs; empty = as K
    int32_t nThreads = 0;      ///< 0 = physical cores
    int32_t niceness = 0;      ///< of pool and engine thread
    int32_t contextSize = 0;   ///< 0 = the model's own, capped by memory
    uint64_t qStoreBytes = 0;  ///< 0 = an eighth of free memory, at most 1 GiB
    bool force = false;        ///< load although the estimate says that it does not fit
};

struct LoadModel {
    std::string path;
    LoadOptions options;
};

struct UnloadModel {};

struct GenerationRequest {
    uint32_t runId = 0;  ///< chosen by the caller, > 0, never reused
    // One of three inputs, the first that is set:
    std::vector<TokenId> ids;  ///< exactly these
    std::optional<std::string>
        text;                       ///< raw text, special tokens not parsed, BOS as the model asks
    std::vector<Message> messages;  ///< through the chat template, generation prompt added
    SamplingParams sampling;        ///< the values in force
    SamplingFields chosenSampling = 0;  ///< of these, the user's own: for the record
    int32_t maxTokens = 0;              ///< 0 = until the context is full
    std::vector<std::string> stopTexts;
    bool ignoreEos = false;
    bool reusePrefix = true;          ///< false: evaluate every prompt token, for measurements
    int32_t nCandidates = 10;         ///< top candidates kept per token
    int64_t firstTokenTimeoutNs = 0;  ///< 0 = none
    int64_t totalTimeoutNs = 0;
    int64_t submittedNs = 0;  ///< when the user sent it; 0 = when the engine took it
};

struct StopRun {};  ///< also flips the stop flag at once, see EngineThread::requestStop

struct SetTaps {
    observe::TapSet taps;
};

/// A tile of attention probabilities; at most 1 Mi cells. Newest request of a `slot` wins (a view
/// has its own slot).
struct RequestTile {
    uint32_t slot = 0;
    uint64_t requestId = 0;
    LayerId layer;
    int32_t head = 0;  ///< −1 = mean over heads
    int32_t firstRow = 0, nRows = 0, firstKey = 0, nKeys = 0;
    int32_t rowStep = 1, keyStep = 1;  ///< cells of the reply are block maxima over rowStep ×
                                       ///< keyStep (mean over heads taken first)
};

/// Block maxima of every layer and head: cells × cells each.
struct RequestAtlas {
    uint64_t requestId = 0;
    int32_t cells = 64;
};

/// Evaluates exactly these ids again without sampling, so that their attention can be looked at:
/// after an earlier start, another run, or when queries were dropped. Waits its turn like a
/// generation; requestStop ends it.
struct ReplaySequence {
    uint32_t runId = 0;  ///< the run that it belongs to; the reply carries it
    std::vector<TokenId> ids;
    int32_t layer = -1;  ///< −1 = keep Q of all layers while the budget lasts; else of this one
                         ///< only (for long sequences)
};

/// Text → pieces, for the token count while typing and the tokens view. `messages` empty: raw text;
/// else rendered with the template.
struct RequestTokens {
    uint64_t requestId = 0;
    std::string text;
    std::vector<Message> messages;
    bool wantPieces = false;  ///< else only the count
};

using Command = std::variant<LoadModel, UnloadModel, GenerationRequest, StopRun, SetTaps,
                             RequestTile, RequestAtlas, ReplaySequence, RequestTokens>;

// ---- outbox ----

struct LoadProgress {
    uint64_t doneBytes = 0, totalBytes = 0;
    std::string stage;  ///< "reading metadata", "loading weights", …: for the log; the window
                        ///< translates by what it knows
};

struct ModelInfo {
    std::string path, name, architecture, quantisation, tokenizerKind, templateNotice, formatName;
    std::string backend, isa;
    int32_t nThreads = 0;
    int32_t nLayers = 0, nHeads = 0, nKvHeads = 0, headDim = 0, dim = 0, ffDim = 0, vocab = 0;
    int32_t trainedContext = 0, contextSize = 0;
    std::string
        contextReason;  ///< why contextSize is smaller than trainedContext; empty when it is not
    uint64_t fileBytes = 0, weightBytes = 0, nParameters = 0;
    std::string kvType;
    uint64_t kvBytesPerToken = 0;
    int32_t pageTokens = 16;
    bool hasChatTemplate = false;
    float attentionScale = 0;
    float attentionSoftcap = 0;         ///< of the scores; 0 = none
    std::vector<int32_t> layerWindows;  ///< [nLayers] 0 = full attention; empty = all full
    int32_t nExperts = 0, nUsedExperts = 0;
    int64_t loadNs = 0;
    RecommendedSampling recommended;
    // Predicted before loading, for the context above; the ledger says what it became.
    uint64_t plannedWeightBytes = 0, plannedKvBytes = 0, plannedActivationBytes = 0,
             plannedCaptureBytes = 0;
};

struct ModelLoaded {
    std::shared_ptr<const ModelInfo> info;
};

struct LoadFailed {
    std::string path;
    Error error;  ///< Cancelled when the user stopped it
};

struct ModelUnloaded {};

struct PromptToken {
    TokenId id;
    std::string text;  ///< bytes of the piece; may be part of a character
    bool isTemplate = false;
    bool isControl = false;
};

/// Tokenize is over; prefill begins.
struct RunStarted {
    uint32_t runId = 0;
    std::vector<PromptToken> prompt;
    int32_t cachedTokens = 0;  ///< found in the cache and not evaluated again
    uint64_t seed = 0;
    int64_t submittedNs = 0, takenNs = 0, templateEndNs = 0, tokenizeEndNs = 0;
};

struct Candidate {
    TokenId id;
    std::string text;
    float logit = 0;        ///< raw
    float rawProb = 0;      ///< softmax of the raw logits
    float sampledProb = 0;  ///< after the whole chain; 0 = cut
    uint8_t cutBy = 0;      ///< SamplerStage + 1 of the stage that removed it; 0 = still there
};

struct GeneratedToken {
    TokenId id;
    std::string
        text;  ///< whole characters that became visible with this token (empty for control tokens)
    std::string piece;   ///< bytes of the token itself
    int64_t timeNs = 0;  ///< when it was sampled and published
    float rawProb = 0, sampledProb = 0;
    float entropyBits = 0;  ///< of the raw distribution
    int32_t rank = 0;       ///< 0 = the most probable
    int32_t step = 0;
    std::array<int64_t, observe::kOpClassCount>
        opNs{};  ///< time per op class of the step that made it (0 without opTimes)
    std::vector<Candidate> candidates;  ///< best raw logits first
};

struct TokenBatch {
    uint32_t runId = 0;
    std::vector<GeneratedToken> tokens;
};

/// Prefill is over (published before the first token's batch).
struct PrefillDone {
    uint32_t runId = 0;
    int64_t beginNs = 0, endNs = 0;
    int32_t evaluatedTokens = 0;
};

enum class Outcome {
    Eos,
    Length,
    Stop,
    User,
    TimeoutFirst,
    Timeout,
    ContextFull,
    OutOfMemory,
    Error
};
/// "eos", "length", "stop", "user", "timeout_first", "timeout", "context_full", "out_of_memory",
/// "error".
const char* outcomeName(Outcome outcome) noexcept;

struct RunStats {
    int64_t queueNs = 0, templateNs = 0, tokenizeNs = 0, prefillNs = 0, firstSampleNs = 0;
    int64_t ttftNs = 0;             ///< sum of the five; 0 when there was no token
    std::vector<int64_t> itlNs;     ///< N−1 gaps
    std::optional<int64_t> tpotNs;  ///< none for N < 2
    int64_t e2eNs = 0;
    int32_t promptTokens = 0, cachedTokens = 0, generatedTokens = 0;
    /// Tokens that were evaluated a second time because LongRoPE changed its factors in
    /// mid-answer, and the time that took. It is part of one gap of itlNs, of tpotNs and of e2eNs.
    int32_t recomputedTokens = 0;
    int64_t recomputeNs = 0;
    std::string kvType;
    int32_t pageTokens = 16, pages = 0;
    uint64_t kvBytesAllocated = 0, kvBytesUsed = 0;
    observe::MemoryLedger memory;
    uint64_t droppedEvents = 0;
};

struct RunFinished {
    uint32_t runId = 0;
    Outcome outcome = Outcome::Eos;
    std::string tailText;  ///< text that was held back (a stop text's beginning, an unfinished
                           ///< character) and is released now
    std::optional<Error> error;
    RunStats stats;
};

struct TileReply {
    uint32_t slot = 0;
    uint64_t requestId = 0;
    LayerId layer;
    int32_t head = 0;
    int32_t firstRow = 0, nRows = 0, firstKey = 0,
            nKeys = 0;  ///< what was covered, in positions; clipped to what is there
    int32_t rowStep = 1, keyStep = 1;
    int32_t cellRows = 0, cellCols = 0;
    std::vector<float> cells;  ///< [cellRows, cellCols]; NaN = masked or not available (Q dropped)
    std::vector<float> lse;    ///< [nRows] when rowStep is 1 and head ≥ 0
    std::string notAvailable;  ///< why nothing could be computed; empty = fine
    int64_t computeNs = 0;
};

struct AtlasReply {
    uint64_t requestId = 0;
    int32_t cells = 64, nLayers = 0, nHeads = 0;
    int32_t nTokens = 0, blockTokens = 1;  ///< positions per cell edge (a power of two)
    std::vector<uint8_t> levels;  ///< [layer, head, cell row, cell col]: 0 = masked/none, 1…255 =
                                  ///< log scale from 1e−4 to 1
    std::string notAvailable;
    int64_t computeNs = 0;
};

struct TokensReply {
    uint64_t requestId = 0;
    int32_t count = 0;
    std::vector<PromptToken> pieces;
    std::vector<PromptSegment> segments;  ///< with `messages` and pieces wanted: what was encoded
    int32_t cachedTokens =
        0;  ///< of the pieces, those that a run begun now would find in the cache
    int64_t tokenizeNs = 0;
    std::optional<Error> error;  ///< the chat template refuses the conversation; nothing is counted
};

/// The replay is over: attention of this sequence can be asked for and is to be labelled
/// "recomputed". With an error: it cannot.
struct SequenceReplayed {
    uint32_t runId = 0;
    int32_t layer = -1;
    std::optional<Error> error;  ///< Cancelled when the user stopped it
};

/// Something the user should read that is not an outcome (events were dropped, a template fell
/// back, …).
struct Notice {
    std::string text;
};

using OutboxItem = std::variant<LoadProgress, ModelLoaded, LoadFailed, ModelUnloaded, RunStarted,
                                PrefillDone, TokenBatch, RunFinished, TileReply, AtlasReply,
                                SequenceReplayed, TokensReply, Notice>;

}  // namespace vitrine::engine
