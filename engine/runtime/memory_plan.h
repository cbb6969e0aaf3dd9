#pragma once
// What a model will take before it is loaded, and the context that fits: the planner's formulas
// with what this engine does (whole groups of pages, windowed layers kept in full). All figures
// here are predictions and are called so on screen. Thread: pure functions.

#include <string>

#include "engine/base/result.h"
#include "engine/model/config.h"
#include "engine/plan/kv_plan.h"

namespace vitrine::engine {

class ModelFile;

struct MemoryPlan {
    uint64_t weightBytes = 0;
    uint64_t kvBytesPerToken = 0;
    uint64_t kvBytes = 0;          ///< committed when contextSize is full
    uint64_t activationBytes = 0;  ///< with the rotary tables of contextSize
    uint64_t captureBytes = 0;     ///< log-sum-exp of contextSize, and Q within its budget
    uint64_t availableBytes = 0;   ///< free memory when the plan was made; 0 = unknown
    int64_t largestContext = 0;    ///< that fits into free memory, trained for or not
    int32_t contextSize = 0;
    std::string contextReason;  ///< why it is smaller than asked or trained; empty when it is not
    bool fits = true;           ///< weights, activations and a smallest useful context fit

    uint64_t totalBytes() const { return weightBytes + kvBytes + activationBytes + captureBytes; }
};

/// askedContext: 0 = the model's own. isForced: the context is as asked, whether it fits or not.
/// Never fails; figures that are out of range stop at the ends.
MemoryPlan planMemory(const ModelConfig& config, const ModelFile& file, KvTypes kvTypes,
                      int32_t askedContext, uint64_t availableBytes, bool isForced = false);
/// The same where the bytes of the weights are known.
MemoryPlan planMemory(const ModelConfig& config, uint64_t weightBytes, KvTypes kvTypes,
                      int32_t askedContext, uint64_t availableBytes, bool isForced = false);

/// Most bytes of Q that are kept to rebuild attention from: the oldest go first. Never fails.
uint64_t qStoreBudget(uint64_t availableBytes);

/// Of free memory, what a plan may take: the rest is the system's. Never fails.
uint64_t usableBytes(uint64_t availableBytes);

/// "1.50 GiB", "96.0 MiB", "512 B": binary units, as on every screen. Never fails.
std::string bytesText(uint64_t sizeBytes);

}  // namespace vitrine::engine
