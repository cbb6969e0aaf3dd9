#include <cmath>

#include "kernels/reference/reference.h"

namespace vitrine::kernels::reference {

namespace {

/// Ascending numbers of the largest logits; among equal ones the lower number.
void choose(const RouteArgs& args, const float* logits, int32_t* chosen) noexcept {
    int32_t n = 0;
    for (int32_t e = 0; e < args.nExperts && n < args.nUsed; ++e) {
        int32_t better = 0;
        for (int32_t other = 0; other < args.nExperts; ++other) {
            better += logits[other] > logits[e] || (logits[other] == logits[e] && other < e);
        }
        // What is left must be taken where a NaN hides an order.
        const bool isNeeded = args.nExperts - e <= args.nUsed - n;
        if (better < args.nUsed || isNeeded) chosen[n++] = e;
    }
}

}  // namespace

// Source: Shazeer et al. 2017, "Outrageously Large Neural Networks", eq. 3–5, with the softmax
// taken over all experts first, as in Jiang et al. 2024, "Mixtral of Experts", section 2.1.
void route(const RouteArgs& args) noexcept {
    for (int64_t t = 0; t < args.nTok; ++t) {
        const float* logits = args.logits + t * args.nExperts;
        int32_t* chosen = args.experts + t * args.nUsed;
        float* weights = args.weights + t * args.nUsed;
        choose(args, logits, chosen);
        double largest = logits[0], all = 0, used = 0;
        for (int32_t e = 1; e < args.nExperts; ++e) largest = std::fmax(largest, logits[e]);
        for (int32_t e = 0; e < args.nExperts; ++e) all += std::exp(logits[e] - largest);
        for (int32_t i = 0; i < args.nUsed; ++i) used += std::exp(logits[chosen[i]] - largest);
        const double sum = args.renormalise ? used : all;
        for (int32_t i = 0; i < args.nUsed; ++i) {
            weights[i] =
                static_cast<float>(std::exp(logits[chosen[i]] - largest) / sum * args.scale);
        }
    }
}

void experts(const ExpertsArgs& args, const ExpertRows* matrices, float* buffer) noexcept {
    const int32_t width = args.dim > args.ffDim ? args.dim : args.ffDim;
    float* row = buffer;
    float* gate = row + width;
    float* up = gate + args.ffDim;
    float* part = up + args.ffDim;
    for (int64_t t = 0; t < args.nTok; ++t) {
        const float* x = args.x + t * args.dim;
        float* out = args.out + t * args.dim;
        for (int i = 0; i < args.dim; ++i) out[i] = 0;
        for (int64_t k = 0; k < args.nUsed; ++k) {
            const ExpertRows& expert = matrices[args.experts[t * args.nUsed + k]];
            linear(expert.gate, x, 1, nullptr, false, gate, row);
            linear(expert.up, x, 1, nullptr, false, up, row);
            activate({gate, up, gate, args.ffDim, args.activation});
            linear(expert.down, gate, 1, nullptr, false, part, row);
            for (int i = 0; i < args.dim; ++i) {
                out[i] += args.weights[t * args.nUsed + k] * part[i];
            }
        }
    }
}

}  // namespace vitrine::kernels::reference
