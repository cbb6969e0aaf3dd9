#include "engine/model/rope.h"

#include <algorithm>
#include <cmath>

namespace vitrine::engine {

namespace {

/// Pair index (not rounded) whose wavelength fits `turns` times into the original context. Source:
/// Peng et al. 2023, "YaRN", section 3.2, solved for the dimension.
double pairOfTurns(const RopeConfig& config, const RopeAngles& angles, double turns) {
    constexpr double kTwoPi = 6.283185307179586;
    return config.dim * std::log(config.originalContext / (turns * kTwoPi)) /
           (2 * std::log(angles.base));
}

/// How much of pair i keeps its frequency: 1 for fast pairs, 0 for slow ones, a ramp between.
double keptShare(const RopeConfig& config, const RopeAngles& angles, int32_t i) {
    const double low = std::max(std::floor(pairOfTurns(config, angles, angles.yarnBetaFast)), 0.0);
    const double high =
        std::min(std::ceil(pairOfTurns(config, angles, angles.yarnBetaSlow)), config.dim - 1.0);
    const double ramp = (i - low) / std::max(high - low, 0.001);
    return (1.0 - std::clamp(ramp, 0.0, 1.0)) * angles.yarnShare;
}

}  // namespace

RopeFrequencies ropeFrequencies(const RopeConfig& config, bool windowed, bool isLong) {
    const RopeAngles& angles = windowed ? config.windowed : config.full;
    const std::vector<float>& divisors = config.isLongRope()
                                             ? (isLong ? config.longDivisors : config.shortDivisors)
                                             : config.freqDivisors;
    const bool isYarn = angles.yarnFactor != 1.0;
    RopeFrequencies out;
    out.magnitude = angles.magnitude;
    if (isYarn && angles.yarnShare != 0) out.magnitude *= 1.0 + 0.1 * std::log(angles.yarnFactor);
    for (int32_t i = 0; i < config.dim / 2; ++i) {
        // Su et al. 2021 (RoFormer), eq. 15: θ_i = base^(−2i/d); divisors as in Llama 3.1 and
        // LongRoPE (Ding et al. 2024, eq. 1).
        double theta = std::pow(angles.base, -2.0 * i / config.dim);
        if (!divisors.empty() && !windowed)
            theta /= static_cast<double>(divisors[static_cast<size_t>(i)]);
        if (isYarn) {
            const double kept = keptShare(config, angles, i);
            theta *= kept + (1.0 - kept) / angles.yarnFactor;
        }
        out.theta.push_back(theta / angles.linearFactor);
    }
    return out;
}

}  // namespace vitrine::engine
