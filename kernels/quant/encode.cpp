#include <cmath>
#include <cstring>

#include "kernels/api/dtype.h"
#include "kernels/quant/bf16.h"
#include "kernels/quant/half.h"
#include "kernels/quant/q4_0.h"
#include "kernels/quant/q8_0.h"

namespace vitrine::kernels {

namespace {

/// The scale maps the largest magnitude to 127; codes round half away from zero.
void encodeBlock(const float* x, BlockQ8_0& b) noexcept {
    float largest = 0;
    for (int j = 0; j < 32; ++j) largest = std::fmax(largest, std::fabs(x[j]));
    const float d = largest / 127.0f;
    const float inverse = d > 0 ? 1.0f / d : 0.0f;
    b.d = f32ToF16(d);
    for (int j = 0; j < 32; ++j) {
        const float code = std::fmin(std::fmax(x[j] * inverse, -127.0f), 127.0f);
        b.qs[j] = static_cast<int8_t>(code + (code < 0 ? -0.5f : 0.5f));
    }
}

/// The scale maps the value of the largest magnitude, with its sign, to code 0, which is −8.
void encodeBlock(const float* x, BlockQ4_0& b) noexcept {
    float extreme = 0;
    for (int j = 0; j < 32; ++j) {
        if (std::fabs(x[j]) > std::fabs(extreme)) extreme = x[j];
    }
    const float d = extreme / -8.0f;
    const float inverse = d != 0 ? 1.0f / d : 0.0f;
    b.d = f32ToF16(d);
    const auto code = [&](float value) {
        return static_cast<unsigned>(std::fmin(std::fmax(value * inverse + 8.5f, 0.0f), 15.0f));
    };
    for (int j = 0; j < 16; ++j) {
        b.qs[j] = static_cast<uint8_t>(code(x[j]) | code(x[j + 16]) << 4);
    }
}

template <class Block>
void encodeBlocks(const float* src, char* dst, int64_t nCols) noexcept {
    for (int64_t i = 0; i < nCols / Block::kValues; ++i) {
        Block block;
        encodeBlock(src + i * Block::kValues, block);
        std::memcpy(dst + i * static_cast<int64_t>(sizeof(Block)), &block, sizeof(Block));
    }
}

template <uint16_t (*kNarrow)(float) noexcept>
void encodeHalves(const float* src, char* dst, int64_t nCols) noexcept {
    for (int64_t i = 0; i < nCols; ++i) {
        const uint16_t half = kNarrow(src[i]);
        std::memcpy(dst + 2 * i, &half, sizeof half);
    }
}

}  // namespace

void encodeRow(DType type, const float* src, void* dst, int64_t nCols) noexcept {
    auto* out = static_cast<char*>(dst);
    switch (type) {
        case DType::F32: std::memcpy(out, src, static_cast<size_t>(nCols) * sizeof(float)); return;
        case DType::F16: return encodeHalves<f32ToF16>(src, out, nCols);
        case DType::BF16: return encodeHalves<f32ToBf16>(src, out, nCols);
        case DType::Q8_0: return encodeBlocks<BlockQ8_0>(src, out, nCols);
        case DType::Q4_0: return encodeBlocks<BlockQ4_0>(src, out, nCols);
        default: return;
    }
}

}  // namespace vitrine::kernels
