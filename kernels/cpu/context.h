#pragma once
// The state behind a Backend handle: thread pool, scratch, the chosen set of ops, and the weight
// matrix. Thread: as Backend; pool threads use their own scratch while an op runs.

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "kernels/api/backend.h"
#include "kernels/cpu/memory.h"
#include "kernels/cpu/thread_pool.h"

namespace vitrine::kernels {

struct Matrix {
    DType type;
    bool isPacked;  ///< 8-row interleaved blocks (packed.h), else rows as stored in the file
    int64_t nRows, nCols;
    void* data;
    size_t bytes;
};

namespace cpu {

inline constexpr int kMaxThreads = 256;
/// Scratch of each thread for attention tiles; weight rows need more with wide matrices.
inline constexpr size_t kThreadScratch = size_t{1} << 20;

struct Kernels;

/// One implementation of the ops. Arguments are validated; nothing fails.
struct Ops {
    const char* isa;
    const Kernels* kernels;  ///< inner loops of the fast modes; null in the exact mode
    /// Is this type kept interleaved (packed.h) rather than as stored?
    bool (*isPacked)(DType);
    /// Scratch that linear needs for a matrix with this many columns.
    size_t (*sharedBytes)(int64_t nCols);
    size_t (*threadBytes)(int64_t nCols);
    void (*embed)(Context&, const EmbedArgs&);
    void (*rmsNorm)(Context&, const RmsNormArgs&);
    void (*linear)(Context&, const LinearArgs&);
    void (*rope)(Context&, const RopeArgs&);
    void (*kvStore)(Context&, const KvStoreArgs&);
    void (*attention)(Context&, const AttentionArgs&);
    void (*attentionTile)(Context&, const AttentionTileArgs&);
    void (*activate)(Context&, const ActivateArgs&);
    void (*layerNorm)(Context&, const LayerNormArgs&);
    void (*addScaled)(Context&, const AddScaledArgs&);
    void (*scaleCap)(Context&, const ScaleCapArgs&);
    void (*route)(Context&, const RouteArgs&);
};

const Ops& exactOps() noexcept;
const Ops& scalarOps() noexcept;
/// Requires: hasAvx2().
const Ops& avx2Ops() noexcept;
/// Requires: hasAvx512().
const Ops& avx512Ops() noexcept;

}  // namespace cpu

struct Context {
    Context(const cpu::Ops& chosen, int nThreads, int niceness, const std::atomic<bool>* cancel)
        : ops(&chosen), pool(nThreads, niceness, cancel) {}

    /// Fails: false = out of memory.
    bool growScratch(size_t sharedBytes, size_t threadBytes) noexcept;

    template <class T>
    T* threadScratch(int thread) const noexcept {
        return static_cast<T*>(perThread[static_cast<size_t>(thread)].data());
    }

    const cpu::Ops* ops;
    cpu::ThreadPool pool;
    cpu::Arena matrices;                                 ///< the weights
    cpu::Block shared;                                   ///< quantised activations, partial sums
    std::array<cpu::Block, cpu::kMaxThreads> perThread;  ///< weight rows, attention tiles
};

namespace cpu {

/// Splits nItems into chunks for the pool: small enough to balance, large enough to be cheap.
inline int64_t chunkOf(const Context& context, int64_t nItems, int64_t smallest = 1) noexcept {
    const int64_t chunk = nItems / (static_cast<int64_t>(context.pool.nThreads()) * 12);
    return chunk > smallest ? chunk : smallest;
}

/// Runs f(first, last, thread) over nItems rows, on the calling thread alone when the whole is less
/// than `worthwhile` units of work.
template <class F>
void forRows(Context& context, int64_t nItems, int64_t unitsPerItem, int64_t worthwhile,
             const F& f) noexcept {
    const int64_t units = nItems * unitsPerItem;
    const int64_t chunk = units < worthwhile ? nItems : chunkOf(context, nItems);
    context.pool.parallelFor(nItems, chunk, f);
}

/// The same for n values in stretches: f(firstValue, nValues).
template <class F>
void forValues(Context& context, int64_t n, int64_t perItem, int64_t worthwhile,
               const F& f) noexcept {
    const int64_t nItems = (n + perItem - 1) / perItem;
    forRows(context, nItems, perItem, worthwhile, [&](int64_t first, int64_t last, int) {
        const int64_t end = last * perItem < n ? last * perItem : n;
        f(first * perItem, end - first * perItem);
    });
}

}  // namespace cpu

}  // namespace vitrine::kernels
