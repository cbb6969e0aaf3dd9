#pragma once
// Sampling parameters with llama.cpp's names, order and defaults (common.h; README "sampling").
// Thread: plain values.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

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

/// The parameters that a model file can recommend and a user can choose one by one.
enum class SamplingField : uint8_t {
    Temperature,
    TopK,
    TopP,
    MinP,
    TypicalP,
    RepeatPenalty,
    RepeatLastN,
    PresencePenalty,
    FrequencyPenalty
};
inline constexpr int kSamplingFieldCount = 9;

/// A set of fields, one bit each.
using SamplingFields = uint32_t;

constexpr SamplingFields fieldBit(SamplingField field) {
    return 1u << static_cast<unsigned>(field);
}

/// Who decided a value. The user goes before the model, the model before the program.
enum class SamplingSource : uint8_t { Program, Model, User };

/// What the makers of a model say that suits it (general.sampling.* of the file).
struct RecommendedSampling {
    SamplingParams params;      ///< only the values of `fields` count
    SamplingFields fields = 0;  ///< that the model gives
    /// Keys that ask for what the chain does not have ("xtc_probability").
    std::vector<std::string> ignored;

    bool operator==(const RecommendedSampling&) const = default;
};

/// The values in force: the user's where chosen, else the model's, else the program's. The seed is
/// the user's. Never fails.
SamplingParams effectiveSampling(const SamplingParams& user, SamplingFields chosen,
                                 const RecommendedSampling& model);
SamplingSource samplingSource(SamplingField field, SamplingFields chosen,
                              const RecommendedSampling& model) noexcept;
/// Fields whose values differ from the program's. Never fails.
SamplingFields changedFields(const SamplingParams& params);
/// Sets one field of `to` to its value in `from`. Never fails.
void copyField(SamplingField field, const SamplingParams& from, SamplingParams& to);
double fieldValue(SamplingField field, const SamplingParams& params);
/// As in JSON and llama.cpp: "temp", "top_k", "repeat_penalty", …
const char* samplingFieldName(SamplingField field) noexcept;
const char* samplingSourceName(SamplingSource source) noexcept;  ///< "program", "model", "user"

/// The chain, in order. Stages that are off are passed over. Candidate::cutBy names one of them.
/// Source: llama.cpp's default order (common.h, common_params_sampling::samplers).
enum class SamplerStage : uint8_t { Penalties, TopK, Typical, TopP, MinP, Temperature };
inline constexpr int kSamplerStageCount = 6;

}  // namespace vitrine::engine
