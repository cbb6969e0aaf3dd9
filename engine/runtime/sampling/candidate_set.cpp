#include "engine/runtime/sampling/candidate_set.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "engine/runtime/sampling/logits.h"

namespace vitrine::engine {

void CandidateSet::assign(std::span<const float> logits) {
    logits_.assign(logits.begin(), logits.end());
    ids_.resize(logits.size());
    std::iota(ids_.begin(), ids_.end(), 0);
}

float CandidateSet::bestLogit() const noexcept {
    return finiteMax(logits_).value_or(0.0f);
}

size_t CandidateSet::bestIndex() const noexcept {
    return static_cast<size_t>(std::find(logits_.begin(), logits_.end(), bestLogit()) -
                               logits_.begin());
}

std::span<const float> CandidateSet::weights(double& sum) {
    weights_.resize(logits_.size());
    expAll(logits_, bestLogit(), weights_);
    // Four sums at once: one after the other they would wait for each other's result.
    double sums[4] = {};
    size_t i = 0;
    for (; i + 4 <= weights_.size(); i += 4) {
        for (size_t lane = 0; lane < 4; ++lane) sums[lane] += weights_[i + lane];
    }
    for (; i < weights_.size(); ++i) sums[0] += weights_[i];
    sum = (sums[0] + sums[1]) + (sums[2] + sums[3]);
    return weights_;
}

size_t CandidateSet::indexOf(int32_t id) const noexcept {
    const auto it = std::lower_bound(ids_.begin(), ids_.end(), id);
    return it != ids_.end() && *it == id ? static_cast<size_t>(it - ids_.begin()) : ids_.size();
}

template <class Keep>
void CandidateSet::filter(Keep keep) {
    size_t n = 0;
    for (size_t i = 0; i < ids_.size(); ++i) {
        // Without a branch: which ones stay cannot be predicted.
        ids_[n] = ids_[i];
        logits_[n] = logits_[i];
        n += keep(i) ? 1 : 0;
    }
    ids_.resize(n);
    logits_.resize(n);
}

void CandidateSet::keepBest(size_t n) {
    if (n >= size()) return;
    std::vector<int32_t> kept = bestIds(logits_, std::max<size_t>(n, 1));
    std::sort(kept.begin(), kept.end());
    for (size_t i = 0; i < kept.size(); ++i) {
        const auto from = static_cast<size_t>(kept[i]);
        ids_[i] = ids_[from];
        logits_[i] = logits_[from];
    }
    ids_.resize(kept.size());
    logits_.resize(kept.size());
}

void CandidateSet::keepFrom(float least) {
    const float limit = std::min(least, bestLogit());
    filter([&](size_t i) { return logits_[i] >= limit; });
}

void CandidateSet::keepOnly(size_t index) {
    ids_ = {ids_[index]};
    logits_ = {logits_[index]};
}

std::span<float> CandidateSet::keys() {
    keys_.resize(size());
    return keys_;
}

// Sorting a whole vocabulary costs ten milliseconds. Instead the weight is summed by buckets of the
// key; all buckets before the one that crosses the mass are kept, and only that one is sorted.
void CandidateSet::keepMass(double mass) {
    constexpr size_t kBuckets = 1024;
    constexpr float kBucketsPerUnit = 16;  // keys beyond 64 nats share the last bucket
    double sum = 0;
    const std::span<const float> weight = weights(sum);
    const float lowest = *std::min_element(keys_.begin(), keys_.end());
    buckets_.resize(size());
    std::array<double, kBuckets> bucketWeight{};
    for (size_t i = 0; i < size(); ++i) {
        const float position = std::min((keys_[i] - lowest) * kBucketsPerUnit, kBuckets - 1.0f);
        buckets_[i] = static_cast<uint16_t>(static_cast<int32_t>(position));
        bucketWeight[buckets_[i]] += weight[i];
    }
    const double wanted = mass * sum;
    double reached = 0;
    size_t crossing = 0;
    while (crossing < kBuckets - 1 && reached + bucketWeight[crossing] < wanted) {
        reached += bucketWeight[crossing++];
    }
    std::vector<uint32_t> members;
    for (size_t i = 0; i < size(); ++i) {
        if (buckets_[i] == crossing) members.push_back(static_cast<uint32_t>(i));
    }
    std::sort(members.begin(), members.end(), [&](uint32_t a, uint32_t b) {
        return keys_[a] != keys_[b] ? keys_[a] < keys_[b] : a < b;
    });
    // The members that stay join the buckets before, the others those after.
    size_t nKept = 0;
    for (const uint32_t i : members) {
        const bool isKept = (crossing == 0 && nKept == 0) || reached < wanted;
        if (isKept) reached += weight[i];
        nKept += isKept ? 1 : 0;
        buckets_[i] = isKept ? 0 : kBuckets;
    }
    filter([&](size_t i) { return buckets_[i] <= crossing; });
}

}  // namespace vitrine::engine
