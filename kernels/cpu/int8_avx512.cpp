// 8-bit dot products with AVX-512 VNNI. A register holds four columns of sixteen rows: the same
// eight rows of two neighbouring groups, so that the weights lie as for AVX2. vpdpbusd multiplies
// unsigned codes with a broadcast word of activations and adds four products in 32 bits: no sum can
// overflow. Signed codes (8 bits, IQ4's levels) are moved up by 128 and the excess comes off with
// the activations' sum. Sums over blocks are float32 in the order of the AVX2 loops.

#include "kernels/cpu/int8_avx512.h"

#if defined(__x86_64__)

#include "kernels/cpu/int8_avx2.h"
#include "kernels/cpu/packed.h"
// after all other headers
#include "kernels/cpu/begin_avx512.h"

namespace vitrine::kernels::cpu::avx512 {

namespace {

constexpr int kPrefetchBytes =
    3072;  // ahead in each of the two streams; best at 2.5–5 KiB on Zen 5

/// The same block of two neighbouring groups.
template <class P>
struct Pair {
    const P *a, *b;
};

__m512i join(const void* a, const void* b) noexcept {
    const __m256i low = _mm256_loadu_si256(static_cast<const __m256i*>(a));
    const __m256i high = _mm256_loadu_si256(static_cast<const __m256i*>(b));
    return _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
}

__m512 halves(const uint16_t* a, const uint16_t* b) noexcept {
    const __m128i low = _mm_loadu_si128(reinterpret_cast<const __m128i*>(a));
    const __m128i high = _mm_loadu_si128(reinterpret_cast<const __m128i*>(b));
    return _mm512_cvtph_ps(_mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1));
}

/// Eight bytes of each group.
__m128i eights(const void* a, const void* b) noexcept {
    return _mm_unpacklo_epi64(_mm_loadl_epi64(static_cast<const __m128i*>(a)),
                              _mm_loadl_epi64(static_cast<const __m128i*>(b)));
}

__m512 bytesToFloat(const uint8_t* a, const uint8_t* b) noexcept {
    return _mm512_cvtepi32_ps(_mm512_cvtepu8_epi32(eights(a, b)));
}

__m512 bytesToFloat(const int8_t* a, const int8_t* b) noexcept {
    return _mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(eights(a, b)));
}

__m512 nibblesToFloat(const uint8_t* a, const uint8_t* b, int shift) noexcept {
    const __m512i wide = _mm512_cvtepu8_epi32(eights(a, b));
    return _mm512_cvtepi32_ps(_mm512_and_si512(
        _mm512_srli_epi32(wide, static_cast<unsigned>(shift)), _mm512_set1_epi32(15)));
}

/// A sub-block in registers: codes, and what turns their sums into float32.
struct Sub {
    __m512i w[8];       // [4 columns] of 16 rows × 4 unsigned codes
    __m512 scale[2];    // [16 rows]; of the second 16 columns only where kScalesOf16
    __m512 minimum[2];  // [16 rows]; the second for two-bit codes only, which keep 1/32 of it
};

void unpackNibbles(const uint8_t* a, const uint8_t* b, __m512i* w) noexcept {
    const __m512i low = _mm512_set1_epi8(15);
    for (int i = 0; i < 4; ++i) {
        const __m512i v = join(a + 32 * i, b + 32 * i);
        w[i] = _mm512_and_si512(v, low);
        w[4 + i] = _mm512_and_si512(_mm512_srli_epi16(v, 4), low);
    }
}

/// w | (bits & mask)
__m512i orMasked(__m512i w, __m512i bits, __m512i mask) noexcept {
    return _mm512_ternarylogic_epi32(w, bits, mask, 0xf8);
}

/// Bits moved by `shift` places up (down when negative); the neighbours' bits come along.
template <int kShift>
__m512i moved(__m512i h) noexcept {
    if constexpr (kShift > 0) return _mm512_slli_epi16(h, kShift);
    if constexpr (kShift < 0) return _mm512_srli_epi16(h, -kShift);
    return h;
}

/// Adds one more bit to each code, as bit kTo.
template <int kTo>
void addBits(const uint8_t* a, const uint8_t* b, __m512i* w) noexcept {
    const __m512i h = join(a, b), mask = _mm512_set1_epi8(1 << kTo);
    w[0] = orMasked(w[0], moved<kTo>(h), mask);
    w[1] = orMasked(w[1], moved<kTo - 1>(h), mask);
    w[2] = orMasked(w[2], moved<kTo - 2>(h), mask);
    w[3] = orMasked(w[3], moved<kTo - 3>(h), mask);
    w[4] = orMasked(w[4], moved<kTo - 4>(h), mask);
    w[5] = orMasked(w[5], moved<kTo - 5>(h), mask);
    w[6] = orMasked(w[6], moved<kTo - 6>(h), mask);
    w[7] = orMasked(w[7], moved<kTo - 7>(h), mask);
}

/// Adds two bits to each code, as bits kTo and kTo + 1.
template <int kTo>
void addPairs(const uint8_t* a, const uint8_t* b, __m512i* w) noexcept {
    const __m512i mask = _mm512_set1_epi8(3 << kTo);
    for (int half = 0; half < 2; ++half) {
        const __m512i h = join(a + 32 * half, b + 32 * half);
        __m512i* v = w + 4 * half;
        v[0] = orMasked(v[0], moved<kTo>(h), mask);
        v[1] = orMasked(v[1], moved<kTo - 2>(h), mask);
        v[2] = orMasked(v[2], moved<kTo - 4>(h), mask);
        v[3] = orMasked(v[3], moved<kTo - 6>(h), mask);
    }
}

/// IQ4's levels, moved up by 128.
void levelsOf(__m512i* w) noexcept {
    const __m128i levels =
        _mm_setr_epi8(-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113);
    const __m512i table = _mm512_broadcast_i32x4(_mm_xor_si128(levels, _mm_set1_epi8(-128)));
    for (int i = 0; i < 8; ++i) w[i] = _mm512_shuffle_epi8(table, w[i]);
}

template <class P>
void unpackCodes(const Pair<P>& p, int sub, __m512i* w) noexcept {
    if constexpr (P::kBits == 2 || P::kBits == 3) {
        for (int i = 0; i < 8; ++i) w[i] = _mm512_setzero_si512();
        addPairs<0>(p.a->h[sub], p.b->h[sub], w);
        if constexpr (P::kBits == 3) addBits<2>(p.a->top[sub], p.b->top[sub], w);
    } else if constexpr (P::kBits == 8 && !kIsIq4<P>) {
        const __m512i up = _mm512_set1_epi8(-128);
        for (int i = 0; i < 8; ++i) {
            w[i] = _mm512_xor_si512(join(p.a->q + 32 * i, p.b->q + 32 * i), up);
        }
    } else {
        unpackNibbles(planeAt(&p.a->q, 128, sub), planeAt(&p.b->q, 128, sub), w);
        if constexpr (kIsIq4<P>) levelsOf(w);
        if constexpr (P::kBits == 5)
            addBits<4>(planeAt(&p.a->h, 32, sub), planeAt(&p.b->h, 32, sub), w);
        if constexpr (P::kBits == 6) addPairs<4>(p.a->h[sub], p.b->h[sub], w);
    }
}

/// Codes stand this far above the numbers that they mean.
template <class P>
inline constexpr int kExcess = P::kBits == 8 ? 128 : P::kOffset;

template <class P>
Sub unpackSub(const Pair<P>& p, int sub) noexcept {
    Sub s;
    unpackCodes(p, sub, s.w);
    const __m512 d = halves(p.a->d, p.b->d);
    s.scale[0] = d;
    if constexpr (P::kBits == 2) {
        const __m512 dmin = _mm512_mul_ps(halves(p.a->dmin, p.b->dmin), _mm512_set1_ps(1.0f / 32));
        for (int half = 0; half < 2; ++half) {
            const uint8_t *a = p.a->scaleMin[2 * sub + half], *b = p.b->scaleMin[2 * sub + half];
            s.scale[half] = _mm512_mul_ps(d, nibblesToFloat(a, b, 0));
            s.minimum[half] = _mm512_mul_ps(dmin, nibblesToFloat(a, b, 4));
        }
    } else if constexpr (kScalesOf16<P>) {
        for (int half = 0; half < 2; ++half) {
            const int at = 2 * sub + half;
            s.scale[half] = _mm512_mul_ps(d, bytesToFloat(p.a->scale[at], p.b->scale[at]));
        }
    } else {
        if constexpr (P::kSubBlocks == 8)
            s.scale[0] = _mm512_mul_ps(d, bytesToFloat(p.a->scale[sub], p.b->scale[sub]));
        if constexpr (P::kHasMin && P::kSubBlocks == 8) {
            const __m512 m = bytesToFloat(p.a->minimum[sub], p.b->minimum[sub]);
            s.minimum[0] =
                _mm512_sub_ps(_mm512_setzero_ps(), _mm512_mul_ps(halves(p.a->dmin, p.b->dmin), m));
        } else if constexpr (P::kHasMin) {
            s.minimum[0] = halves(p.a->m, p.b->m);
        } else {
            s.minimum[0] =
                _mm512_mul_ps(s.scale[0], _mm512_set1_ps(-static_cast<float>(kExcess<P>)));
        }
    }
    return s;
}

/// Adds the product of kN pairs' sub-blocks with one token's 32 activations to acc [pair][16 rows].
/// A word of activations is broadcast once for all pairs.
template <class P, int kN>
[[gnu::always_inline]] inline void addSubs(const Sub (&s)[kN], const int8_t* a8, const Int8Scale& x,
                                           __m512 (&acc)[kN]) noexcept {
    const auto* a = reinterpret_cast<const int32_t*>(a8);
    const __m512 xs = _mm512_set1_ps(x.scale);
    __m512i dot[2][kN];  // of each 16 columns
    for (int half = 0; half < 2; ++half) {
        __m512i start = _mm512_setzero_si512();
        // −32·Σa of the half takes the offset of these codes off, exactly, in integers.
        if constexpr (P::kBits == 6) start = _mm512_set1_epi32(x.offset[half]);
        if constexpr (P::kBits == 3) start = _mm512_set1_epi32(x.offset[half] >> 3);
        for (int n = 0; n < kN; ++n) dot[half][n] = start;
        for (int i = 4 * half; i < 4 * half + 4; ++i) {
            const __m512i word = _mm512_set1_epi32(a[i]);
            for (int n = 0; n < kN; ++n)
                dot[half][n] = _mm512_dpbusd_epi32(dot[half][n], s[n].w[i], word);
        }
    }
    for (int n = 0; n < kN; ++n) {
        if constexpr (kScalesOf16<P>) {
            for (int half = 0; half < 2; ++half) {
                __m512 product = _mm512_mul_ps(_mm512_cvtepi32_ps(dot[half][n]), s[n].scale[half]);
                if constexpr (P::kBits == 2) {
                    const __m512 sum = _mm512_set1_ps(static_cast<float>(x.offset[half]));
                    product = _mm512_fmadd_ps(sum, s[n].minimum[half], product);
                }
                acc[n] = _mm512_fmadd_ps(product, xs, acc[n]);
            }
        } else {
            const __m512 sum = _mm512_cvtepi32_ps(_mm512_add_epi32(dot[0][n], dot[1][n]));
            acc[n] = _mm512_fmadd_ps(_mm512_mul_ps(sum, s[n].scale[0]), xs, acc[n]);
            acc[n] = _mm512_fmadd_ps(s[n].minimum[0], _mm512_set1_ps(x.scaleSum), acc[n]);
        }
    }
}

/// One token: the sum stays in a register and the weights are fetched ahead, for they stream from
/// memory. Past the end of the groups it is the next pair that comes, not the neighbour at hand.
template <class P>
void oneToken(const PackedGroups& groups, int64_t nBlocks, Int8Tile tile, float* y) noexcept {
    constexpr int64_t kBytes = static_cast<int64_t>(sizeof(P)) / P::kSubBlocks;
    const auto* first = static_cast<const char*>(groups.first);
    const auto bytes = static_cast<int64_t>(groups.bytes);
    __m512 acc[1] = {_mm512_setzero_ps()};
    for (int64_t i = 0; i < nBlocks; ++i) {
        const auto* a = reinterpret_cast<const P*>(first) + i;
        const auto* b = reinterpret_cast<const P*>(first + bytes) + i;
        for (int sub = 0; sub < P::kSubBlocks; ++sub) {
            int64_t ahead = i * static_cast<int64_t>(sizeof(P)) + sub * kBytes + kPrefetchBytes;
            if (ahead >= bytes) ahead += bytes;
            for (int64_t at = ahead; at < ahead + kBytes; at += 64) {
                _mm_prefetch(first + at, _MM_HINT_T0);
                _mm_prefetch(first + bytes + at, _MM_HINT_T0);
            }
            const Sub s[1] = {unpackSub<P>({a, b}, sub)};
            addSubs<P>(s, tile.a, *tile.scales, acc);
            if (*tile.fine != 0) addSubs<P>(s, tile.fineA, *tile.fineScales, acc);
            tile = nextBlock(tile, 1);
        }
    }
    _mm512_storeu_ps(y, acc[0]);
}

/// The same with sums that lie in memory, y [pair][16 rows].
template <class P, int kN>
[[gnu::always_inline]] inline void addTo(const Sub (&s)[kN], const int8_t* a, const Int8Scale& x,
                                         float* y) noexcept {
    __m512 acc[kN];
    for (int n = 0; n < kN; ++n) acc[n] = _mm512_loadu_ps(y + 16 * n);
    addSubs<P>(s, a, x, acc);
    for (int n = 0; n < kN; ++n) _mm512_storeu_ps(y + 16 * n, acc[n]);
}

/// y[tok, 16·kN] = kN pairs of groups · nTok tokens.
template <class P, int kN>
void pairs(const PackedGroups& groups, int64_t nCols, Int8Tile tile, int nTok, float* y) noexcept {
    const auto* first = static_cast<const char*>(groups.first);
    const int64_t nBlocks = nCols / (32 * P::kSubBlocks);
    for (int i = 0; i < nTok * kN; ++i) _mm512_storeu_ps(y + 16 * i, _mm512_setzero_ps());
    for (int64_t i = 0; i < nBlocks; ++i) {
        for (int sub = 0; sub < P::kSubBlocks; ++sub) {
            Sub s[kN];
            for (int n = 0; n < kN; ++n) {
                const char* a = first + 2 * static_cast<size_t>(n) * groups.bytes;
                s[n] = unpackSub<P>({reinterpret_cast<const P*>(a) + i,
                                     reinterpret_cast<const P*>(a + groups.bytes) + i},
                                    sub);
            }
            for (int t = 0; t < nTok; ++t)
                addTo<P>(s, tile.a + 32 * t, tile.scales[t], y + 16 * kN * t);
            for (uint64_t fine = *tile.fine; fine != 0; fine &= fine - 1) {
                const int t = __builtin_ctzll(fine);
                addTo<P>(s, tile.fineA + 32 * t, tile.fineScales[t], y + 16 * kN * t);
            }
            tile = nextBlock(tile, nTok);
        }
    }
}

template <class P>
void rows(const PackedGroups& groups, int64_t nCols, const Int8Tile& tile, int nTok,
          float* y) noexcept {
    if (nTok > 1) {
        if (groups.count == 4) return pairs<P, 2>(groups, nCols, tile, nTok, y);
        return pairs<P, 1>(groups, nCols, tile, nTok, y);
    }
    const int64_t nBlocks = nCols / (32 * P::kSubBlocks);
    for (int i = 0; i < groups.count; i += 2) {
        const char* at =
            static_cast<const char*>(groups.first) + static_cast<size_t>(i) * groups.bytes;
        oneToken<P>({at, groups.bytes, 2}, nBlocks, tile, y + kPackRows * i);
    }
}

}  // namespace

void packedRows(DType type, const PackedGroups& groups, int64_t nCols, const Int8Tile& tile,
                int nTok, float* y) {
    if (groups.count == 1) return avx2::packedRows(type, groups, nCols, tile, nTok, y);
    switch (type) {
#define VITRINE_CASE(P) \
    case P::Source::kType: return rows<P>(groups, nCols, tile, nTok, y);
        VITRINE_PACKED(VITRINE_CASE)
#undef VITRINE_CASE
        default: return;
    }
}

}  // namespace vitrine::kernels::cpu::avx512

#include "kernels/cpu/end_isa.h"

#endif
