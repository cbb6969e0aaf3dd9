#include <cmath>

#include "kernels/reference/reference.h"

namespace vitrine::kernels::reference {

// Source: Ba et al. 2016, "Layer Normalization", eq. 4.
void layerNorm(const LayerNormArgs& args) noexcept {
    for (int64_t t = 0; t < args.nTok; ++t) {
        const float* x = args.x + t * args.dim;
        float* out = args.out + t * args.dim;
        double sum = 0, squares = 0;
        for (int i = 0; i < args.dim; ++i) sum += x[i];
        const double mean = sum / args.dim;
        for (int i = 0; i < args.dim; ++i) squares += (x[i] - mean) * (x[i] - mean);
        const double inverse = 1.0 / std::sqrt(squares / args.dim + args.eps);
        for (int i = 0; i < args.dim; ++i) {
            const double bias = args.bias != nullptr ? args.bias[i] : 0.0;
            out[i] = static_cast<float>((x[i] - mean) * inverse * args.weight[i] + bias);
        }
    }
}

}  // namespace vitrine::kernels::reference
