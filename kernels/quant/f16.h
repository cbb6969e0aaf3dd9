#pragma once
// F16: one IEEE binary16, little-endian. A "block" is one value. Thread: plain data, any thread.

#include <cstdint>

#include "kernels/api/dtype.h"
#include "kernels/quant/half.h"

namespace vitrine::kernels {

struct BlockF16 {
    static constexpr DType kType = DType::F16;
    static constexpr const char* kName = "F16";
    static constexpr int kValues = 1;
    uint16_t x;
};

static_assert(sizeof(BlockF16) == 2);

VITRINE_HOST_DEVICE inline void decodeBlock(const BlockF16& b, float* y) noexcept {
    y[0] = f16ToF32(b.x);
}

}  // namespace vitrine::kernels
