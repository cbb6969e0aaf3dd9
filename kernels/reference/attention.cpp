#include <cmath>
#include <limits>

#include "kernels/reference/reference.h"

namespace vitrine::kernels::reference {

namespace {

constexpr int kBlock = 64;  // values of K or V at a time

}  // namespace

double attentionScore(const KvLayerView& kv, const float* q, int64_t key, int kvHead, float scale,
                      float softcap) noexcept {
    double dot = 0;
    float k[kBlock];
    for (int first = 0; first < kv.headDim; first += kBlock) {
        const int n = kv.headDim - first < kBlock ? kv.headDim - first : kBlock;
        kvValues(kv, kv.k, key, kvHead, first, n, k);
        for (int i = 0; i < n; ++i) dot += static_cast<double>(q[first + i]) * k[i];
    }
    const double score = dot * scale;
    return softcap > 0 ? softcap * std::tanh(score / softcap) : score;
}

namespace {

/// One query head: the largest score first, then the weighted sum, so that no weight overflows.
void attendRow(const AttentionArgs& args, int64_t t, int head) noexcept {
    const KvLayerView& kv = args.kv;
    const int kvHead = head / (args.nHeads / kv.nKvHeads);
    const float* q = args.q + (t * args.nHeads + head) * kv.headDim;
    float* out = args.out + (t * args.nHeads + head) * kv.headDim;
    const int64_t query = args.firstPos + t;
    const auto score = [&](int64_t key) {
        return attentionScore(kv, q, key, kvHead, args.scale, args.softcap);
    };
    double largest = -std::numeric_limits<double>::infinity();
    for (int64_t key = 0; key <= query; ++key) {
        if (isVisible(query, key, args.window)) largest = std::fmax(largest, score(key));
    }
    double sum = 0;
    for (int64_t key = 0; key <= query; ++key) {
        if (isVisible(query, key, args.window)) sum += std::exp(score(key) - largest);
    }
    const double lse = largest + std::log(sum);
    for (int first = 0; first < kv.headDim; first += kBlock) {
        const int n = kv.headDim - first < kBlock ? kv.headDim - first : kBlock;
        double mixed[kBlock] = {};
        for (int64_t key = 0; key <= query; ++key) {
            if (!isVisible(query, key, args.window)) continue;
            const double weight = std::exp(score(key) - lse);
            float v[kBlock];
            kvValues(kv, kv.v, key, kvHead, first, n, v);
            for (int i = 0; i < n; ++i) mixed[i] += weight * v[i];
        }
        for (int i = 0; i < n; ++i) out[first + i] = static_cast<float>(mixed[i]);
    }
    if (args.lse != nullptr) args.lse[head * args.lseStride + t] = static_cast<float>(lse);
}

}  // namespace

void attention(const AttentionArgs& args) noexcept {
    for (int64_t t = 0; t < args.nTok; ++t) {
        for (int head = 0; head < args.nHeads; ++head) attendRow(args, t, head);
    }
}

}  // namespace vitrine::kernels::reference
