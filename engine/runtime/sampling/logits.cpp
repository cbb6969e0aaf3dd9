#include "engine/runtime/sampling/logits.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>

namespace vitrine::engine {
namespace {

using F4 = float __attribute__((vector_size(16)));
using I4 = int32_t __attribute__((vector_size(16)));

constexpr size_t kLanes = 4;

F4 load(const float* p) noexcept {
    F4 v;
    std::memcpy(&v, p, sizeof v);
    return v;
}

F4 splat(float x) noexcept {
    return F4{x, x, x, x};
}

float sumOf(F4 v) noexcept {
    return (v[0] + v[1]) + (v[2] + v[3]);
}

bool anyOf(I4 v) noexcept {
    return (v[0] | v[1] | v[2] | v[3]) != 0;
}

// e^x = 2^n · e^r with n = round(x / ln 2) and |r| ≤ ln 2 / 2. Adding 1.5·2^23 rounds to an integer
// that is then found in the low bits of the sum; shifted into the exponent field it gives 2^n.
// e^r is its Taylor series up to r^7 (error r^8/8! < 6e−9).
F4 exp4(F4 x) noexcept {
    constexpr float kLowest = -87.0f;
    constexpr float kRound = 12582912.0f;
    constexpr float kLog2e = 1.44269504f;
    constexpr float kLn2High = 0.693359375f;  // 10 bits: n·kLn2High is exact
    constexpr float kLn2Low = -2.12194440e-4f;
    const I4 isTiny = x < splat(kLowest);
    x = isTiny ? splat(kLowest) : x;
    const F4 rounded = x * splat(kLog2e) + splat(kRound);
    const F4 n = rounded - splat(kRound);
    const F4 r = (x - n * splat(kLn2High)) - n * splat(kLn2Low);
    F4 p = splat(1.0f / 5040);
    for (const float c : {1.0f / 720, 1.0f / 120, 1.0f / 24, 1.0f / 6, 0.5f, 1.0f, 1.0f}) {
        p = p * r + splat(c);
    }
    I4 bits;
    std::memcpy(&bits, &rounded, sizeof bits);
    using U4 = uint32_t __attribute__((vector_size(16)));
    const U4 exponent = (U4(bits) << 23) + 0x3f800000u;
    F4 scale;
    std::memcpy(&scale, &exponent, sizeof scale);
    return isTiny ? splat(0) : p * scale;
}

}  // namespace

float expNonPositive(float x) noexcept {
    return exp4(splat(x))[0];
}

void expAll(std::span<const float> logits, float best, std::span<float> out) noexcept {
    size_t i = 0;
    for (; i + kLanes <= logits.size(); i += kLanes) {
        const F4 e = exp4(load(&logits[i]) - splat(best));
        std::memcpy(&out[i], &e, sizeof e);
    }
    for (; i < logits.size(); ++i) out[i] = expNonPositive(logits[i] - best);
}

std::optional<float> finiteMax(std::span<const float> logits) noexcept {
    if (logits.empty()) return std::nullopt;
    const float* p = logits.data();
    F4 best = splat(p[0]);
    I4 bad{};
    size_t i = 0;
    for (; i + kLanes <= logits.size(); i += kLanes) {
        const F4 x = load(p + i);
        const F4 zero = x - x;  // NaN for infinities and NaN
        bad |= zero != zero;
        best = x > best ? x : best;
    }
    bool isBad = anyOf(bad);
    float result = std::max(std::max(best[0], best[1]), std::max(best[2], best[3]));
    for (; i < logits.size(); ++i) {
        isBad |= !std::isfinite(p[i]);
        result = std::max(result, p[i]);
    }
    return isBad ? std::nullopt : std::optional(result);
}

SoftmaxSums softmaxSums(std::span<const float> logits, float best) noexcept {
    // Float lanes over short blocks, doubles between them: exact enough at any vocabulary size.
    constexpr size_t kBlock = 1024;
    double sumExp = 0;
    double sumScaled = 0;  // Σ (x − best)·e^(x − best)
    size_t i = 0;
    while (i + kLanes <= logits.size()) {
        const size_t end = std::min(logits.size() - kLanes, i + kBlock - kLanes);
        F4 e = splat(0);
        F4 s = splat(0);
        for (; i <= end; i += kLanes) {
            const F4 x = load(&logits[i]) - splat(best);
            const F4 term = exp4(x);
            e += term;
            s += (x < splat(-87.0f) ? splat(0) : x) * term;
        }
        sumExp += sumOf(e);
        sumScaled += sumOf(s);
    }
    for (; i < logits.size(); ++i) {
        const float x = logits[i] - best;
        const float term = expNonPositive(x);
        sumExp += term;
        sumScaled += term > 0 ? x * term : 0;
    }
    SoftmaxSums sums;
    sums.best = best;
    sums.sumExp = sumExp;
    // −Σ p·ln p with p = e^(x − best) / sumExp.
    sums.entropyBits = std::max(0.0, (std::log(sumExp) - sumScaled / sumExp) / std::log(2.0));
    return sums;
}

float SoftmaxSums::probability(float logit) const noexcept {
    return static_cast<float>(expNonPositive(logit - best) / sumExp);
}

int32_t rankOf(std::span<const float> logits, int32_t id) noexcept {
    const auto own = static_cast<size_t>(id);
    const float value = logits[own];
    I4 count{};
    size_t i = 0;
    // A true comparison is −1. Up to `own` equal logits count too.
    for (; i + kLanes <= own; i += kLanes) count -= load(&logits[i]) >= splat(value);
    int32_t rank = 0;
    for (; i < own; ++i) rank += logits[i] >= value ? 1 : 0;
    for (; i < logits.size() && i % kLanes != 0; ++i) rank += logits[i] > value ? 1 : 0;
    for (; i + kLanes <= logits.size(); i += kLanes) count -= load(&logits[i]) > splat(value);
    for (; i < logits.size(); ++i) rank += logits[i] > value ? 1 : 0;
    return rank + count[0] + count[1] + count[2] + count[3];
}

std::vector<int32_t> bestIds(std::span<const float> logits, size_t n) {
    n = std::min(n, logits.size());
    std::vector<int32_t> ids;
    if (n == 0) return ids;
    const auto comesBefore = [&](int32_t a, int32_t b) {
        const float x = logits[static_cast<size_t>(a)];
        const float y = logits[static_cast<size_t>(b)];
        return x != y ? x > y : a < b;
    };
    // Few of many: a heap whose top is the worst one kept. Almost every block of four lies below it
    // and costs one comparison. Many: the usual selection.
    constexpr size_t kHeapLimit = 1024;
    if (n > kHeapLimit) {
        ids.resize(logits.size());
        std::iota(ids.begin(), ids.end(), 0);
        std::nth_element(ids.begin(), ids.begin() + static_cast<std::ptrdiff_t>(n - 1), ids.end(),
                         comesBefore);
        ids.resize(n);
        std::sort(ids.begin(), ids.end(), comesBefore);
        return ids;
    }
    size_t i = 0;
    for (; i < n; ++i) ids.push_back(static_cast<int32_t>(i));
    std::make_heap(ids.begin(), ids.end(), comesBefore);
    const auto offer = [&](size_t k) {
        if (!(logits[k] > logits[static_cast<size_t>(ids.front())])) return;
        std::pop_heap(ids.begin(), ids.end(), comesBefore);
        ids.back() = static_cast<int32_t>(k);
        std::push_heap(ids.begin(), ids.end(), comesBefore);
    };
    while (i < logits.size()) {
        const F4 worst = splat(logits[static_cast<size_t>(ids.front())]);
        while (i + kLanes <= logits.size() && !anyOf(load(&logits[i]) > worst)) i += kLanes;
        const size_t end = std::min(i + kLanes, logits.size());
        for (; i < end; ++i) offer(i);
    }
    std::sort_heap(ids.begin(), ids.end(), comesBefore);
    return ids;
}

}  // namespace vitrine::engine
