// Top-p (nucleus): the fewest most probable tokens that have the wanted mass together. Source:
// arXiv 1904.09751, section 3.1.

#include <algorithm>

#include "engine/runtime/sampling/stage.h"

namespace vitrine::engine {
namespace {

constexpr SamplerParameter kParameters[] = {
    {"top_p", 0, 1, 0.01, 0.95, 1, false, [](const SamplingParams& p) { return double{p.topP}; },
     [](SamplingParams& p, double v) { p.topP = static_cast<float>(v); }},
};

bool isOn(const SamplingParams& p) {
    return p.topP < 1;
}

void apply(CandidateSet& set, const StageInput& in) {
    const float best = set.bestLogit();
    const std::span<float> keys = set.keys();
    for (size_t i = 0; i < keys.size(); ++i) keys[i] = best - set.logits()[i];
    set.keepMass(std::max(0.0f, in.params.topP));
}

}  // namespace

extern const SamplerStageSpec topPSpec{SamplerStage::TopP, "top-p", kParameters, isOn, apply};

}  // namespace vitrine::engine
