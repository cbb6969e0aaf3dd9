#pragma once
// Sampling parameters with llama.cpp's names, order and defaults (common.h; README "sampling").
// Thread: plain values.

#include <cstdint>
#include <optional>

namespace vitrine::engine {

struct SamplingParams {
    float temperature = 0.8f;    ///< ≤ 0: greedy (the best raw logit after penalties)
    int32_t topK = 40;           ///< 0 = off
    float topP = 0.95f;          ///< 1 = off
    float minP = 0.05f;          ///< 0 = off
    float typicalP = 1.0f;       ///< 1 = off
    float repeatPenalty = 1.0f;  ///< 1 = off
    int32_t repeatLastN = 64;    ///< tokens looked back; 0 = off, −1 = whole context
    float presencePenalty = 0.0f;
    float frequencyPenalty = 0.0f;
    std::optional<uint64_t> seed;  ///< none = a fresh one, which is reported in RunStarted

    bool operator==(const SamplingParams&) const = default;
};

/// The chain, in order. Stages that are off are passed over. Candidate::cutBy names one of them.
/// Source: llama.cpp's default order (common.h, common_params_sampling::samplers).
enum class SamplerStage : uint8_t { Penalties, TopK, Typical, TopP, MinP, Temperature };
inline constexpr int kSamplerStageCount = 6;

}  // namespace vitrine::engine
