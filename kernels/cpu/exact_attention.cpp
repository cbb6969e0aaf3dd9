// Two passes over the keys: the largest score, then the weights and the weighted sum of V, key by
// key. K and V are widened to float32 a block of keys at a time for a tile of query rows; which
// rows share a tile changes nothing in a row's own sums.

#include "kernels/cpu/exact_attention.h"

#include <cmath>

#include "kernels/cpu/exact_linear.h"
#include "kernels/reference/reference.h"

namespace vitrine::kernels::cpu {

namespace {

constexpr int kTokens = 8;  // query tokens of a work item

/// Widens one K or V row of a position to dst [headDim].
void widenRow(const KvLayerView& kv, const KvPlane& plane, int64_t pos, int kvHead,
              float* dst) noexcept {
    decodeRow(plane.type, kvRow(kv, plane, pos, kvHead), dst, kv.headDim);
}

float capped(float score, float softcap) noexcept {
    return softcap > 0 ? softcap * std::tanh(score / softcap) : score;
}

/// The query rows of one work item: tokens firstTok…, all heads of one KV head.
struct RowTile {
    const AttentionArgs* args;
    int64_t firstTok;
    int nTok, kvHead, group;

    int head(int row) const noexcept { return kvHead * group + row % group; }

    int64_t tok(int row) const noexcept { return firstTok + row / group; }

    int64_t query(int row) const noexcept { return args->firstPos + tok(row); }

    int64_t offset(int row) const noexcept {
        return (tok(row) * args->nHeads + head(row)) * args->kv.headDim;
    }

    int nRows() const noexcept { return nTok * group; }
};

struct Scratch {
    float* k;        // [headDim]
    float* v;        // [headDim]
    float* largest;  // [row]
    double* sum;     // [row]
};

void attendTile(const RowTile& tile, const Scratch& scratch) noexcept {
    const AttentionArgs& args = *tile.args;
    const KvLayerView& kv = args.kv;
    const int64_t lastKey = tile.query(tile.nRows() - 1);
    const int64_t firstKey =
        args.window > 0 && tile.query(0) >= args.window ? tile.query(0) - args.window + 1 : 0;
    const auto score = [&](int row) {
        return capped(exactDot(args.q + tile.offset(row), scratch.k, kv.headDim) * args.scale,
                      args.softcap);
    };
    for (int row = 0; row < tile.nRows(); ++row) {
        scratch.largest[row] = -HUGE_VALF;
        scratch.sum[row] = 0;
        for (int i = 0; i < kv.headDim; ++i) args.out[tile.offset(row) + i] = 0;
    }
    for (int64_t key = firstKey; key <= lastKey; ++key) {
        widenRow(kv, kv.k, key, tile.kvHead, scratch.k);
        for (int row = 0; row < tile.nRows(); ++row) {
            if (!reference::isVisible(tile.query(row), key, args.window)) continue;
            scratch.largest[row] = std::fmax(scratch.largest[row], score(row));
        }
    }
    for (int64_t key = firstKey; key <= lastKey; ++key) {
        widenRow(kv, kv.k, key, tile.kvHead, scratch.k);
        widenRow(kv, kv.v, key, tile.kvHead, scratch.v);
        for (int row = 0; row < tile.nRows(); ++row) {
            if (!reference::isVisible(tile.query(row), key, args.window)) continue;
            const float weight = std::exp(score(row) - scratch.largest[row]);
            scratch.sum[row] += weight;
            float* out = args.out + tile.offset(row);
            for (int i = 0; i < kv.headDim; ++i) out[i] += weight * scratch.v[i];
        }
    }
    for (int row = 0; row < tile.nRows(); ++row) {
        const auto inverse = static_cast<float>(1.0 / scratch.sum[row]);
        for (int i = 0; i < kv.headDim; ++i) args.out[tile.offset(row) + i] *= inverse;
        if (args.lse == nullptr) continue;
        args.lse[tile.head(row) * args.lseStride + tile.tok(row)] =
            static_cast<float>(scratch.largest[row] + std::log(scratch.sum[row]));
    }
}

}  // namespace

void exactAttention(Context& context, const AttentionArgs& args) noexcept {
    const int group = args.nHeads / args.kv.nKvHeads;
    // Wide heads or groups: fewer tokens, so that the tile's state fits the thread's scratch.
    const size_t rowState = sizeof(float) + sizeof(double);
    const size_t rows =
        (kThreadScratch - 2 * sizeof(float) * static_cast<size_t>(args.kv.headDim)) / rowState / 2;
    const int perItem =
        static_cast<size_t>(kTokens) * static_cast<size_t>(group) <= rows ? kTokens : 1;
    const int64_t nTiles = (args.nTok + perItem - 1) / perItem;
    const auto work = [&](int64_t first, int64_t last, int thread) {
        for (int64_t item = first; item < last; ++item) {
            RowTile tile{&args, item / args.kv.nKvHeads * perItem, perItem,
                         static_cast<int>(item % args.kv.nKvHeads), group};
            if (tile.firstTok + tile.nTok > args.nTok) {
                tile.nTok = static_cast<int>(args.nTok - tile.firstTok);
            }
            Scratch scratch;
            scratch.sum = context.threadScratch<double>(thread);
            scratch.largest = reinterpret_cast<float*>(scratch.sum + tile.nRows());
            scratch.k = scratch.largest + tile.nRows();
            scratch.v = scratch.k + args.kv.headDim;
            attendTile(tile, scratch);
        }
    };
    context.pool.parallelFor(nTiles * args.kv.nKvHeads, 1, work);
}

}  // namespace vitrine::kernels::cpu
