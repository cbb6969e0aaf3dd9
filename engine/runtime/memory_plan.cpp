#include "engine/runtime/memory_plan.h"

#include <algorithm>
#include <cstdio>

#include "engine/io/model_file.h"
#include "engine/plan/shape_reader.h"
#include "engine/runtime/activations.h"
#include "engine/runtime/kv_pages.h"

namespace vitrine::engine {

namespace {

/// Share of free memory that the plan takes: the rest is the system's.
constexpr double kUsableShare = 0.9;
constexpr int32_t kSmallestContext = 256;
constexpr uint64_t kMaxQStoreBytes = uint64_t{1} << 30;
constexpr uint64_t kSmallestRopeTable = 1024;  ///< positions, see RopeTables

/// Two values for each pair of a rotation, in as many tables as the model needs at a time.
uint64_t ropeBytesPerToken(const ModelConfig& config) {
    const uint64_t nTables = config.rope.hasWindowedAngles ? 2 : 1;
    return nTables * static_cast<uint64_t>(config.rope.dim / 2) * 2 * sizeof(float);
}

uint64_t lseBytesPerToken(const ModelConfig& config) {
    return static_cast<uint64_t>(config.nLayers) * static_cast<uint64_t>(config.nHeads) *
           sizeof(float);
}

uint64_t qBytesPerToken(const ModelConfig& config) {
    return lseBytesPerToken(config) * static_cast<uint64_t>(config.headDim);
}

}  // namespace

std::string bytesText(uint64_t sizeBytes) {
    static constexpr const char* kUnits[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    double value = static_cast<double>(sizeBytes);
    int unit = 0;
    while (value >= 1024.0 && unit < 4) {
        value /= 1024.0;
        ++unit;
    }
    char text[32];
    std::snprintf(text, sizeof text,
                  unit == 0    ? "%.0f %s"
                  : value < 10 ? "%.2f %s"
                               : "%.1f %s",
                  value, kUnits[unit]);
    return text;
}

uint64_t qStoreBudget(uint64_t availableBytes) {
    return std::min(availableBytes / 8, kMaxQStoreBytes);
}

uint64_t usableBytes(uint64_t availableBytes) {
    return static_cast<uint64_t>(static_cast<double>(availableBytes) * kUsableShare);
}

MemoryPlan planMemory(const ModelConfig& config, const ModelFile& file, KvTypes kvTypes,
                      int32_t askedContext, uint64_t availableBytes, bool isForced) {
    uint64_t weightBytes = 0;
    for (const TensorInfo& tensor : file.tensors()) weightBytes += tensor.sizeBytes;
    return planMemory(config, weightBytes, kvTypes, askedContext, availableBytes, isForced);
}

MemoryPlan planMemory(const ModelConfig& config, uint64_t weightBytes, KvTypes kvTypes,
                      int32_t askedContext, uint64_t availableBytes, bool isForced) {
    MemoryPlan plan;
    plan.availableBytes = availableBytes;
    plan.weightBytes = weightBytes;
    const ModelShape shape = shapeOf(config);
    KvRequest request;
    request.k = kvTypes.k;
    request.v = kvTypes.v;
    request.pageTokens = int64_t{kPageTokens} * kCommitPages;
    request.countsWindows = false;  // the engine keeps every token of every layer
    const uint64_t activations = Activations::bytesFor(config);
    const uint64_t ropePerToken = ropeBytesPerToken(config), lsePerToken = lseBytesPerToken(config);

    int32_t wanted = config.trainedContext;
    if (askedContext > config.trainedContext) {
        plan.contextReason =
            "the model was trained for " + std::to_string(config.trainedContext) + " tokens";
    } else if (askedContext > 0) {
        wanted = askedContext;
    }
    plan.contextSize = wanted;
    if (availableBytes > 0) {  // else the system does not say: nothing to cap by
        const uint64_t usable = usableBytes(availableBytes), fixed = weightBytes + activations;
        const auto most = largestContext(shape, request, usable > fixed ? usable - fixed : 0,
                                         ropePerToken + lsePerToken);
        plan.largestContext = most ? *most : 0;
        if (plan.largestContext < wanted && !isForced) {
            plan.contextSize = static_cast<int32_t>(std::max<int64_t>(plan.largestContext, 1));
            plan.contextReason = "free memory (" + bytesText(availableBytes) + ") holds no more";
        }
        plan.fits = plan.largestContext >= std::min(wanted, kSmallestContext);
    }
    request.context = plan.contextSize;
    const auto context = static_cast<uint64_t>(plan.contextSize);
    if (const auto kv = planKv(shape, request)) {
        plan.kvBytesPerToken = kv->bytesPerToken;
        plan.kvBytes = kv->bytes;
    }
    plan.activationBytes = activations + ropePerToken * std::max(context, kSmallestRopeTable);
    const uint64_t kept = (context + kPageTokens - 1) / kPageTokens * kPageTokens;
    const uint64_t budget = availableBytes > 0 ? qStoreBudget(availableBytes) : kMaxQStoreBytes;
    plan.captureBytes = lsePerToken * kept + std::min(qBytesPerToken(config) * kept, budget);
    return plan;
}

}  // namespace vitrine::engine
