#pragma once
// Eight floats in a plain array: what simd_avx2.h does in a register, for machines without AVX2.
// Thread: values.

#include <bit>
#include <cmath>
#include <cstdint>

#include "kernels/quant/half.h"

namespace vitrine::kernels::cpu::scalar {

namespace {

struct F8 {
    float v[8];
};

/// A hint; any address.
inline void prefetch(const char* p) noexcept {
    __builtin_prefetch(p);
}

template <class F>
inline F8 eachLane(F f) noexcept {
    F8 r;
    for (int i = 0; i < 8; ++i) r.v[i] = f(i);
    return r;
}

inline F8 load(const float* p) noexcept {
    return eachLane([&](int i) { return p[i]; });
}

inline void store(float* p, F8 a) noexcept {
    for (int i = 0; i < 8; ++i) p[i] = a.v[i];
}

inline F8 all(float x) noexcept {
    return eachLane([&](int) { return x; });
}

inline F8 zero() noexcept {
    return all(0.0f);
}

inline F8 operator+(F8 a, F8 b) noexcept {
    return eachLane([&](int i) { return a.v[i] + b.v[i]; });
}

inline F8 operator-(F8 a, F8 b) noexcept {
    return eachLane([&](int i) { return a.v[i] - b.v[i]; });
}

inline F8 operator*(F8 a, F8 b) noexcept {
    return eachLane([&](int i) { return a.v[i] * b.v[i]; });
}

inline F8 operator/(F8 a, F8 b) noexcept {
    return eachLane([&](int i) { return a.v[i] / b.v[i]; });
}

/// a·b + c
inline F8 mulAdd(F8 a, F8 b, F8 c) noexcept {
    return eachLane([&](int i) { return a.v[i] * b.v[i] + c.v[i]; });
}

/// The second operand where either is NaN.
inline F8 larger(F8 a, F8 b) noexcept {
    return eachLane([&](int i) { return a.v[i] > b.v[i] ? a.v[i] : b.v[i]; });
}

inline F8 smaller(F8 a, F8 b) noexcept {
    return eachLane([&](int i) { return a.v[i] < b.v[i] ? a.v[i] : b.v[i]; });
}

inline F8 nearest(F8 a) noexcept {
    return eachLane([&](int i) { return std::nearbyintf(a.v[i]); });
}

/// a·2ⁿ for whole n that keep the exponent in range.
inline F8 timesPowerOfTwo(F8 a, F8 n) noexcept {
    return eachLane([&](int i) {
        // NaN has no whole n; its bits may then be anything that stays NaN.
        const float whole = n.v[i] == n.v[i] ? n.v[i] : 0.0f;
        const auto shift = static_cast<uint32_t>(static_cast<int32_t>(whole)) << 23;
        return a.v[i] == a.v[i] ? std::bit_cast<float>(std::bit_cast<uint32_t>(a.v[i]) + shift)
                                : a.v[i];
    });
}

/// a where x < limit is false, else 0.
inline F8 zeroWhereLess(F8 x, F8 limit, F8 a) noexcept {
    return eachLane([&](int i) { return x.v[i] < limit.v[i] ? 0.0f : a.v[i]; });
}

/// a in lanes first…last−1, `other` elsewhere.
inline F8 within(F8 a, F8 other, int first, int last) noexcept {
    return eachLane([&](int i) { return i >= first && i < last ? a.v[i] : other.v[i]; });
}

/// The first n < 8 values, zeros after them; reads no further.
inline F8 loadSome(const float* p, int n) noexcept {
    return eachLane([&](int i) { return i < n ? p[i] : 0.0f; });
}

inline F8 loadHalf(const uint16_t* p) noexcept {
    return eachLane([&](int i) { return f16ToF32(p[i]); });
}

inline void storeHalf(uint16_t* p, F8 a) noexcept {
    for (int i = 0; i < 8; ++i) p[i] = f32ToF16(a.v[i]);
}

inline F8 loadBf16(const uint16_t* p) noexcept {
    return eachLane([&](int i) { return bf16ToF32(p[i]); });
}

inline float sumOf(F8 a) noexcept {
    return ((a.v[0] + a.v[4]) + (a.v[2] + a.v[6])) + ((a.v[1] + a.v[5]) + (a.v[3] + a.v[7]));
}

inline float largestOf(F8 a) noexcept {
    float m = a.v[0];
    for (int i = 1; i < 8; ++i) m = m > a.v[i] ? m : a.v[i];
    return m;
}

/// (x0, x1) → (x0·c0 − x1·s0, x1·c0 + x0·s0) for four pairs; angles = c0 s0 c1 s1 …
inline F8 rotatePairs(F8 x, F8 angles) noexcept {
    return eachLane([&](int i) {
        const float c = angles.v[i / 2 * 2], s = angles.v[i / 2 * 2 + 1];
        return i % 2 == 0 ? x.v[i] * c - x.v[i + 1] * s : x.v[i] * c + x.v[i - 1] * s;
    });
}

/// c0 s0 … c7 s7 in two registers → c0…c7 and s0…s7.
inline void splitPairs(F8 low, F8 high, F8& c, F8& s) noexcept {
    c = eachLane([&](int i) { return i < 4 ? low.v[2 * i] : high.v[2 * i - 8]; });
    s = eachLane([&](int i) { return i < 4 ? low.v[2 * i + 1] : high.v[2 * i - 7]; });
}

/// Transposes 8 × 8 in place.
inline void transpose(F8* r) noexcept {
    for (int i = 0; i < 8; ++i) {
        for (int j = 0; j < i; ++j) {
            const float t = r[i].v[j];
            r[i].v[j] = r[j].v[i];
            r[j].v[i] = t;
        }
    }
}

}  // namespace

}  // namespace vitrine::kernels::cpu::scalar
