#pragma once
// What a model will take before it is loaded, and the context that fits. All figures here are
// predictions and are called so on screen. Thread: pure functions.

#include <string>

#include "engine/base/result.h"
#include "engine/model/config.h"
#include "kernels/api/dtype.h"

namespace vitrine::engine {

class ModelFile;

struct MemoryPlan {
    uint64_t weightBytes = 0;
    uint64_t kvBytesPerToken = 0;
    uint64_t activationBytes = 0;
    uint64_t availableBytes = 0;  ///< free memory when the plan was made
    int32_t contextSize = 0;
    std::string contextReason;  ///< why it is smaller than asked or trained; empty when it is not
    bool fits = true;           ///< weights, activations and a smallest useful context fit
};

/// askedContext: 0 = the model's own. exact: weights stay as stored. Never fails.
MemoryPlan planMemory(const ModelConfig& config, const ModelFile& file, kernels::DType kvType,
                      int32_t askedContext, uint64_t availableBytes);

/// "1.50 GiB", "96.0 MiB", "512 B": binary units, as on every screen. Never fails.
std::string bytesText(uint64_t sizeBytes);

}  // namespace vitrine::engine
