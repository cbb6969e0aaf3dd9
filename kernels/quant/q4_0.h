#pragma once
// Q4_0: 32 nibbles with offset 8 and one half-precision scale; x = d·(q − 8). Thread: plain data,
// any thread. Source: block layout of ggml (ggml-common.h).

#include <cstdint>

#include "kernels/api/dtype.h"
#include "kernels/quant/half.h"

namespace vitrine::kernels {

struct BlockQ4_0 {
    static constexpr DType kType = DType::Q4_0;
    static constexpr const char* kName = "Q4_0";
    static constexpr int kValues = 32;
    uint16_t d;      ///< f16
    uint8_t qs[16];  ///< low nibble: value j; high nibble: value j + 16
};

static_assert(sizeof(BlockQ4_0) == 18);

VITRINE_HOST_DEVICE inline void decodeBlock(const BlockQ4_0& b, float* y) noexcept {
    const float d = f16ToF32(b.d);
    for (int j = 0; j < 16; ++j) {
        y[j] = d * static_cast<float>((b.qs[j] & 15) - 8);
        y[j + 16] = d * static_cast<float>((b.qs[j] >> 4) - 8);
    }
}

}  // namespace vitrine::kernels
