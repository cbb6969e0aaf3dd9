#pragma once
// What the views see: one immutable snapshot per pump tick, stamped, so that every view shows the
// same step. Built on the GUI thread by TelemetryPump from outbox and hub; views get a
// shared_ptr<const Snapshot> and never anything of the engine. Thread: GUI thread; immutable.

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include <QString>

#include "engine/runtime/messages.h"

namespace vitrine::gui {

enum class Provenance {
    Measured,  ///< on this run, in this process
    Recorded,  ///< measured in an earlier start and read from the chat file
};

/// One position of the sequence: prompt tokens first, then generated ones.
struct TokenRecord {
    int32_t pos = 0;
    engine::TokenId id;
    QString text;  ///< for labels: whole characters, or ‹hex› for a part of one
    bool isPrompt = false, isTemplate = false, isControl = false;
    bool isReused = false;  ///< its K and V were in the cache from an earlier turn
    // Generated tokens only:
    int32_t index = -1;            ///< 0-based among generated tokens
    int64_t timeNs = 0;            ///< steady clock
    std::optional<int64_t> itlNs;  ///< gap to the token before; none for the first
    float rawProb = 0, sampledProb = 0, entropyBits = 0;
    int32_t rank = 0;
    std::array<int64_t, observe::kOpClassCount> opNs{};
    uint64_t stepFlops = 0, stepBytes = 0;  ///< of the step that made it, derived from shapes (its
                                            ///< Step event); 0 = unknown
    std::vector<engine::Candidate> candidates;
};

/// Duration of one layer of the prefill, summed over chunks, and of its op classes.
struct LayerTime {
    int64_t totalNs = 0;
    std::array<int64_t, observe::kOpClassCount> opNs{};
    uint64_t flops = 0, bytes = 0;  ///< derived from shapes (its Layer events); 0 = unknown
};

struct MemorySample {
    int64_t timeNs = 0;
    int32_t contextUsed = 0;
    observe::MemoryLedger ledger;
};

/// One run: from send to outcome.
struct RunRecord {
    uint32_t runId = 0;
    Provenance provenance = Provenance::Measured;
    bool isRunning = false;
    QString modelName;
    engine::SamplingParams sampling;  ///< seed filled in
    int64_t submittedNs = 0, takenNs = 0, templateEndNs = 0, tokenizeEndNs = 0, prefillBeginNs = 0,
            prefillEndNs = 0;
    int32_t promptTokens = 0, cachedTokens = 0;
    std::vector<std::shared_ptr<const TokenRecord>> tokens;  ///< by position
    std::vector<LayerTime> prefillLayers;                    ///< [layer]
    std::vector<MemorySample> memory;  ///< in time order, at most some thousands (thinned)
    std::optional<engine::Outcome> outcome;
    std::optional<engine::Error> error;
    engine::RunStats stats;  ///< complete once `outcome` is set
};

struct Snapshot {
    uint64_t stamp = 0;
    std::shared_ptr<const engine::ModelInfo> model;  ///< null = none loaded
    std::shared_ptr<const RunRecord>
        run;  ///< the run on show (running, last, or one chosen in the transcript); null = none
    std::vector<std::shared_ptr<const RunRecord>>
        history;  ///< finished runs of this start and chat, oldest first, `run` not included
    observe::Frame frame;          ///< newest
    bool isAttentionLive = false;  ///< attention tiles can be asked for: `run` is the run whose
                                   ///< cache the engine still holds
    bool isAttentionRecomputed = false;       ///< live, but from a replay of `run`: to be labelled
    bool isAttentionBeingRecomputed = false;  ///< a replay of `run` is going on
    uint64_t droppedEvents = 0;
};

using SnapshotPtr = std::shared_ptr<const Snapshot>;

}  // namespace vitrine::gui
