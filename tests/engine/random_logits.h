#pragma once
// Repeatable logits for sampler tests. Thread: pure functions.

#include <cstdint>
#include <vector>

#include "tests/support/tiny_model.h"

namespace vitrine::test {

/// n nearly normal values of deviation `scale`.
inline std::vector<float> randomLogits(size_t n, uint64_t seed, float scale) {
    TinyRandom random(seed);
    std::vector<float> out(n);
    for (float& x : out) x = scale * random.normal();
    return out;
}

}  // namespace vitrine::test
