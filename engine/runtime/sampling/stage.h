#pragma once
// One stage of the sampler chain: its name, the parameters that a form or a command line can be
// built from, and what it does. A stage is one .cpp of this folder, listed in CMakeLists.txt in the
// order of the chain. Thread: the table is constant; apply runs on the engine thread.

#include <cstdint>
#include <span>
#include <vector>

#include "engine/base/ids.h"
#include "engine/runtime/sampling/candidate_set.h"
#include "engine/runtime/sampling_params.h"

namespace vitrine::engine {

struct SamplerParameter {
    const char* name;  ///< llama.cpp's: "top_k"
    double min, max;   ///< range of a form; the chain itself takes any value
    double step;
    double defaultValue;
    double offValue;  ///< with it the parameter changes nothing
    bool isInteger;
    double (*get)(const SamplingParams&);
    void (*set)(SamplingParams&, double);
};

struct StageInput {
    const SamplingParams& params;
    std::span<const TokenId> recent;  ///< tokens before the one to be picked, newest last
    std::vector<int32_t>& counts;     ///< [vocab], all 0 before and after
};

struct SamplerStageSpec {
    SamplerStage stage;
    const char* name;  ///< "top-k"
    std::span<const SamplerParameter> parameters;
    bool (*isOn)(const SamplingParams&);
    /// Changes logits or cuts candidates, never all. The set holds the whole vocabulary before the
    /// first stage that cuts. Never fails but for memory.
    void (*apply)(CandidateSet&, const StageInput&);
};

/// All stages in the order of the chain, indexed by SamplerStage.
const std::vector<const SamplerStageSpec*>& samplerStages();

}  // namespace vitrine::engine
