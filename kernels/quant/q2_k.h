#pragma once
// Q2_K: 256 two-bit codes in 16 sub-blocks of 16, each with a 4-bit scale and a 4-bit minimum;
// x = d·sc·q − dmin·m. Thread: plain data, any thread. Source: block layout of ggml
// (ggml-common.h).

#include <cstdint>

#include "kernels/api/dtype.h"
#include "kernels/quant/half.h"

namespace vitrine::kernels {

struct BlockQ2_K {
    static constexpr DType kType = DType::Q2_K;
    static constexpr const char* kName = "Q2_K";
    static constexpr int kValues = 256;
    uint8_t scales[16];  ///< low nibble: scale; high nibble: minimum
    uint8_t qs[64];      ///< 32 bytes per 128 values; bits 2j…2j+1 of byte l: value 32·j + l
    uint16_t d;          ///< f16
    uint16_t dmin;       ///< f16
};

static_assert(sizeof(BlockQ2_K) == 84);

VITRINE_HOST_DEVICE inline void decodeBlock(const BlockQ2_K& b, float* y) noexcept {
    const float d = f16ToF32(b.d), dmin = f16ToF32(b.dmin);
    for (int sub = 0; sub < 16; ++sub) {
        const float scale = d * static_cast<float>(b.scales[sub] & 15);
        const float minimum = dmin * static_cast<float>(b.scales[sub] >> 4);
        const uint8_t* q = b.qs + sub / 8 * 32 + sub % 2 * 16;
        const int shift = sub % 8 / 2 * 2;
        for (int l = 0; l < 16; ++l) {
            y[16 * sub + l] = scale * static_cast<float>(q[l] >> shift & 3) - minimum;
        }
    }
}

}  // namespace vitrine::kernels
