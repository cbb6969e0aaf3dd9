#pragma once
// The buffers that a chunk passes through, in the backend's memory, and what they take: one list
// that allocation and memory plan share. Thread: the engine thread.

#include <cstdint>
#include <utility>
#include <vector>

#include "engine/base/result.h"
#include "engine/model/config.h"
#include "kernels/api/backend.h"

namespace vitrine::engine {

/// Largest chunk of a prefill: one layer of it is 10–90 ms on two AVX2 cores.
inline constexpr int32_t kChunkTokens = 256;
/// Rows of logits at a time.
inline constexpr int32_t kHeadRows = 16;

struct Activations {
    Activations(const kernels::Backend* backend, kernels::Context* context)
        : backend_(backend), context_(context) {}

    ~Activations();
    Activations(const Activations&) = delete;
    Activations& operator=(const Activations&) = delete;

    /// Fails: OutOfMemory.
    Result<void> allocate(const ModelConfig& config);
    /// What allocate takes. Never fails.
    static uint64_t bytesFor(const ModelConfig& config);

    float* x = nullptr;       // [chunk, dim] residual stream
    float* normed = nullptr;  // [chunk, dim]
    float* q = nullptr;       // [chunk, head, d]
    float* k = nullptr;       // [chunk, kvHead, d]
    float* v = nullptr;       // [chunk, kvHead, d]
    float* mixed = nullptr;   // [chunk, head, d]
    float* gate = nullptr;    // [chunk, ffDim], or of one expert
    float* up = nullptr;      // as gate
    float* lse = nullptr;     // [head, chunk]
    float* logits = nullptr;  // [kHeadRows, vocab]
    // Only where the model needs them:
    float* branch = nullptr;         // [chunk, dim] a branch before its norm or factor
    float* routerLogits = nullptr;   // [chunk, expert]
    float* expertWeights = nullptr;  // [chunk, used]
    float* gathered = nullptr;       // [chunk, dim]
    float* part = nullptr;           // [chunk, dim]
    int32_t* experts = nullptr;      // [chunk, used]
    int32_t* expertRows = nullptr;   // [chunk·used]

private:
    const kernels::Backend* backend_;
    kernels::Context* context_;
    std::vector<std::pair<void*, size_t>> owned_;
};

}  // namespace vitrine::engine
