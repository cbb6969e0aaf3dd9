#include "kernels/cpu/experts.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace vitrine::kernels::cpu {

namespace {

// Values below which waking the pool costs more than it saves.
constexpr int64_t kWorthwhile = 32768;

void gather(Context& context, const ExpertsArgs& args, const int32_t* rows, int32_t n) noexcept {
    const int64_t dim = args.dim;
    forRows(context, n, dim, kWorthwhile, [&](int64_t first, int64_t last, int) {
        for (int64_t i = first; i < last; ++i) {
            std::memcpy(args.gathered + i * dim, args.x + rows[i] / args.nUsed * dim,
                        static_cast<size_t>(dim) * sizeof(float));
        }
    });
}

/// out_t += weight·part of the expert's tokens. An expert has a token once, so rows are disjoint.
void scatter(Context& context, const ExpertsArgs& args, const int32_t* rows, int32_t n) noexcept {
    const int64_t dim = args.dim;
    forRows(context, n, dim, kWorthwhile, [&](int64_t first, int64_t last, int) {
        for (int64_t i = first; i < last; ++i) {
            const float weight = args.weights[rows[i]];
            float* out = args.out + rows[i] / args.nUsed * dim;
            const float* part = args.part + i * dim;
            for (int64_t c = 0; c < dim; ++c) out[c] += weight * part[c];
        }
    });
}

/// One expert on the tokens `rows`, each an index into [tok, nUsed].
void oneExpert(Context& context, const ExpertsArgs& args, int32_t expert, const int32_t* rows,
               int32_t n) noexcept {
    const Ops& ops = *context.ops;
    const float* x = args.x;  // a single token is used where it lies
    if (args.nTok > 1) {
        gather(context, args, rows, n);
        x = args.gathered;
    }
    ops.linear(context, {x,
                         n,
                         2,
                         {args.gate[expert], args.up[expert]},
                         {nullptr, nullptr},
                         {args.gateOut, args.upOut},
                         false});
    ops.activate(context, {args.gateOut, args.upOut, args.gateOut, int64_t{n} * args.ffDim,
                           args.activation});
    ops.linear(context, {args.gateOut, n, 1, {args.down[expert]}, {nullptr}, {args.part}, false});
    scatter(context, args, rows, n);
}

}  // namespace

void routeToken(const RouteArgs& args, int64_t tok) noexcept {
    const float* logits = args.logits + tok * args.nExperts;
    int32_t* chosen = args.experts + tok * args.nUsed;
    float* weights = args.weights + tok * args.nUsed;
    // Best first while they are collected; an equal logit stays behind the lower number.
    int32_t n = 0;
    for (int32_t e = 0; e < args.nExperts; ++e) {
        int32_t at = n;
        while (at > 0 && logits[e] > logits[chosen[at - 1]]) --at;
        if (at == args.nUsed) continue;
        for (int32_t i = n < args.nUsed ? n : args.nUsed - 1; i > at; --i)
            chosen[i] = chosen[i - 1];
        chosen[at] = e;
        if (n < args.nUsed) ++n;
    }
    const float largest = logits[chosen[0]];
    std::sort(chosen, chosen + args.nUsed);
    float sum = 0;
    if (args.renormalise) {
        for (int32_t i = 0; i < args.nUsed; ++i) sum += std::exp(logits[chosen[i]] - largest);
    } else {
        for (int32_t e = 0; e < args.nExperts; ++e) sum += std::exp(logits[e] - largest);
    }
    for (int32_t i = 0; i < args.nUsed; ++i) {
        weights[i] = std::exp(logits[chosen[i]] - largest) / sum * args.scale;
    }
}

void groupedExperts(Context& context, const ExpertsArgs& args) noexcept {
    // A routing that was cut short left numbers that mean nothing.
    if (context.pool.isCancelled()) return;
    std::memset(args.out, 0,
                static_cast<size_t>(args.nTok) * static_cast<size_t>(args.dim) * sizeof(float));
    // Counting sort: the rows of expert e end at ends[e], in the order of tokens.
    int32_t ends[ExpertsArgs::kMaxExperts + 1] = {};
    const int32_t nChoices = args.nTok * args.nUsed;
    for (int32_t i = 0; i < nChoices; ++i) ++ends[args.experts[i] + 1];
    for (int32_t e = 0; e < args.nExperts; ++e) ends[e + 1] += ends[e];
    for (int32_t i = 0; i < nChoices; ++i) args.rows[ends[args.experts[i]]++] = i;
    int32_t first = 0;
    for (int32_t e = 0; e < args.nExperts; ++e) {
        const int32_t n = ends[e] - first;
        if (n > 0) oneExpert(context, args, e, args.rows + first, n);
        if (context.pool.isCancelled()) return;
        first = ends[e];
    }
}

}  // namespace vitrine::kernels::cpu
