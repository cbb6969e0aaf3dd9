#pragma once
// Q5_1: 32 five-bit codes, a half-precision scale and minimum; x = d·q + m. Thread: plain data, any
// thread. Source: block layout of ggml (ggml-common.h).

#include <cstdint>

#include "kernels/api/dtype.h"
#include "kernels/quant/half.h"
#include "kernels/quant/q5_0.h"

namespace vitrine::kernels {

struct BlockQ5_1 {
    static constexpr DType kType = DType::Q5_1;
    static constexpr const char* kName = "Q5_1";
    static constexpr int kValues = 32;
    uint16_t d;      ///< f16
    uint16_t m;      ///< f16
    uint8_t qh[4];   ///< fifth bit of value j: bit j of the little-endian 32-bit word
    uint8_t qs[16];  ///< low nibble: value j; high nibble: value j + 16
};

static_assert(sizeof(BlockQ5_1) == 24);

VITRINE_HOST_DEVICE inline void decodeBlock(const BlockQ5_1& b, float* y) noexcept {
    const float d = f16ToF32(b.d), m = f16ToF32(b.m);
    for (int j = 0; j < 32; ++j) y[j] = d * static_cast<float>(fiveBitCode(b.qh, b.qs, j)) + m;
}

}  // namespace vitrine::kernels
