#pragma once
// F32: one float32 as stored, little-endian. A "block" is one value. Thread: plain data, any
// thread.

#include <cstdint>

#include "kernels/api/dtype.h"
#include "kernels/quant/half.h"

namespace vitrine::kernels {

struct BlockF32 {
    static constexpr DType kType = DType::F32;
    static constexpr const char* kName = "F32";
    static constexpr int kValues = 1;
    float x;
};

static_assert(sizeof(BlockF32) == 4);

VITRINE_HOST_DEVICE inline void decodeBlock(const BlockF32& b, float* y) noexcept {
    y[0] = b.x;
}

}  // namespace vitrine::kernels
