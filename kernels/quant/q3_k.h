#pragma once
// Q3_K: 256 three-bit codes in 16 sub-blocks of 16 with 6-bit signed scales; x = d·(sc − 32)·(q −
// 4), where q's third bit lies in its own mask. Thread: plain data, any thread. Source: block
// layout of ggml (ggml-common.h).

#include <cstdint>

#include "kernels/api/dtype.h"
#include "kernels/quant/half.h"

namespace vitrine::kernels {

struct BlockQ3_K {
    static constexpr DType kType = DType::Q3_K;
    static constexpr const char* kName = "Q3_K";
    static constexpr int kValues = 256;
    uint8_t hmask[32];   ///< bit s of byte l: third bit of value 32·s + l
    uint8_t qs[64];      ///< 32 bytes per 128 values; bits 2j…2j+1 of byte l: value 32·j + l
    uint8_t scales[12];  ///< low nibbles of 16 scales in bytes 0…7, upper two bits in bytes 8…11
    uint16_t d;          ///< f16
};

static_assert(sizeof(BlockQ3_K) == 110);

/// Scale −32…31 of sub-block i.
VITRINE_HOST_DEVICE inline int q3Scale(const BlockQ3_K& b, int i) noexcept {
    const int low = i < 8 ? b.scales[i] & 15 : b.scales[i - 8] >> 4;
    const int high = b.scales[8 + i % 4] >> (i / 4 * 2) & 3;
    return (low | high << 4) - 32;
}

VITRINE_HOST_DEVICE inline void decodeBlock(const BlockQ3_K& b, float* y) noexcept {
    const float d = f16ToF32(b.d);
    for (int sub = 0; sub < 16; ++sub) {
        const float scale = d * static_cast<float>(q3Scale(b, sub));
        const uint8_t* q = b.qs + sub / 8 * 32 + sub % 2 * 16;
        const uint8_t* h = b.hmask + sub % 2 * 16;
        const int shift = sub % 8 / 2 * 2;
        for (int l = 0; l < 16; ++l) {
            const int code = (q[l] >> shift & 3) | (h[l] >> (sub / 2) & 1) << 2;
            y[16 * sub + l] = scale * static_cast<float>(code - 4);
        }
    }
}

}  // namespace vitrine::kernels
