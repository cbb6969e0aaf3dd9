#pragma once
// From a model's RoPE settings to the angle per position of each pair. Thread: pure functions.

#include <vector>

#include "engine/model/config.h"

namespace vitrine::engine {

struct RopeFrequencies {
    std::vector<double> theta;  ///< [dim/2] radians per position
    double magnitude = 1.0;     ///< of cos and sin
};

/// windowed: the second set of angles. isLong: LongRoPE's long divisors instead of the short ones.
/// Requires: config.dim > 0 and divisors of length dim/2 where there are any. Never fails.
RopeFrequencies ropeFrequencies(const RopeConfig& config, bool windowed, bool isLong);

}  // namespace vitrine::engine
