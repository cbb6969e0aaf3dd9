#pragma once
// Q6_K: 256 six-bit codes with offset 32 in 16 sub-blocks of 16 with signed byte scales;
// x = d·sc·(q − 32). Thread: plain data, any thread. Source: block layout of ggml (ggml-common.h).

#include <cstdint>

#include "kernels/api/dtype.h"
#include "kernels/quant/half.h"

namespace vitrine::kernels {

struct BlockQ6_K {
    static constexpr DType kType = DType::Q6_K;
    static constexpr const char* kName = "Q6_K";
    static constexpr int kValues = 256;
    uint8_t ql[128];    ///< low nibbles: 64 bytes per 128 values, see sixBitCode
    uint8_t qh[64];     ///< upper two bits: 32 bytes per 128 values
    int8_t scales[16];  ///< one per 16 values
    uint16_t d;         ///< f16
};

static_assert(sizeof(BlockQ6_K) == 210);

/// Code 0…63 of value j. In each half of 128 values, quarter c (32 values) takes the low (c < 2) or
/// high nibbles of bytes 32·(c % 2)… and bits 2c…2c+1 of qh.
VITRINE_HOST_DEVICE inline int sixBitCode(const BlockQ6_K& b, int j) noexcept {
    const int half = j / 128, quarter = j % 128 / 32, l = j % 32;
    const int low = b.ql[64 * half + quarter % 2 * 32 + l] >> (quarter / 2 * 4) & 15;
    const int high = b.qh[32 * half + l] >> (2 * quarter) & 3;
    return low | high << 4;
}

VITRINE_HOST_DEVICE inline void decodeBlock(const BlockQ6_K& b, float* y) noexcept {
    const float d = f16ToF32(b.d);
    for (int sub = 0; sub < 16; ++sub) {
        const float scale = d * static_cast<float>(b.scales[sub]);
        for (int l = 0; l < 16; ++l) {
            const int j = 16 * sub + l;
            y[j] = scale * static_cast<float>(sixBitCode(b, j) - 32);
        }
    }
}

}  // namespace vitrine::kernels
