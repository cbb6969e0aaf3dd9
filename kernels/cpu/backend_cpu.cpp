#include <cstdio>
#include <cstring>
#include <new>

#include "kernels/api/backend.h"
#include "kernels/cpu/context.h"
#include "kernels/cpu/cpu_features.h"
#include "kernels/cpu/experts.h"
#include "kernels/cpu/memory.h"
#include "kernels/cpu/packed.h"

namespace vitrine::kernels {

bool Context::growScratch(size_t sharedBytes, size_t threadBytes) noexcept {
    if (!shared.grow(sharedBytes)) return false;
    for (int i = 0; i < pool.nThreads(); ++i) {
        if (!perThread[static_cast<size_t>(i)].grow(threadBytes)) return false;
    }
    return true;
}

namespace {

/// Fails: null, with a sentence in message.
const cpu::Ops* chooseOps(const BackendOptions& options, char* message, size_t size) noexcept {
    if (options.exact) return &cpu::exactOps();
    const char* isa = options.isa != nullptr ? options.isa : "auto";
    if (std::strcmp(isa, "auto") == 0) {
        if (cpu::hasAvx512()) return &cpu::avx512Ops();
        return cpu::hasAvx2() ? &cpu::avx2Ops() : &cpu::scalarOps();
    }
    const char* missing = nullptr;
    if (std::strcmp(isa, "avx512") == 0) {
        if (cpu::hasAvx512()) return &cpu::avx512Ops();
        missing = "AVX-512 with VNNI";
    } else if (std::strcmp(isa, "avx2") == 0) {
        if (cpu::hasAvx2()) return &cpu::avx2Ops();
        missing = "AVX2";
    } else if (std::strcmp(isa, "scalar") == 0) {
        return &cpu::scalarOps();
    }
    if (missing != nullptr) {
        std::snprintf(message, size, "This processor has no %s; use the instruction set auto.",
                      missing);
        return nullptr;
    }
    std::snprintf(message, size, "The CPU has no instruction set named \"%s\"; use auto.", isa);
    return nullptr;
}

Context* create(const BackendOptions* options, char* message, size_t messageSize) {
    const cpu::Ops* ops = chooseOps(*options, message, messageSize);
    if (ops == nullptr) return nullptr;
    int nThreads = options->nThreads > 0 ? options->nThreads : cpu::physicalCores();
    if (nThreads > cpu::kMaxThreads) nThreads = cpu::kMaxThreads;
    auto* context = new (std::nothrow) Context(*ops, nThreads, options->niceness, options->cancel);
    if (context != nullptr && context->growScratch(ops->sharedBytes(0), cpu::kThreadScratch))
        return context;
    delete context;
    std::snprintf(message, messageSize, "There is not enough memory to start the CPU backend.");
    return nullptr;
}

void destroy(Context* context) {
    delete context;
}

const char* isa(const Context* context) {
    return context->ops->isa;
}

int32_t threads(const Context* context) {
    return context->pool.nThreads();
}

size_t scratchBytes(const Context* context) {
    size_t bytes = context->shared.size();
    for (const cpu::Block& block : context->perThread) bytes += block.size();
    return bytes;
}

void* alloc(Context*, size_t bytes) {
    return cpu::allocate(bytes);
}

void release(Context*, void* ptr, size_t bytes) {
    cpu::release(ptr, bytes);
}

void* reserve(Context*, size_t bytes) {
    return cpu::reserve(bytes);
}

bool commit(Context*, void* ptr, size_t bytes) {
    return cpu::commit(ptr, bytes);
}

void decommit(Context*, void* ptr, size_t bytes) {
    cpu::decommit(ptr, bytes);
}

void releaseReserved(Context*, void* ptr, size_t bytes) {
    cpu::releaseReserved(ptr, bytes);
}

void upload(Context*, void* dst, const void* hostSrc, size_t bytes) {
    std::memcpy(dst, hostSrc, bytes);
}

void download(Context*, void* hostDst, const void* src, size_t bytes) {
    std::memcpy(hostDst, src, bytes);
}

int64_t groupsOf(int64_t nRows) noexcept {
    return (nRows + cpu::kPackRows - 1) / cpu::kPackRows;
}

Matrix* matrixCreate(Context* context, DType type, int64_t nRows, int64_t nCols) {
    const cpu::Ops& ops = *context->ops;
    const bool isPacked = ops.isPacked(type);
    const size_t bytes =
        isPacked ? static_cast<size_t>(groupsOf(nRows)) * cpu::packedGroupBytes(type, nCols)
                 : static_cast<size_t>(nRows) * rowBytes(type, nCols);
    if (!context->growScratch(ops.sharedBytes(nCols), ops.threadBytes(nCols))) return nullptr;
    void* data = context->matrices.allocate(bytes);
    if (data == nullptr) return nullptr;
    auto* matrix = new (std::nothrow) Matrix{type, isPacked, nRows, nCols, data, bytes};
    if (matrix == nullptr) context->matrices.release(data, bytes);
    return matrix;
}

void matrixFill(Context* context, Matrix* matrix, const void* src, int64_t firstRow,
                int64_t nRows) {
    const size_t stride = rowBytes(matrix->type, matrix->nCols);
    const auto* rows = static_cast<const char*>(src);
    auto* data = static_cast<char*>(matrix->data);
    if (!matrix->isPacked) {
        std::memcpy(data + static_cast<size_t>(firstRow) * stride, rows,
                    static_cast<size_t>(nRows) * stride);
        return;
    }
    const size_t groupBytes = cpu::packedGroupBytes(matrix->type, matrix->nCols);
    data += static_cast<size_t>(firstRow / cpu::kPackRows) * groupBytes;
    const auto pack = [&](int64_t first, int64_t last, int) {
        for (int64_t g = first; g < last; ++g) {
            const int64_t row = g * cpu::kPackRows;
            const int64_t left = nRows - row;
            cpu::packGroup(matrix->type, rows + static_cast<size_t>(row) * stride,
                           left < cpu::kPackRows ? left : cpu::kPackRows, matrix->nCols,
                           data + static_cast<size_t>(g) * groupBytes);
        }
    };
    context->pool.parallelFor(groupsOf(nRows), 4, pack);
}

size_t matrixBytes(const Matrix* matrix) {
    return matrix->bytes;
}

void matrixDestroy(Context* context, Matrix* matrix) {
    if (matrix == nullptr) return;
    context->matrices.release(matrix->data, matrix->bytes);
    delete matrix;
}

void embed(Context* context, const EmbedArgs& args) {
    context->ops->embed(*context, args);
}

void rmsNorm(Context* context, const RmsNormArgs& args) {
    context->ops->rmsNorm(*context, args);
}

void linear(Context* context, const LinearArgs& args) {
    context->ops->linear(*context, args);
}

void rope(Context* context, const RopeArgs& args) {
    context->ops->rope(*context, args);
}

void kvStore(Context* context, const KvStoreArgs& args) {
    context->ops->kvStore(*context, args);
}

void attention(Context* context, const AttentionArgs& args) {
    context->ops->attention(*context, args);
}

void attentionTile(Context* context, const AttentionTileArgs& args) {
    context->ops->attentionTile(*context, args);
}

void activate(Context* context, const ActivateArgs& args) {
    context->ops->activate(*context, args);
}

void layerNorm(Context* context, const LayerNormArgs& args) {
    context->ops->layerNorm(*context, args);
}

void addScaled(Context* context, const AddScaledArgs& args) {
    context->ops->addScaled(*context, args);
}

void scaleCap(Context* context, const ScaleCapArgs& args) {
    context->ops->scaleCap(*context, args);
}

void route(Context* context, const RouteArgs& args) {
    context->ops->route(*context, args);
}

void experts(Context* context, const ExpertsArgs& args) {
    cpu::groupedExperts(*context, args);
}

}  // namespace

const Backend* cpuBackend() noexcept {
    static constexpr Backend kBackend{
        kBackendAbi,     "cpu",         create,   destroy,      isa,        threads,
        scratchBytes,    alloc,         release,  reserve,      commit,     decommit,
        releaseReserved, upload,        download, matrixCreate, matrixFill, matrixBytes,
        matrixDestroy,   embed,         rmsNorm,  linear,       rope,       kvStore,
        attention,       attentionTile, activate, layerNorm,    addScaled,  scaleCap,
        route,           experts};
    return &kBackend;
}

}  // namespace vitrine::kernels
