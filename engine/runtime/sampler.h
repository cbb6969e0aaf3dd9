#pragma once
// Picks the next token: penalties → top-k → typical → top-p → min-p → temperature → draw, and says
// for the best tokens what each stage did to them. The same parameters, seed and logits give the
// same tokens on every machine: the generator and the exponential are written out here, and the
// draw walks the remaining tokens in order of their id. Thread: one at a time.

#include <cstdint>
#include <span>
#include <vector>

#include "engine/base/ids.h"
#include "engine/base/result.h"
#include "engine/runtime/messages.h"
#include "engine/runtime/sampling/candidate_set.h"
#include "engine/runtime/sampling/random.h"
#include "engine/runtime/sampling_params.h"

namespace vitrine::engine {

struct Sampled {
    TokenId id;
    int32_t rank = 0;                   ///< by raw logit, 0 = the best; ties by id
    float logit = 0;                    ///< raw
    float rawProb = 0;                  ///< softmax of the raw logits
    float sampledProb = 0;              ///< with which it was drawn; 1 when greedy
    float entropyBits = 0;              ///< of the raw distribution
    std::vector<Candidate> candidates;  ///< best raw logits first; text is left empty
};

class SamplerChain {
public:
    /// vocab: length of the logits that pick() will get. seed: used instead of params.seed. Numbers
    /// outside a stage's sense (NaN, negative) switch it off or, for the temperature, mean greedy.
    SamplerChain(const SamplingParams& params, int32_t vocab, uint64_t seed);

    /// logits: [vocab] f32, not changed. recent: the tokens before, newest last; the penalties look
    /// at the last repeatLastN of them. Draws one random number, none when greedy.
    /// Fails: InvalidArgument (not vocab logits), Device (a logit is not a finite number),
    /// OutOfMemory.
    Result<Sampled> pick(std::span<const float> logits, std::span<const TokenId> recent,
                         int nCandidates);

private:
    Result<Sampled> pickFrom(std::span<const float> logits, float best,
                             std::span<const TokenId> recent, int nCandidates);
    void runStages(std::span<const TokenId> recent, std::vector<Candidate>& candidates);
    size_t draw(std::span<const float> weights, double sum);

    SamplingParams params_;
    SamplingRandom random_;
    CandidateSet set_;
    std::vector<int32_t> counts_;  ///< [vocab], scratch of the penalties
};

}  // namespace vitrine::engine
