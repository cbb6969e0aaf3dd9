#pragma once
// Q4_K: 256 nibbles in 8 sub-blocks of 32, each with a 6-bit scale and a 6-bit minimum;
// x = d·sc·q − dmin·m. Thread: plain data, any thread. Source: block layout of ggml
// (ggml-common.h).

#include <cstdint>

#include "kernels/api/dtype.h"
#include "kernels/quant/half.h"

namespace vitrine::kernels {

struct BlockQ4_K {
    static constexpr DType kType = DType::Q4_K;
    static constexpr const char* kName = "Q4_K";
    static constexpr int kValues = 256;
    uint16_t d;          ///< f16
    uint16_t dmin;       ///< f16
    uint8_t scales[12];  ///< see sixBitScale, sixBitMin
    uint8_t qs[128];     ///< 32 bytes per 64 values: low nibbles the first 32, high the second
};

static_assert(sizeof(BlockQ4_K) == 144);

/// Scale 0…63 of sub-block j: bytes 0…3 hold scales 0…3 in their low six bits; scales 4…7 have
/// their low nibble in bytes 8…11 and their upper two bits on top of bytes 0…3. Also for Q5_K.
VITRINE_HOST_DEVICE inline int sixBitScale(const uint8_t* scales, int j) noexcept {
    return j < 4 ? scales[j] & 63 : (scales[j + 4] & 15) | (scales[j - 4] >> 6) << 4;
}

/// Minimum 0…63 of sub-block j: as the scales, but bytes 4…7 and the high nibbles of bytes 8…11.
VITRINE_HOST_DEVICE inline int sixBitMin(const uint8_t* scales, int j) noexcept {
    return j < 4 ? scales[j + 4] & 63 : scales[j + 4] >> 4 | (scales[j] >> 6) << 4;
}

VITRINE_HOST_DEVICE inline void decodeBlock(const BlockQ4_K& b, float* y) noexcept {
    const float d = f16ToF32(b.d), dmin = f16ToF32(b.dmin);
    for (int sub = 0; sub < 8; ++sub) {
        const float scale = d * static_cast<float>(sixBitScale(b.scales, sub));
        const float minimum = dmin * static_cast<float>(sixBitMin(b.scales, sub));
        const uint8_t* q = b.qs + sub / 2 * 32;
        const int shift = sub % 2 * 4;
        for (int l = 0; l < 32; ++l) {
            y[32 * sub + l] = scale * static_cast<float>(q[l] >> shift & 15) - minimum;
        }
    }
}

}  // namespace vitrine::kernels
