// Min-p: tokens at least min_p times as probable as the best one stay. Source: arXiv 2407.01082,
// section 3.

#include <cmath>

#include "engine/runtime/sampling/stage.h"

namespace vitrine::engine {
namespace {

constexpr SamplerParameter kParameters[] = {
    {"min_p", 0, 1, 0.01, 0.05, 0, false, [](const SamplingParams& p) { return double{p.minP}; },
     [](SamplingParams& p, double v) { p.minP = static_cast<float>(v); }},
};

bool isOn(const SamplingParams& p) {
    return p.minP > 0;
}

void apply(CandidateSet& set, const StageInput& in) {
    set.keepFrom(set.bestLogit() + std::log(in.params.minP));
}

}  // namespace

extern const SamplerStageSpec minPSpec{SamplerStage::MinP, "min-p", kParameters, isOn, apply};

}  // namespace vitrine::engine
