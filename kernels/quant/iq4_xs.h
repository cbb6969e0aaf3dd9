#pragma once
// IQ4_XS: 256 nibbles that index the IQ4 levels, in 8 sub-blocks of 32 with 6-bit signed scales;
// x = d·(sc − 32)·level(q). Thread: plain data, any thread. Source: block layout of ggml
// (ggml-common.h).

#include <cstdint>

#include "kernels/api/dtype.h"
#include "kernels/quant/half.h"
#include "kernels/quant/iq4_nl.h"

namespace vitrine::kernels {

struct BlockIQ4_XS {
    static constexpr DType kType = DType::IQ4_XS;
    static constexpr const char* kName = "IQ4_XS";
    static constexpr int kValues = 256;
    uint16_t d;            ///< f16
    uint16_t scalesHigh;   ///< bits 2s…2s+1: upper two bits of scale s
    uint8_t scalesLow[4];  ///< nibble s: low four bits of scale s
    uint8_t qs[128];       ///< 16 bytes per 32 values: low nibble value j, high nibble j + 16
};

static_assert(sizeof(BlockIQ4_XS) == 136);

/// Scale −32…31 of sub-block i.
VITRINE_HOST_DEVICE inline int iq4Scale(const BlockIQ4_XS& b, int i) noexcept {
    const int low = b.scalesLow[i / 2] >> (i % 2 * 4) & 15;
    const int high = b.scalesHigh >> (2 * i) & 3;
    return (low | high << 4) - 32;
}

VITRINE_HOST_DEVICE inline void decodeBlock(const BlockIQ4_XS& b, float* y) noexcept {
    const float d = f16ToF32(b.d);
    for (int sub = 0; sub < 8; ++sub) {
        const float scale = d * static_cast<float>(iq4Scale(b, sub));
        for (int j = 0; j < 16; ++j) {
            const int q = b.qs[16 * sub + j];
            y[32 * sub + j] = scale * static_cast<float>(iq4Level(q & 15));
            y[32 * sub + j + 16] = scale * static_cast<float>(iq4Level(q >> 4));
        }
    }
}

}  // namespace vitrine::kernels
