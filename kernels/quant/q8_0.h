#pragma once
// Q8_0: 32 signed bytes and one half-precision scale; x = d·q. Thread: plain data, any thread.
// Source: block layout of ggml (ggml-common.h), as the GGUF specification refers to it.

#include <cstdint>

#include "kernels/api/dtype.h"
#include "kernels/quant/half.h"

namespace vitrine::kernels {

struct BlockQ8_0 {
    static constexpr DType kType = DType::Q8_0;
    static constexpr const char* kName = "Q8_0";
    static constexpr int kValues = 32;
    uint16_t d;     ///< f16
    int8_t qs[32];  ///< value j
};

static_assert(sizeof(BlockQ8_0) == 34);

VITRINE_HOST_DEVICE inline void decodeBlock(const BlockQ8_0& b, float* y) noexcept {
    const float d = f16ToF32(b.d);
    for (int j = 0; j < 32; ++j) y[j] = d * static_cast<float>(b.qs[j]);
}

}  // namespace vitrine::kernels
