#pragma once
// The one place where tests of kernels get their tolerances: from the arithmetic of the op (type of
// the weights, mode, length of the sum), never from what a run happened to give. Thread: pure.

#include <cmath>
#include <cstdint>

#include "kernels/api/dtype.h"

namespace vitrine::test {

/// Rounding of a float32 sum of n terms whose absolute values add up to absSum: a random walk of
/// roundings has √n·ε/2; 1e-6·√n is about 8 times that.
inline double sumTolerance(int64_t n, double absSum) {
    return 1e-6 * std::sqrt(static_cast<double>(n)) * absSum + 1e-30;
}

/// Are activations rounded to 8 bits for this weight type in the fast modes? For all block formats.
inline bool usesInt8(kernels::DType type) {
    return kernels::dtypeInfo(type).blockValues > 1;
}

/// Error of y = Σ w·x of n terms. squares: Σ over terms of (w·largest |x| of its 32-block)². 8-bit
/// activations err by at most 1/254 of that largest value, evenly, so the sum's deviation is
/// √squares/(254·√3); six deviations are allowed.
inline double linearTolerance(kernels::DType type, bool isExact, int64_t n, double absSum,
                              double squares) {
    double tolerance = sumTolerance(n, absSum);
    if (!isExact && usesInt8(type)) tolerance += 6 * std::sqrt(squares) / (254 * std::sqrt(3.0));
    return tolerance;
}

/// A chain of a few float32 operations and one exp on a value of this size.
inline double pointTolerance(double size) {
    return 2e-6 * size + 1e-30;
}

/// Attention: scores of size `score` from sums over headDim, weighted means of values up to `size`.
inline double attentionTolerance(int headDim, double score, double size) {
    return (sumTolerance(headDim, score) + 4e-6) * size;
}

}  // namespace vitrine::test
