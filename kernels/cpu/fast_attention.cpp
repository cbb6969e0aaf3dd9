// Query rows of one KV head, [token, head of the group] flattened, are cut into tiles of up to 96.
// The keys are cut at fixed positions into splits of 128; each split gives a softmax state of its
// own and the states are merged in order. A prefill merges them one after another inside a work
// item; a single token hands its splits to different threads first and merges the same states in
// the same order, so both give the same bits.

#include "kernels/cpu/fast_attention.h"

#include <cmath>

#include "kernels/cpu/exact_attention.h"
#include "kernels/cpu/kernels.h"
#include "kernels/reference/reference.h"

namespace vitrine::kernels::cpu {

namespace {

constexpr int kMaxRows = 96;
constexpr int64_t kSplit = 128;
static_assert(kSplit % kKeyBlock == 0);

/// Softmax states of rows: acc [row, accStride], largest [row], sum [row].
struct States {
    float *acc, *largest, *sum;

    static int64_t floats(int64_t nRows, int64_t stride) { return nRows * (stride + 2); }

    static States at(float* memory, int64_t nRows, int64_t stride) noexcept {
        return {memory, memory + nRows * stride, memory + nRows * (stride + 1)};
    }

    void clear(int64_t nRows, int64_t stride) const noexcept {
        for (int64_t i = 0; i < nRows * stride; ++i) acc[i] = 0;
        for (int64_t i = 0; i < nRows; ++i) largest[i] = -HUGE_VALF;
        for (int64_t i = 0; i < nRows; ++i) sum[i] = 0;
    }
};

/// Rows firstRow…firstRow+nRows−1 of one KV head and where their q and positions are.
struct Rows {
    const AttentionArgs* args;
    int kvHead, group, nRows;
    int64_t firstRow;
    const float* q[kMaxRows];
    int64_t query[kMaxRows];

    Rows(const AttentionArgs& a, int head, int64_t first, int n) noexcept
        : args(&a), kvHead(head), group(a.nHeads / a.kv.nKvHeads), nRows(n), firstRow(first) {
        for (int i = 0; i < n; ++i) {
            q[i] = a.q + offset(i);
            query[i] = a.firstPos + tok(i);
        }
    }

    int64_t tok(int i) const noexcept { return (firstRow + i) / group; }

    int64_t head(int i) const noexcept { return kvHead * group + (firstRow + i) % group; }

    int64_t offset(int i) const noexcept {
        return (tok(i) * args->nHeads + head(i)) * args->kv.headDim;
    }

    int64_t firstKey() const noexcept {
        const int64_t low = args->window > 0 ? query[0] - args->window + 1 : 0;
        return low > 0 ? low / kSplit * kSplit : 0;
    }

    int64_t endKey() const noexcept { return query[nRows - 1] + 1; }
};

AttendTile tileOf(const Rows& rows, int64_t firstKey, int64_t lastKey, const States& states,
                  float* scratch) noexcept {
    const AttentionArgs& a = *rows.args;
    return {&a.kv,   rows.kvHead, rows.nRows, rows.q,     rows.query,     firstKey,   lastKey,
            a.scale, a.softcap,   a.window,   states.acc, states.largest, states.sum, scratch};
}

void merge(const Kernels& kernels, const States& into, const States& part, int64_t nRows,
           int64_t stride) noexcept {
    for (int64_t i = 0; i < nRows; ++i) {
        kernels.mergeRow(into.acc + i * stride, into.largest + i, into.sum + i,
                         part.acc + i * stride, part.largest[i], part.sum[i], stride);
    }
}

void finish(const Rows& rows, const States& states, int64_t stride) noexcept {
    const AttentionArgs& args = *rows.args;
    for (int i = 0; i < rows.nRows; ++i) {
        const float inverse = 1.0f / states.sum[i];
        float* out = args.out + rows.offset(i);
        for (int d = 0; d < args.kv.headDim; ++d) out[d] = states.acc[i * stride + d] * inverse;
        if (args.lse == nullptr) continue;
        args.lse[rows.head(i) * args.lseStride + rows.tok(i)] =
            states.largest[i] + std::log(states.sum[i]);
    }
}

/// Rows of a tile that fit the thread's scratch: attendScratch and two states. 0 = head too wide.
int rowsThatFit(int headDim) noexcept {
    const int64_t stride = accStride(headDim);
    const int64_t floats = static_cast<int64_t>(kThreadScratch / sizeof(float));
    const int64_t perRow =
        attendScratch(headDim, 1) - attendScratch(headDim, 0) + 2 * States::floats(1, stride);
    const int64_t n = (floats - attendScratch(headDim, 0)) / perRow;
    // Wide heads: fewer rows, so that the tile stays in the second-level cache.
    const int64_t most = stride <= 64 ? kMaxRows : kMaxRows / 2;
    return static_cast<int>(n < 0 ? 0 : n < most ? n : most);
}

void prefill(Context& context, const AttentionArgs& args, int perTile) noexcept {
    const int64_t stride = accStride(args.kv.headDim);
    const int group = args.nHeads / args.kv.nKvHeads;
    const int64_t nRows = static_cast<int64_t>(args.nTok) * group;
    const int64_t nTiles = (nRows + perTile - 1) / perTile;
    const Kernels& kernels = *context.ops->kernels;
    const auto work = [&](int64_t first, int64_t last, int thread) {
        for (int64_t item = first; item < last; ++item) {
            // The last tiles see most keys: largest work first.
            const int64_t begin = (nTiles - 1 - item / args.kv.nKvHeads) * perTile;
            const int64_t n = nRows - begin < perTile ? nRows - begin : perTile;
            const Rows rows(args, static_cast<int>(item % args.kv.nKvHeads), begin,
                            static_cast<int>(n));
            auto* memory = context.threadScratch<float>(thread);
            const States total = States::at(memory, n, stride);
            const States part = States::at(memory + States::floats(n, stride), n, stride);
            float* scratch = memory + 2 * States::floats(n, stride);
            total.clear(n, stride);
            for (int64_t key = rows.firstKey(); key < rows.endKey(); key += kSplit) {
                if (context.pool.isCancelled()) return;
                part.clear(n, stride);
                const int64_t end = key + kSplit < rows.endKey() ? key + kSplit : rows.endKey();
                kernels.attend(tileOf(rows, key, end, part, scratch));
                merge(kernels, total, part, n, stride);
            }
            finish(rows, total, stride);
        }
    };
    context.pool.parallelFor(nTiles * args.kv.nKvHeads, 1, work);
}

/// One token: splits × KV heads as work items, in waves that fit the shared scratch. Requires: the
/// rows of a KV head fit a tile, and one wave has room for at least one split.
void decode(Context& context, const AttentionArgs& args, int64_t splitsPerWave) noexcept {
    const int64_t stride = accStride(args.kv.headDim);
    const int group = args.nHeads / args.kv.nKvHeads;
    const Kernels& kernels = *context.ops->kernels;
    const int64_t partFloats = States::floats(group, stride);
    auto* memory = static_cast<float*>(context.shared.data());
    float* parts = memory + args.kv.nKvHeads * partFloats;
    for (int64_t h = 0; h < args.kv.nKvHeads; ++h) {
        States::at(memory + h * partFloats, group, stride).clear(group, stride);
    }
    const Rows any(args, 0, 0, group);
    const int64_t end = any.endKey();
    for (int64_t wave = any.firstKey(); wave < end; wave += splitsPerWave * kSplit) {
        const int64_t left = (end - wave + kSplit - 1) / kSplit;
        const int64_t nSplits = left < splitsPerWave ? left : splitsPerWave;
        const auto work = [&](int64_t first, int64_t last, int thread) {
            for (int64_t item = first; item < last; ++item) {
                const Rows rows(args, static_cast<int>(item / nSplits), 0, group);
                const States part = States::at(parts + item * partFloats, group, stride);
                part.clear(group, stride);
                const int64_t key = wave + item % nSplits * kSplit;
                kernels.attend(tileOf(rows, key, key + kSplit < end ? key + kSplit : end, part,
                                      context.threadScratch<float>(thread)));
            }
        };
        context.pool.parallelFor(nSplits * args.kv.nKvHeads, 1, work);
        if (context.pool.isCancelled()) return;
        for (int64_t item = 0; item < nSplits * args.kv.nKvHeads; ++item) {
            merge(kernels, States::at(memory + item / nSplits * partFloats, group, stride),
                  States::at(parts + item * partFloats, group, stride), group, stride);
        }
    }
    for (int h = 0; h < args.kv.nKvHeads; ++h) {
        finish(Rows(args, h, 0, group), States::at(memory + h * partFloats, group, stride), stride);
    }
}

}  // namespace

void fastAttention(Context& context, const AttentionArgs& args) noexcept {
    const int perTile = rowsThatFit(args.kv.headDim);
    if (perTile == 0) return exactAttention(context, args);
    const int group = args.nHeads / args.kv.nKvHeads;
    const int64_t perSplit =
        States::floats(group, accStride(args.kv.headDim)) * args.kv.nKvHeads * int64_t{4};
    const int64_t splits = static_cast<int64_t>(context.shared.size()) / perSplit - 1;
    if (args.nTok == 1 && group <= perTile && splits >= 1) {
        decode(context, args, splits);
    } else {
        prefill(context, args, perTile);
    }
}

void fastAttentionTile(Context& context, const AttentionTileArgs& args) noexcept {
    const int fit = rowsThatFit(args.kv.headDim);
    if (fit == 0) return reference::attentionTile(args);
    const int perTile = fit < 48 ? fit : 48;
    const auto work = [&](int64_t first, int64_t last, int thread) {
        for (int64_t item = first; item < last; ++item) {
            const int64_t row = item * perTile;
            const int64_t n = args.nRows - row < perTile ? args.nRows - row : perTile;
            const float* q[kMaxRows];
            int64_t query[kMaxRows];
            for (int64_t i = 0; i < n; ++i) {
                q[i] = args.q + (row + i) * args.qStride;
                query[i] = args.firstRow + row + i;
            }
            const AttendTile tile{&args.kv,
                                  args.kvHead,
                                  static_cast<int>(n),
                                  q,
                                  query,
                                  args.firstKey,
                                  int64_t{args.firstKey} + args.nKeys,
                                  args.scale,
                                  args.softcap,
                                  args.window,
                                  nullptr,
                                  nullptr,
                                  nullptr,
                                  context.threadScratch<float>(thread)};
            context.ops->kernels->attendWeights(tile, args.lse + row, args.out + row * args.nKeys,
                                                args.nKeys);
        }
    };
    context.pool.parallelFor((args.nRows + perTile - 1) / perTile, 1, work);
}

}  // namespace vitrine::kernels::cpu
