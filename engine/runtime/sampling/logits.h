#pragma once
// Passes over a whole vocabulary of logits (152,000 floats for Qwen): extremes, softmax sums, ranks
// and the best few. Four lanes of vector arithmetic that every x86-64 and arm64 has, and an
// exponential of its own, so that results are the same on every machine. Thread: pure functions.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace vitrine::engine {

/// e^x for x ≤ 0, relative error below 3e−7; 0 below −87. Never fails.
float expNonPositive(float x) noexcept;

/// out[i] = e^(logits[i] − best) for all i. Requires: same sizes, no logit above best. Never fails.
void expAll(std::span<const float> logits, float best, std::span<float> out) noexcept;

/// The largest value, or nothing when one is not finite (or there are none). Never fails.
std::optional<float> finiteMax(std::span<const float> logits) noexcept;

/// Softmax over all logits, without its terms.
struct SoftmaxSums {
    float best = 0;          ///< the largest logit
    double sumExp = 0;       ///< Σ e^(x − best)
    double entropyBits = 0;  ///< −Σ p·log2 p

    float probability(float logit) const noexcept;
};

/// Requires: best is the largest of `logits` and all are finite. Never fails.
SoftmaxSums softmaxSums(std::span<const float> logits, float best) noexcept;

/// How many logits come before the one of `id`: larger ones, and equal ones with a lower id. 0 =
/// the best. Never fails.
int32_t rankOf(std::span<const float> logits, int32_t id) noexcept;

/// Ids of the n largest logits, best first, ties by the lower id; all when there are fewer. Never
/// fails but for memory.
std::vector<int32_t> bestIds(std::span<const float> logits, size_t n);

}  // namespace vitrine::engine
