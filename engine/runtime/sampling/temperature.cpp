// Temperature: logits are divided by T; T ≤ 0 keeps the best one only (greedy).

#include "engine/runtime/sampling/stage.h"

namespace vitrine::engine {
namespace {

constexpr SamplerParameter kParameters[] = {
    {"temperature", 0, 5, 0.01, 0.8f, 1, false,
     [](const SamplingParams& p) { return double{p.temperature}; },
     [](SamplingParams& p, double v) { p.temperature = static_cast<float>(v); }},
};

bool isOn(const SamplingParams& p) {
    return p.temperature != 1;
}

void apply(CandidateSet& set, const StageInput& in) {
    if (!(in.params.temperature > 0)) {
        set.keepOnly(set.bestIndex());
        return;
    }
    // Relative to the best one, so that a tiny T gives −large and never +infinity.
    constexpr float kLeast = -1e30f;
    const float best = set.bestLogit();
    for (float& x : set.logits()) {
        const float scaled = (x - best) / in.params.temperature;
        x = scaled > kLeast ? scaled : kLeast;
    }
}

}  // namespace

extern const SamplerStageSpec temperatureSpec{SamplerStage::Temperature, "temperature", kParameters,
                                              isOn, apply};

}  // namespace vitrine::engine
