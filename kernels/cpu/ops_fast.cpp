// The fast modes: one set of drivers over a table of inner loops per instruction set.

#include "kernels/cpu/context.h"
#include "kernels/cpu/experts.h"
#include "kernels/cpu/fast_attention.h"
#include "kernels/cpu/fast_linear.h"
#include "kernels/cpu/kernels.h"
#include "kernels/cpu/packed.h"

namespace vitrine::kernels::cpu {

namespace {

// Values below which waking the pool costs more than it saves.
constexpr int64_t kWorthwhile = 32768;
constexpr int64_t kWorthwhileExp = 8192;
constexpr int64_t kStretch = 2048;  // values of a work item of the elementwise ops

bool isPacked(DType type) {
    return hasPackedForm(type);
}

size_t sharedBytes(int64_t nCols) {
    const size_t linearBytes = fastLinearSharedBytes(nCols);
    return linearBytes > kAttentionSharedBytes ? linearBytes : kAttentionSharedBytes;
}

size_t threadBytes(int64_t nCols) {
    return fastLinearThreadBytes(nCols);
}

void embed(Context& context, const EmbedArgs& args) {
    const Matrix& m = *args.table;
    const auto* data = static_cast<const char*>(m.data);
    const bool isPlain = args.scale == 1.0f && !args.accumulate;
    const auto decode = [&](int64_t id, float* out) {
        if (m.isPacked) {
            const size_t groupBytes = packedGroupBytes(m.type, m.nCols);
            unpackRow(m.type, data + static_cast<size_t>(id / kPackRows) * groupBytes,
                      static_cast<int>(id % kPackRows), m.nCols, out);
        } else {
            decodeRow(m.type, data + static_cast<size_t>(id) * rowBytes(m.type, m.nCols), out,
                      m.nCols);
        }
    };
    const auto work = [&](int64_t first, int64_t last, int thread) {
        for (int64_t t = first; t < last; ++t) {
            float* out = args.out + t * m.nCols;
            if (isPlain) {
                decode(args.ids[t], out);
                continue;
            }
            auto* row = context.threadScratch<float>(thread);
            decode(args.ids[t], row);
            for (int64_t i = 0; i < m.nCols; ++i) {
                const float value = row[i] * args.scale;
                out[i] = args.accumulate ? out[i] + value : value;
            }
        }
    };
    forRows(context, args.nTok, m.nCols, kWorthwhile / 8, work);
}

void rmsNorm(Context& context, const RmsNormArgs& args) {
    forRows(context, args.nTok, args.dim, kWorthwhile, [&](int64_t first, int64_t last, int) {
        for (int64_t t = first; t < last; ++t) {
            context.ops->kernels->rmsNormRow(args.x + t * args.dim, args.weight,
                                             args.out + t * args.dim, args.dim, args.eps);
        }
    });
}

void rope(Context& context, const RopeArgs& args) {
    const int64_t rowSize = static_cast<int64_t>(args.nHeads) * args.headDim;
    forRows(context, args.nTok, rowSize, kWorthwhile, [&](int64_t first, int64_t last, int) {
        for (int64_t t = first; t < last; ++t) {
            context.ops->kernels->ropeHeads(
                args.x + t * rowSize, args.nHeads, args.headDim, args.rotaryDim,
                args.cosSin + (args.firstPos + t) * args.rotaryDim, args.pairing);
        }
    });
}

/// Rows of one token, one per KV head, to their slots.
void storeToken(const Kernels& kernels, const KvLayerView& kv, const KvPlane& plane, int64_t pos,
                const float* src) {
    for (int head = 0; head < kv.nKvHeads; ++head) {
        const float* from = src + int64_t{head} * kv.headDim;
        char* row = kvRow(kv, plane, pos, head);
        if (plane.type == DType::F16) {
            kernels.narrowRow(from, reinterpret_cast<uint16_t*>(row), kv.headDim);
        } else {
            encodeRow(plane.type, from, row, kv.headDim);
        }
    }
}

void kvStore(Context& context, const KvStoreArgs& args) {
    const int64_t rowSize = static_cast<int64_t>(args.kv.nKvHeads) * args.kv.headDim;
    const Kernels& kernels = *context.ops->kernels;
    forRows(context, args.nTok, rowSize, kWorthwhile, [&](int64_t first, int64_t last, int) {
        for (int64_t t = first; t < last; ++t) {
            storeToken(kernels, args.kv, args.kv.k, args.firstPos + t, args.k + t * rowSize);
            storeToken(kernels, args.kv, args.kv.v, args.firstPos + t, args.v + t * rowSize);
        }
    });
}

void activate(Context& context, const ActivateArgs& args) {
    const auto activateRow = context.ops->kernels->activate[static_cast<int>(args.kind)];
    forValues(context, args.n, kStretch, kWorthwhileExp, [&](int64_t at, int64_t n) {
        activateRow(args.x + at, args.times != nullptr ? args.times + at : nullptr, args.out + at,
                    n);
    });
}

void layerNorm(Context& context, const LayerNormArgs& args) {
    forRows(context, args.nTok, args.dim, kWorthwhile, [&](int64_t first, int64_t last, int) {
        for (int64_t t = first; t < last; ++t) {
            context.ops->kernels->layerNormRow(args.x + t * args.dim, args.weight, args.bias,
                                               args.out + t * args.dim, args.dim, args.eps);
        }
    });
}

void addScaled(Context& context, const AddScaledArgs& args) {
    forValues(context, args.n, kStretch, kWorthwhile, [&](int64_t at, int64_t n) {
        context.ops->kernels->addScaled(args.x + at, args.y + at, args.scale, n);
    });
}

void scaleCap(Context& context, const ScaleCapArgs& args) {
    forValues(context, args.n, kStretch, kWorthwhileExp, [&](int64_t at, int64_t n) {
        context.ops->kernels->scaleCap(args.x + at, n, args.scale, args.softcap);
    });
}

void route(Context& context, const RouteArgs& args) {
    forRows(context, args.nTok, args.nExperts, kWorthwhileExp / 4,
            [&](int64_t first, int64_t last, int) {
                for (int64_t t = first; t < last; ++t) routeToken(args, t);
            });
}

void linear(Context& context, const LinearArgs& args) {
    fastLinear(context, args);
}

void attention(Context& context, const AttentionArgs& args) {
    fastAttention(context, args);
}

void attentionTile(Context& context, const AttentionTileArgs& args) {
    fastAttentionTile(context, args);
}

constexpr Ops opsWith(const char* isa, const Kernels* kernels) {
    return {isa,      kernels,   isPacked,  sharedBytes, threadBytes, embed,
            rmsNorm,  linear,    rope,      kvStore,     attention,   attentionTile,
            activate, layerNorm, addScaled, scaleCap,    route};
}

}  // namespace

const Ops& scalarOps() noexcept {
    static const Ops ops = opsWith("scalar", &scalarKernels());
    return ops;
}

const Ops& avx2Ops() noexcept {
    static const Ops ops = opsWith("avx2", avx2Kernels());
    return ops;
}

const Ops& avx512Ops() noexcept {
    static const Ops ops = opsWith("avx512", avx512Kernels());
    return ops;
}

}  // namespace vitrine::kernels::cpu
