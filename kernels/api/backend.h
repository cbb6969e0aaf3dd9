#pragma once
// What the engine needs of a device: memory, weight matrices and ops, as a C function table with an
// ABI number. The CPU's table is linked in (cpuBackend()); a plugin opened at run time fills the
// same table. Thread: one Context belongs to one engine thread; every function is called from it.
// Pool threads never leave an op.

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "kernels/api/op_args.h"

namespace vitrine::kernels {

inline constexpr uint32_t kBackendAbi = 2;

struct Context;  // a backend's own state: thread pool, scratch, streams

struct BackendOptions {
    const char* isa = "auto";  ///< auto | scalar | avx2 | avx512 (| amx later); ignored with exact
    bool exact = false;  ///< plain f32 on dequantised weights: the reference ops, threaded by rows
    int32_t nThreads = 0;  ///< 0 = physical cores; counts the calling thread
    int32_t niceness = 0;  ///< of the pool's threads
    /// Read once per work item inside every op; when true the op returns early and its output is
    /// undefined. May be null.
    const std::atomic<bool>* cancel = nullptr;
};

struct Backend {
    uint32_t abi;
    const char* name;  ///< "cpu"

    /// Fails: null, with one sentence in `message` (unknown isa, isa not on this machine, out of
    /// memory).
    Context* (*create)(const BackendOptions* options, char* message, size_t messageSize);
    void (*destroy)(Context*);
    const char* (*isa)(const Context*);  ///< what was chosen: "avx2", "scalar", "exact"
    int32_t (*threads)(const Context*);
    size_t (*scratchBytes)(
        const Context*);  ///< held now for quantised activations and tiles, for the ledger

    // Memory. Sizes in bytes; 64-byte aligned, huge pages advised from 2 MiB up. Fails: null.
    void* (*alloc)(Context*, size_t bytes);
    void (*release)(Context*, void* ptr, size_t bytes);
    /// Address space that takes no memory until it is committed (the KV pages). Fails: null.
    void* (*reserve)(Context*, size_t bytes);
    bool (*commit)(Context*, void* ptr, size_t bytes);  ///< Fails: false = out of memory
    /// Gives the memory back, keeps the range. Only whole system pages inside it: neighbours that
    /// share a page keep theirs.
    void (*decommit)(Context*, void* ptr, size_t bytes);
    void (*releaseReserved)(Context*, void* ptr, size_t bytes);
    void (*upload)(Context*, void* dst, const void* hostSrc, size_t bytes);
    void (*download)(Context*, void* hostDst, const void* src, size_t bytes);

    // Weight matrices: created empty, then filled in row ranges (so that a load shows progress and
    // can be cancelled).
    /// Fails: null = out of memory or a type that this backend cannot hold. Requires: nCols %
    /// blockValues == 0.
    Matrix* (*matrixCreate)(Context*, DType type, int64_t nRows, int64_t nCols);
    /// src: rows firstRow…firstRow+nRows−1 as stored in the file. firstRow is a multiple of
    /// kRowGroup; nRows too, or up to the end.
    void (*matrixFill)(Context*, Matrix*, const void* src, int64_t firstRow, int64_t nRows);
    size_t (*matrixBytes)(const Matrix*);
    void (*matrixDestroy)(Context*, Matrix*);

    // Ops: see op_args.h. Null = not supported, reported at load. Within one mode the result of a
    // token depends neither on how tokens are cut into calls nor on the number of threads.
    void (*embed)(Context*, const EmbedArgs&);
    void (*rmsNorm)(Context*, const RmsNormArgs&);
    void (*linear)(Context*, const LinearArgs&);
    void (*rope)(Context*, const RopeArgs&);
    void (*kvStore)(Context*, const KvStoreArgs&);
    void (*attention)(Context*, const AttentionArgs&);
    void (*attentionTile)(Context*, const AttentionTileArgs&);
    void (*activate)(Context*, const ActivateArgs&);
    void (*layerNorm)(Context*, const LayerNormArgs&);
    void (*addScaled)(Context*, const AddScaledArgs&);
    void (*scaleCap)(Context*, const ScaleCapArgs&);
    void (*route)(Context*, const RouteArgs&);
    void (*experts)(Context*, const ExpertsArgs&);
};

/// matrixFill works in groups of this many rows (the fast kernels interleave 8 rows).
inline constexpr int64_t kRowGroup = 64;

/// The CPU backend, always there. Never fails.
const Backend* cpuBackend() noexcept;

}  // namespace vitrine::kernels
