#pragma once
// Eight floats in one AVX2 register. Included after begin_avx2.h. The same operations as
// simd_scalar.h, so that the loops of float_kernels.inc and attend_kernels.inc are written once.
// Thread: values.

#include <cstdint>

#include "kernels/cpu/begin_avx2.h"

namespace vitrine::kernels::cpu::avx2 {

namespace {

constexpr int kLanes = 8;

/// Registers of columns in a tile of six rows: with a row of values they fill sixteen registers.
constexpr int kColumnsOfSix = 2;

struct Vec {
    __m256 v;
};

/// A hint; any address.
inline void prefetch(const char* p) noexcept {
    _mm_prefetch(p, _MM_HINT_T0);
}

inline Vec load(const float* p) noexcept {
    return {_mm256_loadu_ps(p)};
}

inline void store(float* p, Vec a) noexcept {
    _mm256_storeu_ps(p, a.v);
}

inline Vec all(float x) noexcept {
    return {_mm256_set1_ps(x)};
}

inline Vec zero() noexcept {
    return {_mm256_setzero_ps()};
}

inline Vec operator+(Vec a, Vec b) noexcept {
    return {_mm256_add_ps(a.v, b.v)};
}

inline Vec operator-(Vec a, Vec b) noexcept {
    return {_mm256_sub_ps(a.v, b.v)};
}

inline Vec operator*(Vec a, Vec b) noexcept {
    return {_mm256_mul_ps(a.v, b.v)};
}

inline Vec operator/(Vec a, Vec b) noexcept {
    return {_mm256_div_ps(a.v, b.v)};
}

/// a·b + c
inline Vec mulAdd(Vec a, Vec b, Vec c) noexcept {
    return {_mm256_fmadd_ps(a.v, b.v, c.v)};
}

/// The second operand where either is NaN.
inline Vec larger(Vec a, Vec b) noexcept {
    return {_mm256_max_ps(a.v, b.v)};
}

inline Vec smaller(Vec a, Vec b) noexcept {
    return {_mm256_min_ps(a.v, b.v)};
}

inline Vec nearest(Vec a) noexcept {
    return {_mm256_round_ps(a.v, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC)};
}

/// a·2ⁿ for whole n that keep the exponent in range.
inline Vec timesPowerOfTwo(Vec a, Vec n) noexcept {
    const __m256i shift = _mm256_slli_epi32(_mm256_cvtps_epi32(n.v), 23);
    return {_mm256_castsi256_ps(_mm256_add_epi32(_mm256_castps_si256(a.v), shift))};
}

/// a where x < limit is false, else 0.
inline Vec zeroWhereLess(Vec x, Vec limit, Vec a) noexcept {
    return {_mm256_andnot_ps(_mm256_cmp_ps(x.v, limit.v, _CMP_LT_OQ), a.v)};
}

/// a in lanes first…last−1, `other` elsewhere.
inline Vec within(Vec a, Vec other, int first, int last) noexcept {
    const __m256i lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    const __m256i inside = _mm256_and_si256(_mm256_cmpgt_epi32(lane, _mm256_set1_epi32(first - 1)),
                                            _mm256_cmpgt_epi32(_mm256_set1_epi32(last), lane));
    return {_mm256_blendv_ps(other.v, a.v, _mm256_castsi256_ps(inside))};
}

/// The first n < 8 values, zeros after them; reads no further.
inline Vec loadSome(const float* p, int n) noexcept {
    const __m256i lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    return {_mm256_maskload_ps(p, _mm256_cmpgt_epi32(_mm256_set1_epi32(n), lane))};
}

inline Vec loadHalf(const uint16_t* p) noexcept {
    return {_mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)))};
}

inline void storeHalf(uint16_t* p, Vec a) noexcept {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(p),
                     _mm256_cvtps_ph(a.v, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
}

inline Vec loadBf16(const uint16_t* p) noexcept {
    const __m256i wide =
        _mm256_cvtepu16_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)));
    return {_mm256_castsi256_ps(_mm256_slli_epi32(wide, 16))};
}

/// A half-precision number in every lane.
inline Vec allHalf(uint16_t half) noexcept {
    return {_mm256_cvtph_ps(_mm_set1_epi16(static_cast<short>(half)))};
}

inline Vec loadInt8(const int8_t* p) noexcept {
    return {_mm256_cvtepi32_ps(
        _mm256_cvtepi8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(p))))};
}

/// (byte >> shift) & 15 of eight bytes.
inline Vec loadNibbles(const uint8_t* p, int shift) noexcept {
    const __m256i wide = _mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(p)));
    return {_mm256_cvtepi32_ps(
        _mm256_and_si256(_mm256_srl_epi32(wide, _mm_cvtsi32_si128(shift)), _mm256_set1_epi32(15)))};
}

inline float sumOf(Vec a) noexcept {
    __m128 s = _mm_add_ps(_mm256_castps256_ps128(a.v), _mm256_extractf128_ps(a.v, 1));
    s = _mm_add_ps(s, _mm_movehl_ps(s, s));
    return _mm_cvtss_f32(_mm_add_ss(s, _mm_movehdup_ps(s)));
}

inline float largestOf(Vec a) noexcept {
    __m128 m = _mm_max_ps(_mm256_castps256_ps128(a.v), _mm256_extractf128_ps(a.v, 1));
    m = _mm_max_ps(m, _mm_movehl_ps(m, m));
    return _mm_cvtss_f32(_mm_max_ss(m, _mm_movehdup_ps(m)));
}

/// (x0, x1) → (x0·c0 − x1·s0, x1·c0 + x0·s0) for four pairs; angles = c0 s0 c1 s1 …
inline Vec rotatePairs(Vec x, Vec angles) noexcept {
    const __m256 c = _mm256_moveldup_ps(angles.v), s = _mm256_movehdup_ps(angles.v);
    const __m256 swapped = _mm256_permute_ps(x.v, 0xb1);
    return {_mm256_fmaddsub_ps(x.v, c, _mm256_mul_ps(swapped, s))};
}

/// c0 s0 … c7 s7 in two registers → c0…c7 and s0…s7.
inline void splitPairs(Vec low, Vec high, Vec& c, Vec& s) noexcept {
    const __m256 even = _mm256_shuffle_ps(low.v, high.v, 0x88);
    const __m256 odd = _mm256_shuffle_ps(low.v, high.v, 0xdd);
    c.v = _mm256_castpd_ps(_mm256_permute4x64_pd(_mm256_castps_pd(even), 0xd8));
    s.v = _mm256_castpd_ps(_mm256_permute4x64_pd(_mm256_castps_pd(odd), 0xd8));
}

/// Transposes 8 × 8 in place.
inline void transpose(Vec* r) noexcept {
    __m256 a[8], b[8];
    for (int i = 0; i < 4; ++i) {
        a[2 * i] = _mm256_unpacklo_ps(r[2 * i].v, r[2 * i + 1].v);
        a[2 * i + 1] = _mm256_unpackhi_ps(r[2 * i].v, r[2 * i + 1].v);
    }
    for (int i = 0; i < 2; ++i) {
        b[4 * i] = _mm256_shuffle_ps(a[4 * i], a[4 * i + 2], 0x44);
        b[4 * i + 1] = _mm256_shuffle_ps(a[4 * i], a[4 * i + 2], 0xee);
        b[4 * i + 2] = _mm256_shuffle_ps(a[4 * i + 1], a[4 * i + 3], 0x44);
        b[4 * i + 3] = _mm256_shuffle_ps(a[4 * i + 1], a[4 * i + 3], 0xee);
    }
    for (int i = 0; i < 4; ++i) {
        r[i].v = _mm256_permute2f128_ps(b[i], b[4 + i], 0x20);
        r[4 + i].v = _mm256_permute2f128_ps(b[i], b[4 + i], 0x31);
    }
}

}  // namespace

}  // namespace vitrine::kernels::cpu::avx2
