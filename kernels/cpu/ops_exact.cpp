// The exact mode: the reference ops split by rows over the pool, with their own linear and
// attention because those would take minutes.

#include "kernels/cpu/context.h"
#include "kernels/cpu/exact_attention.h"
#include "kernels/cpu/exact_linear.h"
#include "kernels/reference/reference.h"

namespace vitrine::kernels::cpu {

namespace {

// Values below which waking the pool costs more than it saves.
constexpr int64_t kWorthwhile = 4096;
constexpr int64_t kStretch = 1024;  // values of a work item of the elementwise ops

bool isPacked(DType) {
    return false;
}

size_t sharedBytes(int64_t) {
    return 0;
}

size_t threadBytes(int64_t nCols) {
    return exactLinearThreadBytes(nCols);
}

void embed(Context& context, const EmbedArgs& args) {
    const Matrix& m = *args.table;
    const reference::RowMatrix table{m.type, m.data, m.nRows, m.nCols};
    forRows(context, args.nTok, m.nCols, kWorthwhile, [&](int64_t first, int64_t last, int thread) {
        EmbedArgs part = args;
        part.ids += first;
        part.out += first * m.nCols;
        part.nTok = static_cast<int32_t>(last - first);
        reference::embed(table, part, context.threadScratch<float>(thread));
    });
}

void rmsNorm(Context& context, const RmsNormArgs& args) {
    forRows(context, args.nTok, args.dim, kWorthwhile, [&](int64_t first, int64_t last, int) {
        RmsNormArgs part = args;
        part.x += first * args.dim;
        part.out += first * args.dim;
        part.nTok = static_cast<int32_t>(last - first);
        reference::rmsNorm(part);
    });
}

void rope(Context& context, const RopeArgs& args) {
    const int64_t rowSize = static_cast<int64_t>(args.nHeads) * args.headDim;
    forRows(context, args.nTok, rowSize, kWorthwhile, [&](int64_t first, int64_t last, int) {
        RopeArgs part = args;
        part.x += first * rowSize;
        part.firstPos += static_cast<int32_t>(first);
        part.nTok = static_cast<int32_t>(last - first);
        reference::rope(part);
    });
}

void kvStore(Context& context, const KvStoreArgs& args) {
    const int64_t rowSize = static_cast<int64_t>(args.kv.nKvHeads) * args.kv.headDim;
    forRows(context, args.nTok, rowSize, kWorthwhile, [&](int64_t first, int64_t last, int) {
        KvStoreArgs part = args;
        part.k += first * rowSize;
        part.v += first * rowSize;
        part.firstPos += static_cast<int32_t>(first);
        part.nTok = static_cast<int32_t>(last - first);
        reference::kvStore(part);
    });
}

void attentionTile(Context& context, const AttentionTileArgs& args) {
    const int64_t units = static_cast<int64_t>(args.nKeys) * args.kv.headDim;
    forRows(context, args.nRows, units, kWorthwhile, [&](int64_t first, int64_t last, int) {
        AttentionTileArgs part = args;
        part.q += first * args.qStride;
        part.lse += first;
        part.out += first * args.nKeys;
        part.firstRow += static_cast<int32_t>(first);
        part.nRows = static_cast<int32_t>(last - first);
        reference::attentionTile(part);
    });
}

void activate(Context& context, const ActivateArgs& args) {
    forValues(context, args.n, kStretch, kWorthwhile, [&](int64_t at, int64_t n) {
        const float* times = args.times != nullptr ? args.times + at : nullptr;
        reference::activate({args.x + at, times, args.out + at, n, args.kind});
    });
}

void layerNorm(Context& context, const LayerNormArgs& args) {
    forRows(context, args.nTok, args.dim, kWorthwhile, [&](int64_t first, int64_t last, int) {
        LayerNormArgs part = args;
        part.x += first * args.dim;
        part.out += first * args.dim;
        part.nTok = static_cast<int32_t>(last - first);
        reference::layerNorm(part);
    });
}

void addScaled(Context& context, const AddScaledArgs& args) {
    forValues(context, args.n, kStretch, kWorthwhile, [&](int64_t at, int64_t n) {
        reference::addScaled({args.x + at, args.y + at, args.scale, n});
    });
}

void scaleCap(Context& context, const ScaleCapArgs& args) {
    forValues(context, args.n, kStretch, kWorthwhile, [&](int64_t at, int64_t n) {
        reference::scaleCap({args.x + at, n, args.scale, args.softcap});
    });
}

void route(Context& context, const RouteArgs& args) {
    forRows(context, args.nTok, int64_t{args.nExperts} * args.nExperts, kWorthwhile,
            [&](int64_t first, int64_t last, int) {
                RouteArgs part = args;
                part.logits += first * args.nExperts;
                part.experts += first * args.nUsed;
                part.weights += first * args.nUsed;
                part.nTok = static_cast<int32_t>(last - first);
                reference::route(part);
            });
}

void linear(Context& context, const LinearArgs& args) {
    exactLinear(context, args);
}

void attention(Context& context, const AttentionArgs& args) {
    exactAttention(context, args);
}

}  // namespace

const Ops& exactOps() noexcept {
    static constexpr Ops kOps{"exact",   nullptr,       isPacked, sharedBytes, threadBytes,
                              embed,     rmsNorm,       linear,   rope,        kvStore,
                              attention, attentionTile, activate, layerNorm,   addScaled,
                              scaleCap,  route};
    return kOps;
}

}  // namespace vitrine::kernels::cpu
