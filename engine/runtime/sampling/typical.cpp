// Locally typical sampling: tokens whose information is nearest to the entropy stay, until they
// have the wanted mass. Source: arXiv 2202.00666, equation 4 and section 4.

#include <cmath>

#include "engine/runtime/sampling/logits.h"
#include "engine/runtime/sampling/stage.h"

namespace vitrine::engine {
namespace {

constexpr SamplerParameter kParameters[] = {
    {"typical_p", 0, 1, 0.01, 1, 1, false,
     [](const SamplingParams& p) { return double{p.typicalP}; },
     [](SamplingParams& p, double v) { p.typicalP = static_cast<float>(v); }},
};

bool isOn(const SamplingParams& p) {
    return p.typicalP < 1;
}

void apply(CandidateSet& set, const StageInput& in) {
    const float best = set.bestLogit();
    const SoftmaxSums sums = softmaxSums(set.logits(), best);
    const double entropyNats = sums.entropyBits * std::log(2.0);
    // −ln p = ln sumExp − (x − best)
    const auto offset = static_cast<float>(std::log(sums.sumExp) - entropyNats);
    const std::span<float> keys = set.keys();
    for (size_t i = 0; i < keys.size(); ++i) {
        keys[i] = std::fabs(offset - (set.logits()[i] - best));
    }
    set.keepMass(std::max(0.0f, in.params.typicalP));
}

}  // namespace

extern const SamplerStageSpec typicalSpec{SamplerStage::Typical, "typical", kParameters, isOn,
                                          apply};

}  // namespace vitrine::engine
