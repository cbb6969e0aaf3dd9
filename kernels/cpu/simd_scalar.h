#pragma once
// Eight floats in a plain array: what simd_avx2.h does in a register, for machines without AVX2.
// Thread: values.

#include <bit>
#include <cmath>
#include <cstdint>

#include "kernels/quant/half.h"

namespace vitrine::kernels::cpu::scalar {

namespace {

constexpr int kLanes = 8;

/// Registers of columns in a tile of six rows: with a row of values they fill sixteen registers.
constexpr int kColumnsOfSix = 2;

struct Vec {
    float v[8];
};

/// A hint; any address.
inline void prefetch(const char* p) noexcept {
    __builtin_prefetch(p);
}

template <class F>
inline Vec eachLane(F f) noexcept {
    Vec r;
    for (int i = 0; i < 8; ++i) r.v[i] = f(i);
    return r;
}

inline Vec load(const float* p) noexcept {
    return eachLane([&](int i) { return p[i]; });
}

inline void store(float* p, Vec a) noexcept {
    for (int i = 0; i < 8; ++i) p[i] = a.v[i];
}

inline Vec all(float x) noexcept {
    return eachLane([&](int) { return x; });
}

inline Vec zero() noexcept {
    return all(0.0f);
}

inline Vec operator+(Vec a, Vec b) noexcept {
    return eachLane([&](int i) { return a.v[i] + b.v[i]; });
}

inline Vec operator-(Vec a, Vec b) noexcept {
    return eachLane([&](int i) { return a.v[i] - b.v[i]; });
}

inline Vec operator*(Vec a, Vec b) noexcept {
    return eachLane([&](int i) { return a.v[i] * b.v[i]; });
}

inline Vec operator/(Vec a, Vec b) noexcept {
    return eachLane([&](int i) { return a.v[i] / b.v[i]; });
}

/// a·b + c
inline Vec mulAdd(Vec a, Vec b, Vec c) noexcept {
    return eachLane([&](int i) { return a.v[i] * b.v[i] + c.v[i]; });
}

/// The second operand where either is NaN.
inline Vec larger(Vec a, Vec b) noexcept {
    return eachLane([&](int i) { return a.v[i] > b.v[i] ? a.v[i] : b.v[i]; });
}

inline Vec smaller(Vec a, Vec b) noexcept {
    return eachLane([&](int i) { return a.v[i] < b.v[i] ? a.v[i] : b.v[i]; });
}

inline Vec nearest(Vec a) noexcept {
    return eachLane([&](int i) { return std::nearbyintf(a.v[i]); });
}

/// a·2ⁿ for whole n that keep the exponent in range.
inline Vec timesPowerOfTwo(Vec a, Vec n) noexcept {
    return eachLane([&](int i) {
        // NaN has no whole n; its bits may then be anything that stays NaN.
        const float whole = n.v[i] == n.v[i] ? n.v[i] : 0.0f;
        const auto shift = static_cast<uint32_t>(static_cast<int32_t>(whole)) << 23;
        return a.v[i] == a.v[i] ? std::bit_cast<float>(std::bit_cast<uint32_t>(a.v[i]) + shift)
                                : a.v[i];
    });
}

/// a where x < limit is false, else 0.
inline Vec zeroWhereLess(Vec x, Vec limit, Vec a) noexcept {
    return eachLane([&](int i) { return x.v[i] < limit.v[i] ? 0.0f : a.v[i]; });
}

/// a in lanes first…last−1, `other` elsewhere.
inline Vec within(Vec a, Vec other, int first, int last) noexcept {
    return eachLane([&](int i) { return i >= first && i < last ? a.v[i] : other.v[i]; });
}

/// The first n < 8 values, zeros after them; reads no further.
inline Vec loadSome(const float* p, int n) noexcept {
    return eachLane([&](int i) { return i < n ? p[i] : 0.0f; });
}

inline Vec loadHalf(const uint16_t* p) noexcept {
    return eachLane([&](int i) { return f16ToF32(p[i]); });
}

inline void storeHalf(uint16_t* p, Vec a) noexcept {
    for (int i = 0; i < 8; ++i) p[i] = f32ToF16(a.v[i]);
}

inline Vec loadBf16(const uint16_t* p) noexcept {
    return eachLane([&](int i) { return bf16ToF32(p[i]); });
}

/// A half-precision number in every lane.
inline Vec allHalf(uint16_t half) noexcept {
    return all(f16ToF32(half));
}

inline Vec loadInt8(const int8_t* p) noexcept {
    return eachLane([&](int i) { return static_cast<float>(p[i]); });
}

/// (byte >> shift) & 15 of eight bytes.
inline Vec loadNibbles(const uint8_t* p, int shift) noexcept {
    return eachLane([&](int i) { return static_cast<float>(p[i] >> shift & 15); });
}

inline float sumOf(Vec a) noexcept {
    return ((a.v[0] + a.v[4]) + (a.v[2] + a.v[6])) + ((a.v[1] + a.v[5]) + (a.v[3] + a.v[7]));
}

inline float largestOf(Vec a) noexcept {
    float m = a.v[0];
    for (int i = 1; i < 8; ++i) m = m > a.v[i] ? m : a.v[i];
    return m;
}

/// (x0, x1) → (x0·c0 − x1·s0, x1·c0 + x0·s0) for four pairs; angles = c0 s0 c1 s1 …
inline Vec rotatePairs(Vec x, Vec angles) noexcept {
    return eachLane([&](int i) {
        const float c = angles.v[i / 2 * 2], s = angles.v[i / 2 * 2 + 1];
        return i % 2 == 0 ? x.v[i] * c - x.v[i + 1] * s : x.v[i] * c + x.v[i - 1] * s;
    });
}

/// c0 s0 … c7 s7 in two registers → c0…c7 and s0…s7.
inline void splitPairs(Vec low, Vec high, Vec& c, Vec& s) noexcept {
    c = eachLane([&](int i) { return i < 4 ? low.v[2 * i] : high.v[2 * i - 8]; });
    s = eachLane([&](int i) { return i < 4 ? low.v[2 * i + 1] : high.v[2 * i - 7]; });
}

/// Transposes 8 × 8 in place.
inline void transpose(Vec* r) noexcept {
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
