#pragma once
// Sixteen floats in one AVX-512 register. Included after begin_avx512.h. The same operations as
// simd_scalar.h, so that the loops of the .inc files are written once. Thread: values.

#include <cstdint>

#include "kernels/cpu/begin_avx512.h"

namespace vitrine::kernels::cpu::avx512 {

namespace {

constexpr int kLanes = 16;

/// Registers of columns in a tile of six rows: with a row of values they take 29 of 32 registers.
constexpr int kColumnsOfSix = 4;

struct Vec {
    __m512 v;
};

/// The first n ≤ 16 lanes.
inline __mmask16 firstLanes(int n) noexcept {
    return static_cast<__mmask16>((1u << n) - 1);
}

/// A hint; any address.
inline void prefetch(const char* p) noexcept {
    _mm_prefetch(p, _MM_HINT_T0);
}

inline Vec load(const float* p) noexcept {
    return {_mm512_loadu_ps(p)};
}

inline void store(float* p, Vec a) noexcept {
    _mm512_storeu_ps(p, a.v);
}

inline Vec all(float x) noexcept {
    return {_mm512_set1_ps(x)};
}

inline Vec zero() noexcept {
    return {_mm512_setzero_ps()};
}

inline Vec operator+(Vec a, Vec b) noexcept {
    return {_mm512_add_ps(a.v, b.v)};
}

inline Vec operator-(Vec a, Vec b) noexcept {
    return {_mm512_sub_ps(a.v, b.v)};
}

inline Vec operator*(Vec a, Vec b) noexcept {
    return {_mm512_mul_ps(a.v, b.v)};
}

inline Vec operator/(Vec a, Vec b) noexcept {
    return {_mm512_div_ps(a.v, b.v)};
}

/// a·b + c
inline Vec mulAdd(Vec a, Vec b, Vec c) noexcept {
    return {_mm512_fmadd_ps(a.v, b.v, c.v)};
}

/// The second operand where either is NaN.
inline Vec larger(Vec a, Vec b) noexcept {
    return {_mm512_max_ps(a.v, b.v)};
}

inline Vec smaller(Vec a, Vec b) noexcept {
    return {_mm512_min_ps(a.v, b.v)};
}

inline Vec nearest(Vec a) noexcept {
    return {_mm512_roundscale_ps(a.v, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC)};
}

/// a·2ⁿ for whole n that keep the exponent in range.
inline Vec timesPowerOfTwo(Vec a, Vec n) noexcept {
    return {_mm512_scalef_ps(a.v, n.v)};
}

/// a where x < limit is false, else 0.
inline Vec zeroWhereLess(Vec x, Vec limit, Vec a) noexcept {
    return {_mm512_maskz_mov_ps(_mm512_cmp_ps_mask(x.v, limit.v, _CMP_NLT_UQ), a.v)};
}

/// a in lanes first…last−1, `other` elsewhere.
inline Vec within(Vec a, Vec other, int first, int last) noexcept {
    const __m512i lane = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    const __mmask16 after = _mm512_cmpge_epi32_mask(lane, _mm512_set1_epi32(first));
    const __mmask16 inside = _mm512_mask_cmplt_epi32_mask(after, lane, _mm512_set1_epi32(last));
    return {_mm512_mask_mov_ps(other.v, inside, a.v)};
}

/// The first n < 16 values, zeros after them; reads no further.
inline Vec loadSome(const float* p, int n) noexcept {
    return {_mm512_maskz_loadu_ps(firstLanes(n), p)};
}

inline Vec loadHalf(const uint16_t* p) noexcept {
    return {_mm512_cvtph_ps(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)))};
}

inline void storeHalf(uint16_t* p, Vec a) noexcept {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(p),
                        _mm512_cvtps_ph(a.v, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
}

inline Vec loadBf16(const uint16_t* p) noexcept {
    const __m512i wide =
        _mm512_cvtepu16_epi32(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)));
    return {_mm512_castsi512_ps(_mm512_slli_epi32(wide, 16))};
}

/// A half-precision number in every lane.
inline Vec allHalf(uint16_t half) noexcept {
    return {_mm512_cvtph_ps(_mm256_set1_epi16(static_cast<short>(half)))};
}

inline Vec loadInt8(const int8_t* p) noexcept {
    return {_mm512_cvtepi32_ps(
        _mm512_cvtepi8_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p))))};
}

/// (byte >> shift) & 15 of sixteen bytes.
inline Vec loadNibbles(const uint8_t* p, int shift) noexcept {
    const __m512i wide = _mm512_cvtepu8_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)));
    return {_mm512_cvtepi32_ps(
        _mm512_and_si512(_mm512_srl_epi32(wide, _mm_cvtsi32_si128(shift)), _mm512_set1_epi32(15)))};
}

inline float sumOf(Vec a) noexcept {
    const __m256 low = _mm512_castps512_ps256(a.v), high = _mm512_extractf32x8_ps(a.v, 1);
    const __m256 eight = _mm256_add_ps(low, high);
    __m128 s = _mm_add_ps(_mm256_castps256_ps128(eight), _mm256_extractf128_ps(eight, 1));
    s = _mm_add_ps(s, _mm_movehl_ps(s, s));
    return _mm_cvtss_f32(_mm_add_ss(s, _mm_movehdup_ps(s)));
}

inline float largestOf(Vec a) noexcept {
    const __m256 low = _mm512_castps512_ps256(a.v), high = _mm512_extractf32x8_ps(a.v, 1);
    const __m256 eight = _mm256_max_ps(low, high);
    __m128 m = _mm_max_ps(_mm256_castps256_ps128(eight), _mm256_extractf128_ps(eight, 1));
    m = _mm_max_ps(m, _mm_movehl_ps(m, m));
    return _mm_cvtss_f32(_mm_max_ss(m, _mm_movehdup_ps(m)));
}

/// (x0, x1) → (x0·c0 − x1·s0, x1·c0 + x0·s0) for eight pairs; angles = c0 s0 c1 s1 …
inline Vec rotatePairs(Vec x, Vec angles) noexcept {
    const __m512 c = _mm512_moveldup_ps(angles.v), s = _mm512_movehdup_ps(angles.v);
    const __m512 swapped = _mm512_permute_ps(x.v, 0xb1);
    return {_mm512_fmaddsub_ps(x.v, c, _mm512_mul_ps(swapped, s))};
}

/// c0 s0 … c15 s15 in two registers → c0…c15 and s0…s15.
inline void splitPairs(Vec low, Vec high, Vec& c, Vec& s) noexcept {
    const __m512i even =
        _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
    const __m512i odd = _mm512_add_epi32(even, _mm512_set1_epi32(1));
    c.v = _mm512_permutex2var_ps(low.v, even, high.v);
    s.v = _mm512_permutex2var_ps(low.v, odd, high.v);
}

/// Transposes 16 × 16 in place: 4 × 4 inside the quarters, then the quarters.
inline void transpose(Vec* r) noexcept {
    __m512 u[16];  // [4 rows][column of each quarter]
    for (int i = 0; i < 16; i += 4) {
        const __m512 a = _mm512_unpacklo_ps(r[i].v, r[i + 1].v);
        const __m512 b = _mm512_unpackhi_ps(r[i].v, r[i + 1].v);
        const __m512 c = _mm512_unpacklo_ps(r[i + 2].v, r[i + 3].v);
        const __m512 d = _mm512_unpackhi_ps(r[i + 2].v, r[i + 3].v);
        u[i] = _mm512_shuffle_ps(a, c, 0x44);
        u[i + 1] = _mm512_shuffle_ps(a, c, 0xee);
        u[i + 2] = _mm512_shuffle_ps(b, d, 0x44);
        u[i + 3] = _mm512_shuffle_ps(b, d, 0xee);
    }
    for (int i = 0; i < 4; ++i) {
        const __m512 a = _mm512_shuffle_f32x4(u[i], u[4 + i], 0x88);
        const __m512 b = _mm512_shuffle_f32x4(u[8 + i], u[12 + i], 0x88);
        const __m512 c = _mm512_shuffle_f32x4(u[i], u[4 + i], 0xdd);
        const __m512 d = _mm512_shuffle_f32x4(u[8 + i], u[12 + i], 0xdd);
        r[i].v = _mm512_shuffle_f32x4(a, b, 0x88);
        r[4 + i].v = _mm512_shuffle_f32x4(c, d, 0x88);
        r[8 + i].v = _mm512_shuffle_f32x4(a, b, 0xdd);
        r[12 + i].v = _mm512_shuffle_f32x4(c, d, 0xdd);
    }
}

}  // namespace

}  // namespace vitrine::kernels::cpu::avx512
