#include <cmath>

#include "kernels/reference/reference.h"

namespace vitrine::kernels::reference {

void addScaled(const AddScaledArgs& args) noexcept {
    for (int64_t i = 0; i < args.n; ++i) args.y[i] += args.scale * args.x[i];
}

// Source: Gemma Team 2024, "Gemma 2", section 2 (logit soft-capping).
void scaleCap(const ScaleCapArgs& args) noexcept {
    for (int64_t i = 0; i < args.n; ++i) {
        const double x = static_cast<double>(args.x[i]) * args.scale;
        args.x[i] =
            static_cast<float>(args.softcap > 0 ? args.softcap * std::tanh(x / args.softcap) : x);
    }
}

}  // namespace vitrine::kernels::reference
