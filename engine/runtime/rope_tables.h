#pragma once
// Cosines and sines per position in the backend's memory, one table per set of angles that a model
// uses: full layers, windowed layers, and LongRoPE's short and long factors. They grow by doubling:
// a table for the whole trained context can be larger than a small model's cache. Thread: the
// engine thread.

#include <array>
#include <cstdint>

#include "engine/base/result.h"
#include "engine/model/config.h"
#include "kernels/api/backend.h"

namespace vitrine::engine {

class RopeTables {
public:
    RopeTables(const RopeConfig& config, const kernels::Backend* backend, kernels::Context* context)
        : config_(config), backend_(backend), context_(context) {}

    ~RopeTables();
    RopeTables(const RopeTables&) = delete;
    RopeTables& operator=(const RopeTables&) = delete;

    /// Makes the tables cover positions 0…nPositions−1, with LongRoPE's long factors if isLong.
    /// Fails: OutOfMemory.
    Result<void> prepare(int32_t nPositions, bool isLong);

    /// [pos, rope.dim/2, 2] of the last prepare; null for a model without RoPE.
    const float* table(bool windowed) const {
        return tables_[windowed && config_.hasWindowedAngles ? kWindowed : full_].data;
    }

    uint64_t sizeBytes() const;

private:
    static constexpr size_t kShort = 0, kLong = 1, kWindowed = 2;

    struct Table {
        float* data = nullptr;
        size_t sizeBytes = 0;
        int32_t nPositions = 0;
    };

    Result<void> grow(size_t index, int32_t nPositions);

    const RopeConfig& config_;
    const kernels::Backend* backend_;
    kernels::Context* context_;
    std::array<Table, 3> tables_;
    size_t full_ = kShort;
};

}  // namespace vitrine::engine
