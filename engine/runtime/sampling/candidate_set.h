#pragma once
// The tokens that are still in the running, with their logits as changed so far, always in order
// of token id: the draw then does not depend on how near-equal logits happened to be sorted. Never
// becomes empty. Thread: one at a time.

#include <cstdint>
#include <span>
#include <vector>

namespace vitrine::engine {

class CandidateSet {
public:
    /// The whole vocabulary. Requires: at least one logit, all finite.
    void assign(std::span<const float> logits);

    size_t size() const noexcept { return ids_.size(); }

    std::span<const int32_t> ids() const noexcept { return ids_; }  ///< [size], ascending

    std::span<const float> logits() const noexcept { return logits_; }  ///< [size]

    std::span<float> logits() noexcept { return logits_; }

    float bestLogit() const noexcept;

    /// Index of the best one; ties to the lowest id.
    size_t bestIndex() const noexcept;

    /// e^(logit − best) of each, [size]; valid until the set changes. sum: their sum.
    std::span<const float> weights(double& sum);

    /// Index of a token, or size() when it was cut.
    size_t indexOf(int32_t id) const noexcept;

    /// Keeps the n best (at least one).
    void keepBest(size_t n);
    /// Keeps those whose logit is at least `least`; the best one always.
    void keepFrom(float least);
    void keepOnly(size_t index);

    /// Keeps the fewest that have `mass` of the weights together, taken by ascending keys(), ties
    /// by id; at least one. Requires: keys() filled with finite numbers; mass in [0, 1].
    void keepMass(double mass);

    /// Keys of keepMass(), [size], for the caller to fill. Kept here so that a vocabulary's worth
    /// of memory is not taken afresh for each token.
    std::span<float> keys();

private:
    template <class Keep>
    void filter(Keep keep);

    std::vector<int32_t> ids_;
    std::vector<float> logits_;
    std::vector<float> weights_;     ///< scratch of weights()
    std::vector<float> keys_;        ///< scratch of keepMass()
    std::vector<uint16_t> buckets_;  ///< scratch of keepMass()
};

}  // namespace vitrine::engine
