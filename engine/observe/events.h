#pragma once
// Typed telemetry events: one per layer × op class (and one per whole step), 64 bytes, written by
// the engine thread into the ring. Thread: plain values.

#include <cstdint>

namespace vitrine::observe {

/// All measured places, in one enum. Tokenize and Detokenize have no layer.
enum class OpClass : uint8_t {
    Tokenize,
    Embed,
    Norm,
    QkvProjection,
    Rope,
    KvStore,
    Attention,
    OutProjection,
    FeedForward,
    Head,    ///< final norm and output matrix
    Sample,  ///< sampler chain
    Detokenize,
    Layer,  ///< a whole layer of a chunk (prefill) or of a step (decode)
    Step,   ///< a whole forward pass of a chunk or a token, sampling apart
};
inline constexpr int kOpClassCount = 14;

enum class Phase : uint8_t { Idle, Load, Tokenize, Prefill, Decode };

struct Event {
    int64_t beginNs = 0;  ///< steady clock of this process
    int64_t durationNs = 0;
    uint64_t bytes = 0;  ///< derived from shapes: weight and KV bytes that the op must read
    uint64_t flops = 0;  ///< derived from shapes
    uint32_t runId = 0;
    int32_t step =
        0;  ///< 0 = prefill; k = the step that fed generated token k−1 (0-based) and made token k
    int32_t firstPos = 0;  ///< position of the first token fed
    int32_t nTok = 0;      ///< tokens fed
    int16_t layer = -1;    ///< −1 = not in a layer
    OpClass op = OpClass::Step;
    Phase phase = Phase::Idle;
    uint32_t pad[3] = {};
};

static_assert(sizeof(Event) == 64);

}  // namespace vitrine::observe
