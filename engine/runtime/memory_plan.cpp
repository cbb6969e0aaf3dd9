#include "engine/runtime/memory_plan.h"

#include <algorithm>
#include <cstdio>

#include "engine/io/model_file.h"
#include "engine/runtime/activations.h"

namespace vitrine::engine {

namespace {

/// Share of free memory that the plan takes: the rest is the system's.
constexpr double kUsableShare = 0.9;
constexpr int32_t kSmallestContext = 256;

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

MemoryPlan planMemory(const ModelConfig& config, const ModelFile& file, kernels::DType kvType,
                      int32_t askedContext, uint64_t availableBytes) {
    MemoryPlan plan;
    plan.availableBytes = availableBytes;
    for (const TensorInfo& tensor : file.tensors()) plan.weightBytes += tensor.sizeBytes;
    const uint64_t elements = 2 * static_cast<uint64_t>(config.nLayers) *
                              static_cast<uint64_t>(config.nKvHeads) *
                              static_cast<uint64_t>(config.headDim);
    plan.kvBytesPerToken = elements * kernels::dtypeInfo(kvType).blockBytes;
    plan.activationBytes = Activations::bytesFor(config);

    int32_t wanted = config.trainedContext;
    if (askedContext > config.trainedContext) {
        plan.contextReason =
            "the model was trained for " + std::to_string(config.trainedContext) + " tokens";
    } else if (askedContext > 0) {
        wanted = askedContext;
    }
    plan.contextSize = wanted;
    if (availableBytes == 0) return plan;  // the system does not say: nothing to cap by
    const auto usable = static_cast<uint64_t>(static_cast<double>(availableBytes) * kUsableShare);
    const uint64_t fixed = plan.weightBytes + plan.activationBytes;
    const uint64_t room = usable > fixed ? usable - fixed : 0;
    const uint64_t fitting = room / std::max<uint64_t>(plan.kvBytesPerToken, 1);
    if (fitting < static_cast<uint64_t>(wanted)) {
        plan.contextSize = static_cast<int32_t>(std::max<uint64_t>(fitting, 1));
        plan.contextReason = "free memory (" + bytesText(availableBytes) + ") holds no more";
    }
    plan.fits = fitting >= static_cast<uint64_t>(std::min(wanted, kSmallestContext));
    return plan;
}

}  // namespace vitrine::engine
