// Whole-vocabulary passes against doubles and sorts.

#include <algorithm>
#include <cmath>

#include "engine/runtime/sampling/logits.h"
#include "tests/engine/random_logits.h"
#include "tests/support/mini_test.h"

using namespace vitrine;
using namespace vitrine::engine;
using test::randomLogits;

TEST(exponentialIsExact) {
    double worst = 0;
    for (int i = 0; i <= 870'000; ++i) {
        const float x = -static_cast<float>(i) * 1e-4f;
        const double want = std::exp(static_cast<double>(x));
        worst = std::max(worst, std::fabs(expNonPositive(x) - want) / want);
    }
    CHECK(worst < 3e-7);
    CHECK_EQ(expNonPositive(0), 1.0f);
    CHECK_EQ(expNonPositive(-87.1f), 0.0f);
    CHECK_EQ(expNonPositive(-1e30f), 0.0f);
}

TEST(rawSumsMatchDoublesAtEverySize) {
    for (const size_t n : {1, 2, 3, 4, 5, 1023, 1024, 1027, 50'001}) {
        const std::vector<float> logits = randomLogits(n, n, 4);
        const double best = *std::max_element(logits.begin(), logits.end());
        double sum = 0, entropy = 0;
        for (const float x : logits) sum += std::exp(x - best);
        for (const float x : logits) {
            const double p = std::exp(x - best) / sum;
            entropy -= p * std::log2(p);
        }
        CHECK_EQ(static_cast<double>(finiteMax(logits).value_or(-1)), best);
        const SoftmaxSums sums = softmaxSums(logits, static_cast<float>(best));
        CHECK_NEAR(sums.sumExp / sum, 1, 1e-6);
        CHECK_NEAR(sums.entropyBits, entropy, 1e-5);
    }
}

TEST(bestIdsMatchASort) {
    std::vector<float> logits = randomLogits(20'000, 3, 1);
    for (size_t i = 0; i < logits.size(); i += 3)
        logits[i] = std::round(logits[i] * 4) / 4;  // ties
    std::vector<int32_t> sorted(logits.size());
    for (size_t i = 0; i < sorted.size(); ++i) sorted[i] = static_cast<int32_t>(i);
    std::stable_sort(sorted.begin(), sorted.end(), [&](int32_t a, int32_t b) {
        return logits[static_cast<size_t>(a)] > logits[static_cast<size_t>(b)];
    });
    for (const size_t n : {size_t{0}, size_t{1}, size_t{5}, size_t{40}, size_t{1024}, size_t{1025},
                           size_t{19'999}, size_t{20'000}, size_t{30'000}}) {
        const std::vector<int32_t> got = bestIds(logits, n);
        const size_t expected = std::min(n, logits.size());
        CHECK_EQ(got.size(), expected);
        CHECK(std::equal(got.begin(), got.end(), sorted.begin()));
    }
    for (size_t r = 0; r < sorted.size(); r += 37) {
        CHECK_EQ(rankOf(logits, sorted[r]), static_cast<int32_t>(r));
    }
}

VITRINE_TEST_MAIN()
