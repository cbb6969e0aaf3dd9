// Every output is one sum in an order that depends on nCols alone: eight lanes over the columns,
// lanes added pairwise, then the columns left over. How many rows or tokens share a tile changes
// only which sums are computed together, so any chunking and any number of threads gives the same
// bits. Vector types of the compiler, because -O2 of gcc 12 vectorises reductions of this shape not
// at all; four floats are what every x86-64 and AArch64 has.

#include "kernels/cpu/exact_linear.h"

#include <cstring>

namespace vitrine::kernels::cpu {

namespace {

constexpr int kRows = 4;  // weight rows of a work item
constexpr int kLanes = 8;

using F4 = float __attribute__((vector_size(16)));

inline F4 load(const float* p) noexcept {
    F4 v;
    std::memcpy(&v, p, sizeof(v));
    return v;
}

inline float sumOf(F4 low, F4 high) noexcept {
    const F4 s = low + high;
    return (s[0] + s[2]) + (s[1] + s[3]);
}

/// out[r·tokens + t] = w_r · x_t for kR rows at stride n and kT tokens at stride n.
template <int kR, int kT>
void dotTile(const float* w, const float* x, int64_t n, float* out) noexcept {
    F4 low[kR][kT] = {}, high[kR][kT] = {};
    int64_t c = 0;
    for (; c + kLanes <= n; c += kLanes) {
        for (int t = 0; t < kT; ++t) {
            const F4 x0 = load(x + t * n + c), x1 = load(x + t * n + c + 4);
            for (int r = 0; r < kR; ++r) {
                low[r][t] += load(w + r * n + c) * x0;
                high[r][t] += load(w + r * n + c + 4) * x1;
            }
        }
    }
    for (int r = 0; r < kR; ++r) {
        for (int t = 0; t < kT; ++t) {
            float sum = sumOf(low[r][t], high[r][t]);
            for (int64_t i = c; i < n; ++i) sum += w[r * n + i] * x[t * n + i];
            out[r * kT + t] = sum;
        }
    }
}

struct Target {
    const Matrix* w;
    const float* bias;
    float* y;
};

void store(const Target& target, bool accumulate, int64_t row, int64_t tok, float sum) noexcept {
    if (target.bias != nullptr) sum += target.bias[row];
    float& out = target.y[tok * target.w->nRows + row];
    out = accumulate ? out + sum : sum;
}

/// Rows row…row+kR−1, decoded in `rows` [kR, nCols], against all tokens.
template <int kR>
void rowsByTokens(const LinearArgs& args, const Target& target, int64_t row,
                  const float* rows) noexcept {
    const int64_t n = target.w->nCols;
    float sums[kR * 2];
    int64_t t = 0;
    for (; t + 2 <= args.nTok; t += 2) {
        dotTile<kR, 2>(rows, args.x + t * n, n, sums);
        for (int i = 0; i < kR * 2; ++i) {
            store(target, args.accumulate, row + i / 2, t + i % 2, sums[i]);
        }
    }
    if (t < args.nTok) {
        dotTile<kR, 1>(rows, args.x + t * n, n, sums);
        for (int r = 0; r < kR; ++r) store(target, args.accumulate, row + r, t, sums[r]);
    }
}

}  // namespace

float exactDot(const float* a, const float* b, int64_t n) noexcept {
    float out;
    dotTile<1, 1>(a, b, n, &out);
    return out;
}

size_t exactLinearThreadBytes(int64_t nCols) noexcept {
    return static_cast<size_t>(nCols) * sizeof(float) * kRows;
}

void exactLinear(Context& context, const LinearArgs& args) noexcept {
    for (int i = 0; i < args.nOutputs; ++i) {
        const Target target{args.w[i], args.bias[i], args.y[i]};
        const Matrix& w = *target.w;
        const size_t stride = rowBytes(w.type, w.nCols);
        const auto work = [&](int64_t first, int64_t last, int thread) {
            float* rows = context.threadScratch<float>(thread);
            for (int64_t row = first * kRows; row < last * kRows && row < w.nRows; row += kRows) {
                const int64_t n = w.nRows - row < kRows ? w.nRows - row : kRows;
                for (int64_t r = 0; r < n; ++r) {
                    decodeRow(
                        w.type,
                        static_cast<const char*>(w.data) + static_cast<size_t>(row + r) * stride,
                        rows + r * w.nCols, w.nCols);
                }
                int64_t r = 0;
                for (; r + 2 <= n; r += 2) {
                    rowsByTokens<2>(args, target, row + r, rows + r * w.nCols);
                }
                if (r < n) rowsByTokens<1>(args, target, row + r, rows + r * w.nCols);
            }
        };
        const int64_t nItems = (w.nRows + kRows - 1) / kRows;
        context.pool.parallelFor(nItems, chunkOf(context, nItems), work);
    }
}

}  // namespace vitrine::kernels::cpu
