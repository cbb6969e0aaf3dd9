#include <cmath>

#include "kernels/reference/reference.h"

namespace vitrine::kernels::reference {

// Source: Zhang & Sennrich 2019, "Root Mean Square Layer Normalization", eq. 4.
void rmsNorm(const RmsNormArgs& args) noexcept {
    for (int64_t t = 0; t < args.nTok; ++t) {
        const float* x = args.x + t * args.dim;
        float* out = args.out + t * args.dim;
        double sum = 0;
        for (int i = 0; i < args.dim; ++i) sum += static_cast<double>(x[i]) * x[i];
        const double inverse = 1.0 / std::sqrt(sum / args.dim + args.eps);
        for (int i = 0; i < args.dim; ++i) {
            out[i] = static_cast<float>(x[i] * inverse) * args.weight[i];
        }
    }
}

}  // namespace vitrine::kernels::reference
