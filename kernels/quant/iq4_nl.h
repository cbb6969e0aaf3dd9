#pragma once
// IQ4_NL: 32 nibbles that index a fixed table of 16 levels, and one half-precision scale;
// x = d·level(q). Thread: plain data, any thread. Source: block layout and level table of ggml
// (ggml-common.h).

#include <cstdint>

#include "kernels/api/dtype.h"
#include "kernels/quant/half.h"

namespace vitrine::kernels {

/// The 16 levels of IQ4_NL and IQ4_XS.
VITRINE_HOST_DEVICE inline int iq4Level(int code) noexcept {
    constexpr int8_t kLevels[16] = {-127, -104, -83, -65, -49, -35, -22, -10,
                                    1,    13,   25,  38,  53,  69,  89,  113};
    return kLevels[code];
}

struct BlockIQ4_NL {
    static constexpr DType kType = DType::IQ4_NL;
    static constexpr const char* kName = "IQ4_NL";
    static constexpr int kValues = 32;
    uint16_t d;      ///< f16
    uint8_t qs[16];  ///< low nibble: value j; high nibble: value j + 16
};

static_assert(sizeof(BlockIQ4_NL) == 18);

VITRINE_HOST_DEVICE inline void decodeBlock(const BlockIQ4_NL& b, float* y) noexcept {
    const float d = f16ToF32(b.d);
    for (int j = 0; j < 16; ++j) {
        y[j] = d * static_cast<float>(iq4Level(b.qs[j] & 15));
        y[j + 16] = d * static_cast<float>(iq4Level(b.qs[j] >> 4));
    }
}

}  // namespace vitrine::kernels
