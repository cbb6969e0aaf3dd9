#pragma once
// The small state that travels by latest value: progress, KV page map, memory ledger. Never
// attention rows or tiles. Thread: filled by the engine thread, read by the consumer of
// Latest<Frame>.

#include <cstdint>
#include <vector>

#include "engine/observe/events.h"

namespace vitrine::observe {

/// One page (16 tokens, all layers) of the running sequence, in sequence order.
struct KvPageState {
    int32_t pageId = 0;
    uint16_t promptSlots = 0;     ///< slots holding prompt tokens evaluated in this run
    uint16_t reusedSlots = 0;     ///< slots kept from an earlier turn
    uint16_t generatedSlots = 0;  ///< slots holding generated tokens
    uint16_t refCount = 1;
};

/// Bytes held now, by purpose. rss is the process's, read from the system; the rest is what the
/// engine allocated.
struct MemoryLedger {
    uint64_t weights = 0;
    uint64_t kv = 0;      ///< committed pages
    uint64_t kvUsed = 0;  ///< slots that hold a token
    uint64_t activations = 0;
    uint64_t scratch = 0;
    uint64_t capture = 0;  ///< log-sum-exp and Q store
    uint64_t rss = 0;
    uint64_t available = 0;  ///< MemAvailable of the system
};

struct Frame {
    uint64_t stamp = 0;  ///< counts published frames
    int64_t timeNs = 0;
    uint32_t runId = 0;
    Phase phase = Phase::Idle;
    int32_t nLayers = 0;
    // Prefill progress: chunk [chunkFirst, chunkFirst+chunkTokens) of [cachedTokens, promptTokens),
    // layersDone layers of it finished.
    int32_t promptTokens = 0;
    int32_t cachedTokens = 0;
    int32_t chunkFirst = 0;
    int32_t chunkTokens = 0;
    int32_t layersDone = 0;
    int32_t generatedTokens = 0;
    int32_t contextUsed = 0;  ///< tokens in the cache
    int32_t contextSize = 0;
    int32_t pageTokens = 16;
    int32_t captureFirstPos =
        0;  ///< Q is kept from this position on (oldest rows are dropped first)
    uint64_t kvBytesPerToken = 0;
    std::vector<KvPageState> pages;
    MemoryLedger memory;
};

}  // namespace vitrine::observe
