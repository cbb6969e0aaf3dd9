#include <cmath>

#include "kernels/reference/reference.h"

namespace vitrine::kernels::reference {

namespace {

// Sources: Hendrycks & Gimpel 2016, "Gaussian Error Linear Units" (both forms of GELU); Shazeer
// 2020, "GLU Variants Improve Transformer" (SwiGLU with beta = 1, GEGLU).
double activated(Activation kind, double x) noexcept {
    constexpr double kSqrtTwoOverPi = 0.79788456080286535588;
    constexpr double kSqrtHalf = 0.70710678118654752440;
    switch (kind) {
        case Activation::Silu: return x / (1.0 + std::exp(-x));
        // 1 + tanh z = 2/(1 + e^(−2z)), which keeps its digits where x is far below zero.
        case Activation::GeluTanh:
            return x / (1.0 + std::exp(-2.0 * kSqrtTwoOverPi * (x + 0.044715 * x * x * x)));
        case Activation::GeluErf: return 0.5 * x * std::erfc(-x * kSqrtHalf);
    }
    return 0;
}

}  // namespace

void activate(const ActivateArgs& args) noexcept {
    for (int64_t i = 0; i < args.n; ++i) {
        const double times = args.times != nullptr ? args.times[i] : 1.0;
        args.out[i] = static_cast<float>(activated(args.kind, args.x[i]) * times);
    }
}

}  // namespace vitrine::kernels::reference
