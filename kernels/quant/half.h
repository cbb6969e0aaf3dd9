#pragma once
// Half-precision and bfloat16 conversions in plain integer arithmetic: the same bits on every
// machine, and what the vector units give for finite numbers. Thread: pure functions, any thread.

#include <bit>
#include <cstdint>

#ifdef __CUDACC__
#define VITRINE_HOST_DEVICE __host__ __device__
#else
#define VITRINE_HOST_DEVICE
#endif

namespace vitrine::kernels {

/// Exact. Never fails. Source: IEEE 754-2019, binary16.
VITRINE_HOST_DEVICE inline float f16ToF32(uint16_t h) noexcept {
    const uint32_t sign = static_cast<uint32_t>(h & 0x8000u) << 16;
    const uint32_t exponent = (h >> 10) & 0x1fu;
    const uint32_t fraction = h & 0x3ffu;
    if (exponent == 0) {
        const float magnitude = static_cast<float>(fraction) * 0x1p-24f;
        return std::bit_cast<float>(std::bit_cast<uint32_t>(magnitude) | sign);
    }
    const uint32_t wide = exponent == 31 ? 255u : exponent + 112u;
    return std::bit_cast<float>(sign | wide << 23 | fraction << 13);
}

/// Rounds to nearest, ties to even; from 65520 up it gives infinity; NaN stays NaN. Never fails.
VITRINE_HOST_DEVICE inline uint16_t f32ToF16(float value) noexcept {
    const uint32_t bits = std::bit_cast<uint32_t>(value);
    const uint32_t sign = bits >> 16 & 0x8000u;
    const uint32_t magnitude = bits & 0x7fffffffu;
    uint32_t half;
    if (magnitude > 0x7f800000u) {
        half = 0x7e00u;
    } else if (magnitude >= 0x477ff000u) {
        half = 0x7c00u;
    } else if (magnitude < 0x38800000u) {
        // Adding 0.5, whose last place is 2^-24, lets the adder round to a subnormal half.
        const float shifted = std::bit_cast<float>(magnitude) + 0.5f;
        half = std::bit_cast<uint32_t>(shifted) - 0x3f000000u;
    } else {
        half = (magnitude + 0xfffu + (magnitude >> 13 & 1u) - (112u << 23)) >> 13;
    }
    return static_cast<uint16_t>(sign | half);
}

/// Exact. Never fails.
VITRINE_HOST_DEVICE inline float bf16ToF32(uint16_t b) noexcept {
    return std::bit_cast<float>(static_cast<uint32_t>(b) << 16);
}

/// Rounds to nearest, ties to even; NaN stays NaN. Never fails.
VITRINE_HOST_DEVICE inline uint16_t f32ToBf16(float value) noexcept {
    const uint32_t bits = std::bit_cast<uint32_t>(value);
    if ((bits & 0x7fffffffu) > 0x7f800000u) return static_cast<uint16_t>(bits >> 16 | 0x40u);
    return static_cast<uint16_t>((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
}

}  // namespace vitrine::kernels
