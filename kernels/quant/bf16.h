#pragma once
// BF16: the upper half of a float32, little-endian. A "block" is one value. Thread: plain data, any
// thread.

#include <cstdint>

#include "kernels/api/dtype.h"
#include "kernels/quant/half.h"

namespace vitrine::kernels {

struct BlockBF16 {
    static constexpr DType kType = DType::BF16;
    static constexpr const char* kName = "BF16";
    static constexpr int kValues = 1;
    uint16_t x;
};

static_assert(sizeof(BlockBF16) == 2);

VITRINE_HOST_DEVICE inline void decodeBlock(const BlockBF16& b, float* y) noexcept {
    y[0] = bf16ToF32(b.x);
}

}  // namespace vitrine::kernels
