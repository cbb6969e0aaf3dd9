// Repeat, presence and frequency penalties on the tokens of the last repeat_last_n. Source:
// arXiv 1909.05858, section 4.1 (repeat); llama.cpp, README of the server (the sum of the three).

#include <algorithm>
#include <limits>

#include "engine/runtime/sampling/stage.h"

namespace vitrine::engine {
namespace {

constexpr SamplerParameter kParameters[] = {
    {"repeat_penalty", 1, 2, 0.01, 1, 1, false,
     [](const SamplingParams& p) { return double{p.repeatPenalty}; },
     [](SamplingParams& p, double v) { p.repeatPenalty = static_cast<float>(v); }},
    {"repeat_last_n", -1, 4096, 1, 64, 0, true,
     [](const SamplingParams& p) { return double(p.repeatLastN); },
     [](SamplingParams& p, double v) { p.repeatLastN = static_cast<int32_t>(v); }},
    {"presence_penalty", -2, 2, 0.01, 0, 0, false,
     [](const SamplingParams& p) { return double{p.presencePenalty}; },
     [](SamplingParams& p, double v) { p.presencePenalty = static_cast<float>(v); }},
    {"frequency_penalty", -2, 2, 0.01, 0, 0, false,
     [](const SamplingParams& p) { return double{p.frequencyPenalty}; },
     [](SamplingParams& p, double v) { p.frequencyPenalty = static_cast<float>(v); }},
};

bool isOn(const SamplingParams& p) {
    return p.repeatLastN != 0 &&
           (p.repeatPenalty != 1 || p.presencePenalty != 0 || p.frequencyPenalty != 0);
}

float penalised(float logit, int32_t count, const SamplingParams& p) {
    constexpr float kLimit = std::numeric_limits<float>::max() / 4;
    if (p.repeatPenalty > 0) {
        logit = logit > 0 ? logit / p.repeatPenalty : logit * p.repeatPenalty;
    }
    logit -= static_cast<float>(count) * p.frequencyPenalty + p.presencePenalty;
    // Absurd settings must not make an infinity.
    return std::max(-kLimit, std::min(kLimit, logit));
}

void apply(CandidateSet& set, const StageInput& in) {
    std::span<const TokenId> window = in.recent;
    const auto lastN = static_cast<size_t>(std::max(in.params.repeatLastN, 0));
    if (in.params.repeatLastN > 0 && window.size() > lastN) window = window.last(lastN);
    const std::span<float> logits = set.logits();  // the whole vocabulary: index = id
    const auto isKnown = [&](TokenId t) {
        return t.isValid() && static_cast<size_t>(t.value) < logits.size();
    };
    for (const TokenId t : window) {
        if (isKnown(t)) ++in.counts[static_cast<size_t>(t.value)];
    }
    for (const TokenId t : window) {
        if (!isKnown(t)) continue;
        const auto id = static_cast<size_t>(t.value);
        if (in.counts[id] == 0) continue;
        logits[id] = penalised(logits[id], in.counts[id], in.params);
        in.counts[id] = 0;
    }
}

}  // namespace

extern const SamplerStageSpec penaltiesSpec{SamplerStage::Penalties, "penalties", kParameters, isOn,
                                            apply};

}  // namespace vitrine::engine
