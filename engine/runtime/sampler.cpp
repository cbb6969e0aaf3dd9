#include "engine/runtime/sampler.h"

#include <algorithm>
#include <new>
#include <string>

#include "engine/runtime/sampling/logits.h"
#include "engine/runtime/sampling/stage.h"

namespace vitrine::engine {
namespace {

bool isGreedy(const SamplingParams& params) {
    return !(params.temperature > 0);
}

// Greedy is decided right after the penalties: no other stage may remove the best token before.
bool isApplied(const SamplerStageSpec& spec, const SamplingParams& params) {
    if (!isGreedy(params)) return spec.isOn(params);
    return spec.stage == SamplerStage::Temperature ||
           (spec.stage == SamplerStage::Penalties && spec.isOn(params));
}

std::vector<Candidate> bestCandidates(std::span<const float> logits, const SoftmaxSums& raw,
                                      int nCandidates) {
    std::vector<Candidate> out;
    for (const int32_t id : bestIds(logits, static_cast<size_t>(std::max(nCandidates, 0)))) {
        Candidate& c = out.emplace_back();
        c.id = TokenId(id);
        c.logit = logits[static_cast<size_t>(id)];
        c.rawProb = raw.probability(c.logit);
    }
    return out;
}

}  // namespace

SamplerChain::SamplerChain(const SamplingParams& params, int32_t vocab, uint64_t seed)
    : params_(params), random_(seed), counts_(static_cast<size_t>(std::max(vocab, 0))) {}

Result<Sampled> SamplerChain::pick(std::span<const float> logits, std::span<const TokenId> recent,
                                   int nCandidates) {
    if (logits.empty() || logits.size() != counts_.size()) {
        return makeError(Errc::InvalidArgument,
                         "The sampler was given " + std::to_string(logits.size()) +
                             " logits for a vocabulary of " + std::to_string(counts_.size()) + ".");
    }
    const std::optional<float> best = finiteMax(logits);
    if (!best) {
        return makeError(Errc::Device,
                         "The model produced no finite numbers, so no token can be chosen; the "
                         "file may be damaged, or load it again with exact arithmetic.");
    }
    try {
        return pickFrom(logits, *best, recent, nCandidates);
    } catch (const std::bad_alloc&) {
        return makeError(Errc::OutOfMemory, "There is not enough memory to choose a token.");
    }
}

Result<Sampled> SamplerChain::pickFrom(std::span<const float> logits, float best,
                                       std::span<const TokenId> recent, int nCandidates) {
    const SoftmaxSums raw = softmaxSums(logits, best);
    Sampled out;
    out.entropyBits = static_cast<float>(raw.entropyBits);
    out.candidates = bestCandidates(logits, raw, nCandidates);
    set_.assign(logits);
    runStages(recent, out.candidates);

    double sum = 0;
    const std::span<const float> weights = set_.weights(sum);
    const size_t drawn = set_.size() == 1 && isGreedy(params_) ? 0 : draw(weights, sum);
    const auto probability = [&](size_t i) { return static_cast<float>(weights[i] / sum); };
    for (Candidate& c : out.candidates) {
        if (c.cutBy == 0) c.sampledProb = probability(set_.indexOf(c.id.value));
    }
    const int32_t id = set_.ids()[drawn];
    out.id = TokenId(id);
    out.logit = logits[static_cast<size_t>(id)];
    out.rawProb = raw.probability(out.logit);
    out.sampledProb = probability(drawn);
    out.rank = rankOf(logits, id);
    return out;
}

void SamplerChain::runStages(std::span<const TokenId> recent, std::vector<Candidate>& candidates) {
    const StageInput input{params_, recent, counts_};
    for (const SamplerStageSpec* spec : samplerStages()) {
        if (!isApplied(*spec, params_)) continue;
        spec->apply(set_, input);
        for (Candidate& c : candidates) {
            if (c.cutBy == 0 && set_.indexOf(c.id.value) == set_.size()) {
                c.cutBy = static_cast<uint8_t>(static_cast<int>(spec->stage) + 1);
            }
        }
    }
}

size_t SamplerChain::draw(std::span<const float> weights, double sum) {
    const double target = random_.uniform() * sum;
    double reached = 0;
    size_t last = 0;  // the last with any weight: rounding may leave the target just beyond it
    for (size_t i = 0; i < weights.size(); ++i) {
        if (weights[i] <= 0) continue;
        last = i;
        reached += weights[i];
        if (reached > target) break;
    }
    return last;
}

}  // namespace vitrine::engine
