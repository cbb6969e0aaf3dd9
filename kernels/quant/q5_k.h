#pragma once
// Q5_K: 256 five-bit codes in 8 sub-blocks of 32, each with a 6-bit scale and a 6-bit minimum;
// x = d·sc·q − dmin·m. Thread: plain data, any thread. Source: block layout of ggml
// (ggml-common.h).

#include <cstdint>

#include "kernels/api/dtype.h"
#include "kernels/quant/half.h"
#include "kernels/quant/q4_k.h"

namespace vitrine::kernels {

struct BlockQ5_K {
    static constexpr DType kType = DType::Q5_K;
    static constexpr const char* kName = "Q5_K";
    static constexpr int kValues = 256;
    uint16_t d;          ///< f16
    uint16_t dmin;       ///< f16
    uint8_t scales[12];  ///< as in Q4_K
    uint8_t qh[32];      ///< bit s of byte l: fifth bit of value 32·s + l
    uint8_t qs[128];     ///< 32 bytes per 64 values: low nibbles the first 32, high the second
};

static_assert(sizeof(BlockQ5_K) == 176);

VITRINE_HOST_DEVICE inline void decodeBlock(const BlockQ5_K& b, float* y) noexcept {
    const float d = f16ToF32(b.d), dmin = f16ToF32(b.dmin);
    for (int sub = 0; sub < 8; ++sub) {
        const float scale = d * static_cast<float>(sixBitScale(b.scales, sub));
        const float minimum = dmin * static_cast<float>(sixBitMin(b.scales, sub));
        const uint8_t* q = b.qs + sub / 2 * 32;
        const int shift = sub % 2 * 4;
        for (int l = 0; l < 32; ++l) {
            const int code = (q[l] >> shift & 15) | (b.qh[l] >> sub & 1) << 4;
            y[32 * sub + l] = scale * static_cast<float>(code) - minimum;
        }
    }
}

}  // namespace vitrine::kernels
