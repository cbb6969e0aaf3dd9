#include <cmath>

#include "kernels/reference/reference.h"

namespace vitrine::kernels::reference {

// Source: Shazeer 2020, "GLU Variants Improve Transformer", SwiGLU with beta = 1.
void siluMul(const SiluMulArgs& args) noexcept {
    for (int64_t i = 0; i < args.n; ++i) {
        const double gate = args.gate[i];
        args.out[i] = static_cast<float>(gate / (1.0 + std::exp(-gate)) * args.up[i]);
    }
}

}  // namespace vitrine::kernels::reference
