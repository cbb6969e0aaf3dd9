// Top-k: the k best logits stay. Source: arXiv 1805.04833, section 5.4.

#include "engine/runtime/sampling/stage.h"

namespace vitrine::engine {
namespace {

constexpr SamplerParameter kParameters[] = {
    {"top_k", 0, 200, 1, 40, 0, true, [](const SamplingParams& p) { return double(p.topK); },
     [](SamplingParams& p, double v) { p.topK = static_cast<int32_t>(v); }},
};

bool isOn(const SamplingParams& p) {
    return p.topK > 0;
}

void apply(CandidateSet& set, const StageInput& in) {
    set.keepBest(static_cast<size_t>(in.params.topK));
}

}  // namespace

extern const SamplerStageSpec topKSpec{SamplerStage::TopK, "top-k", kParameters, isOn, apply};

}  // namespace vitrine::engine
