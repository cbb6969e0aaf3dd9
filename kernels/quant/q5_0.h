#pragma once
// Q5_0: 32 five-bit codes with offset 16 and one half-precision scale; x = d·(q − 16). Thread:
// plain data, any thread. Source: block layout of ggml (ggml-common.h).

#include <cstdint>

#include "kernels/api/dtype.h"
#include "kernels/quant/half.h"

namespace vitrine::kernels {

struct BlockQ5_0 {
    static constexpr DType kType = DType::Q5_0;
    static constexpr const char* kName = "Q5_0";
    static constexpr int kValues = 32;
    uint16_t d;      ///< f16
    uint8_t qh[4];   ///< fifth bit of value j: bit j of the little-endian 32-bit word
    uint8_t qs[16];  ///< low nibble: value j; high nibble: value j + 16
};

static_assert(sizeof(BlockQ5_0) == 22);

/// Code 0…31 of value j. Shared by Q5_0 and Q5_1.
VITRINE_HOST_DEVICE inline int fiveBitCode(const uint8_t* qh, const uint8_t* qs, int j) noexcept {
    const int low = j < 16 ? qs[j] & 15 : qs[j - 16] >> 4;
    return low | (qh[j / 8] >> (j % 8) & 1) << 4;
}

VITRINE_HOST_DEVICE inline void decodeBlock(const BlockQ5_0& b, float* y) noexcept {
    const float d = f16ToF32(b.d);
    for (int j = 0; j < 32; ++j) y[j] = d * static_cast<float>(fiveBitCode(b.qh, b.qs, j) - 16);
}

}  // namespace vitrine::kernels
