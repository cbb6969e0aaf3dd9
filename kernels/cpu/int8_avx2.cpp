// 8-bit dot products with AVX2. A register holds four columns of eight rows as unsigned codes; one
// word of activations is broadcast against it, maddubs gives 16-bit sums of two products, and as
// many of these are added in 16 bits as cannot overflow:
//   2, 3 bits  7·127·2·4 =  7,112: one scale's four registers
//   4, 5 bits 31·127·2·4 = 31,496: two halves (four bits would fit in one sum, but two shorter
//             chains measured 20 % faster)
//   6 bits    63·127·2·2 = 32,004: pairs; the scale changes after four registers anyway
//   8 bits    signed codes (IQ4's levels too, from a table in a register): |w| times a with w's
//   sign, 128·127·2 = 32,512: none
// The token loop is inside, so that a sub-block is unpacked once; sums over blocks are float32 in
// one order, whatever the number of tokens.

#include "kernels/cpu/int8_avx2.h"

#if defined(__x86_64__)

#include "kernels/cpu/packed.h"
// after all other headers
#include "kernels/cpu/begin_avx2.h"

namespace vitrine::kernels::cpu::avx2 {

namespace {

constexpr int kPrefetchBytes = 1536;  // ahead of the block in work; measured best at 1–2.5 KiB

__m256i loadBytes(const void* p) noexcept {
    return _mm256_loadu_si256(static_cast<const __m256i*>(p));
}

__m256 halves(const uint16_t* p) noexcept {
    return _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)));
}

__m256 bytesToFloat(const uint8_t* p) noexcept {
    return _mm256_cvtepi32_ps(
        _mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(p))));
}

__m256 bytesToFloat(const int8_t* p) noexcept {
    return _mm256_cvtepi32_ps(
        _mm256_cvtepi8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(p))));
}

/// A sub-block in registers: codes, and what turns their sums into float32.
struct Sub {
    __m256i w[8];       // [4 columns] of 8 rows × 4 codes
    __m256 scale[2];    // [8 rows]; of the second 16 columns only where kScalesOf16
    __m256 minimum[2];  // [8 rows]; the second for two-bit codes only, which keep 1/32 of it
};

void unpackNibbles(const uint8_t* q, __m256i* w) noexcept {
    const __m256i low = _mm256_set1_epi8(15);
    for (int i = 0; i < 4; ++i) {
        const __m256i v = loadBytes(q + 32 * i);
        w[i] = _mm256_and_si256(v, low);
        w[4 + i] = _mm256_and_si256(_mm256_srli_epi16(v, 4), low);
    }
}

/// Bit kBit of every byte, moved to bit kTo.
template <int kBit, int kTo>
__m256i oneBit(__m256i h) noexcept {
    const __m256i bit = _mm256_and_si256(h, _mm256_set1_epi8(static_cast<char>(1 << kBit)));
    if constexpr (kBit < kTo) return _mm256_slli_epi16(bit, kTo - kBit);
    return _mm256_srli_epi16(bit, kBit - kTo);
}

/// Adds one more bit to each code, as bit kTo.
template <int kTo>
void addBits(const uint8_t* bits, __m256i* w) noexcept {
    const __m256i h = loadBytes(bits);
    w[0] = _mm256_or_si256(w[0], oneBit<0, kTo>(h));
    w[1] = _mm256_or_si256(w[1], oneBit<1, kTo>(h));
    w[2] = _mm256_or_si256(w[2], oneBit<2, kTo>(h));
    w[3] = _mm256_or_si256(w[3], oneBit<3, kTo>(h));
    w[4] = _mm256_or_si256(w[4], oneBit<4, kTo>(h));
    w[5] = _mm256_or_si256(w[5], oneBit<5, kTo>(h));
    w[6] = _mm256_or_si256(w[6], oneBit<6, kTo>(h));
    w[7] = _mm256_or_si256(w[7], oneBit<7, kTo>(h));
}

/// Two bits of each code, moved to bit kTo.
template <int kTo>
void unpackPairs(const uint8_t* bits, __m256i* w) noexcept {
    const __m256i pair = _mm256_set1_epi8(3 << kTo);
    for (int half = 0; half < 2; ++half) {
        const __m256i h = loadBytes(bits + 32 * half);
        __m256i* v = w + 4 * half;
        v[0] = _mm256_and_si256(_mm256_slli_epi16(h, kTo), pair);
        v[1] = _mm256_and_si256(kTo >= 2 ? _mm256_slli_epi16(h, kTo - 2) : _mm256_srli_epi16(h, 2),
                                pair);
        v[2] = _mm256_and_si256(kTo >= 4 ? h : _mm256_srli_epi16(h, 4), pair);
        v[3] = _mm256_and_si256(_mm256_srli_epi16(h, kTo >= 4 ? 2 : 6), pair);
    }
}

void levelsOf(__m256i* w) noexcept {
    const __m256i table = _mm256_broadcastsi128_si256(
        _mm_setr_epi8(-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113));
    for (int i = 0; i < 8; ++i) w[i] = _mm256_shuffle_epi8(table, w[i]);
}

template <class P>
void unpackCodes(const P& p, int sub, __m256i* w) noexcept {
    if constexpr (P::kBits == 2 || P::kBits == 3) {
        unpackPairs<0>(p.h[sub], w);
        if constexpr (P::kBits == 3) addBits<2>(p.top[sub], w);
    } else if constexpr (P::kBits == 8 && !kIsIq4<P>) {
        for (int i = 0; i < 8; ++i) w[i] = loadBytes(p.q + 32 * i);
    } else {
        unpackNibbles(planeAt(&p.q, 128, sub), w);
        if constexpr (kIsIq4<P>) levelsOf(w);
        if constexpr (P::kBits == 5) addBits<4>(planeAt(&p.h, 32, sub), w);
        if constexpr (P::kBits == 6) {
            __m256i high[8];
            unpackPairs<4>(p.h[sub], high);
            for (int i = 0; i < 8; ++i) w[i] = _mm256_or_si256(w[i], high[i]);
        }
    }
}

__m256 nibblesToFloat(const uint8_t* p, int shift) noexcept {
    const __m256i wide = _mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(p)));
    const __m256i nibble = _mm256_and_si256(_mm256_srli_epi32(wide, shift), _mm256_set1_epi32(15));
    return _mm256_cvtepi32_ps(nibble);
}

template <class P>
Sub unpackSub(const P& p, int sub) noexcept {
    Sub s;
    unpackCodes(p, sub, s.w);
    const __m256 d = halves(p.d);
    s.scale[0] = d;
    if constexpr (P::kBits == 2) {
        const __m256 dmin = _mm256_mul_ps(halves(p.dmin), _mm256_set1_ps(1.0f / 32));
        for (int half = 0; half < 2; ++half) {
            const uint8_t* pair = p.scaleMin[2 * sub + half];
            s.scale[half] = _mm256_mul_ps(d, nibblesToFloat(pair, 0));
            s.minimum[half] = _mm256_mul_ps(dmin, nibblesToFloat(pair, 4));
        }
    } else if constexpr (kScalesOf16<P>) {
        s.scale[0] = _mm256_mul_ps(d, bytesToFloat(p.scale[2 * sub]));
        s.scale[1] = _mm256_mul_ps(d, bytesToFloat(p.scale[2 * sub + 1]));
    } else if constexpr (P::kSubBlocks == 8) {
        s.scale[0] = _mm256_mul_ps(d, bytesToFloat(p.scale[sub]));
        if constexpr (P::kHasMin) {
            const __m256 m = _mm256_mul_ps(halves(p.dmin), bytesToFloat(p.minimum[sub]));
            s.minimum[0] = _mm256_sub_ps(_mm256_setzero_ps(), m);
        }
    } else if constexpr (P::kHasMin) {
        s.minimum[0] = halves(p.m);
    } else if constexpr (P::kOffset != 0) {
        s.minimum[0] = _mm256_mul_ps(d, _mm256_set1_ps(-static_cast<float>(P::kOffset)));
    }
    return s;
}

__m256i madd(__m256i sums16) noexcept {
    return _mm256_madd_epi16(sums16, _mm256_set1_epi16(1));
}

__m256i four(const __m256i* w, const int32_t* a) noexcept {
    const __m256i x0 = _mm256_maddubs_epi16(w[0], _mm256_set1_epi32(a[0]));
    const __m256i x1 = _mm256_maddubs_epi16(w[1], _mm256_set1_epi32(a[1]));
    const __m256i x2 = _mm256_maddubs_epi16(w[2], _mm256_set1_epi32(a[2]));
    const __m256i x3 = _mm256_maddubs_epi16(w[3], _mm256_set1_epi32(a[3]));
    return _mm256_add_epi16(_mm256_add_epi16(x0, x1), _mm256_add_epi16(x2, x3));
}

__m256i fourOfSixBits(const __m256i* w, const int32_t* a) noexcept {
    const __m256i x0 = _mm256_maddubs_epi16(w[0], _mm256_set1_epi32(a[0]));
    const __m256i x1 = _mm256_maddubs_epi16(w[1], _mm256_set1_epi32(a[1]));
    const __m256i x2 = _mm256_maddubs_epi16(w[2], _mm256_set1_epi32(a[2]));
    const __m256i x3 = _mm256_maddubs_epi16(w[3], _mm256_set1_epi32(a[3]));
    return _mm256_add_epi32(madd(_mm256_add_epi16(x0, x1)), madd(_mm256_add_epi16(x2, x3)));
}

__m256i eightSigned(const __m256i* w, const int32_t* a) noexcept {
    __m256i sum[2] = {_mm256_setzero_si256(), _mm256_setzero_si256()};
    for (int i = 0; i < 8; ++i) {
        const __m256i x = _mm256_sign_epi8(_mm256_set1_epi32(a[i]), w[i]);
        sum[i % 2] =
            _mm256_add_epi32(sum[i % 2], madd(_mm256_maddubs_epi16(_mm256_abs_epi8(w[i]), x)));
    }
    return _mm256_add_epi32(sum[0], sum[1]);
}

/// Codes with one scale per 16 columns: half a sub-block's product, [8 rows], not yet times the
/// activations' scale. −32·Σa of the half serves the offset (exactly, in integers) or the minimum.
template <class P>
__m256 halfOf(const Sub& s, int half, const int32_t* a, const Int8Scale& x) noexcept {
    const __m256i* w = s.w + 4 * half;
    __m256i dot = P::kBits == 6 ? fourOfSixBits(w, a + 4 * half) : madd(four(w, a + 4 * half));
    const __m256i offset = _mm256_set1_epi32(x.offset[half]);
    if constexpr (P::kBits == 6) dot = _mm256_add_epi32(dot, offset);
    if constexpr (P::kBits == 3) dot = _mm256_add_epi32(dot, _mm256_srai_epi32(offset, 3));
    const __m256 product = _mm256_mul_ps(_mm256_cvtepi32_ps(dot), s.scale[half]);
    if constexpr (P::kBits != 2) return product;
    return _mm256_fmadd_ps(_mm256_cvtepi32_ps(offset), s.minimum[half], product);
}

/// Adds one sub-block's product with one token's 32 activations to acc [8 rows].
template <class P>
__m256 addSub(const Sub& s, const int8_t* a8, const Int8Scale& x, __m256 acc) noexcept {
    const auto* a = reinterpret_cast<const int32_t*>(a8);
    const __m256 xs = _mm256_broadcast_ss(&x.scale);
    if constexpr (kScalesOf16<P>) {
        acc = _mm256_fmadd_ps(halfOf<P>(s, 0, a, x), xs, acc);
        return _mm256_fmadd_ps(halfOf<P>(s, 1, a, x), xs, acc);
    } else {
        __m256i dot;
        if constexpr (P::kBits == 8) {
            dot = eightSigned(s.w, a);
        } else {
            dot = _mm256_add_epi32(madd(four(s.w, a)), madd(four(s.w + 4, a + 4)));
        }
        acc = _mm256_fmadd_ps(_mm256_mul_ps(_mm256_cvtepi32_ps(dot), s.scale[0]), xs, acc);
        if constexpr (P::kHasMin || P::kOffset != 0) {
            acc = _mm256_fmadd_ps(s.minimum[0], _mm256_broadcast_ss(&x.scaleSum), acc);
        }
        return acc;
    }
}

/// One token: the sum stays in a register and the weights are fetched ahead, for they stream from
/// memory.
template <class P>
void oneToken(const P* blocks, int64_t nBlocks, Int8Tile tile, float* y) noexcept {
    __m256 acc = _mm256_setzero_ps();
    for (int64_t b = 0; b < nBlocks; ++b) {
        for (int sub = 0; sub < P::kSubBlocks; ++sub) {
            constexpr int kBytes = static_cast<int>(sizeof(P)) / P::kSubBlocks;
            const char* ahead =
                reinterpret_cast<const char*>(blocks + b) + sub * kBytes + kPrefetchBytes;
            for (int i = 0; i < kBytes; i += 64) _mm_prefetch(ahead + i, _MM_HINT_T0);
            const Sub s = unpackSub(blocks[b], sub);
            acc = addSub<P>(s, tile.a, *tile.scales, acc);
            if (*tile.fine != 0) acc = addSub<P>(s, tile.fineA, *tile.fineScales, acc);
            tile = nextBlock(tile, 1);
        }
    }
    _mm256_storeu_ps(y, acc);
}

template <class P>
void rows(const void* group, int64_t nCols, Int8Tile tile, int nTok, float* y) noexcept {
    const auto* blocks = static_cast<const P*>(group);
    const int64_t nBlocks = nCols / (32 * P::kSubBlocks);
    if (nTok == 1) return oneToken(blocks, nBlocks, tile, y);
    for (int t = 0; t < nTok; ++t) _mm256_storeu_ps(y + 8 * t, _mm256_setzero_ps());
    for (int64_t b = 0; b < nBlocks; ++b) {
        for (int sub = 0; sub < P::kSubBlocks; ++sub) {
            const Sub s = unpackSub(blocks[b], sub);
            for (int t = 0; t < nTok; ++t) {
                const __m256 acc =
                    addSub<P>(s, tile.a + 32 * t, tile.scales[t], _mm256_loadu_ps(y + 8 * t));
                _mm256_storeu_ps(y + 8 * t, acc);
            }
            for (uint64_t fine = *tile.fine; fine != 0; fine &= fine - 1) {
                const int t = __builtin_ctzll(fine);
                const __m256 acc = addSub<P>(s, tile.fineA + 32 * t, tile.fineScales[t],
                                             _mm256_loadu_ps(y + 8 * t));
                _mm256_storeu_ps(y + 8 * t, acc);
            }
            tile = nextBlock(tile, nTok);
        }
    }
}

float largestLane(__m256 v) noexcept {
    __m128 m = _mm_max_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
    m = _mm_max_ps(m, _mm_movehl_ps(m, m));
    return _mm_cvtss_f32(_mm_max_ss(m, _mm_movehdup_ps(m)));
}

int32_t sumLanes(__m128i v) noexcept {
    v = _mm_add_epi32(v, _mm_shuffle_epi32(v, 0x4e));
    return _mm_cvtsi128_si32(_mm_add_epi32(v, _mm_shuffle_epi32(v, 0xb1)));
}

float sumLanes(__m256 v) noexcept {
    __m128 m = _mm_add_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
    m = _mm_add_ps(m, _mm_movehl_ps(m, m));
    return _mm_cvtss_f32(_mm_add_ss(m, _mm_movehdup_ps(m)));
}

/// What rounding left of a block: x − scale·a.
void restOf(const float* x, const int8_t* a, float scale, float* rest) noexcept {
    for (int i = 0; i < 32; i += 8) {
        const __m256 rounded = bytesToFloat(a + i);
        const __m256 v = _mm256_loadu_ps(x + i);
        _mm256_storeu_ps(rest + i, _mm256_fnmadd_ps(rounded, _mm256_set1_ps(scale), v));
    }
}

void quantizeBlock(const float* x, int8_t* a, Int8Scale& out) noexcept {
    const __m256 magnitude = _mm256_castsi256_ps(_mm256_set1_epi32(0x7fffffff));
    __m256 v[4], largest = _mm256_setzero_ps(), unordered = _mm256_setzero_ps();
    for (int i = 0; i < 4; ++i) {
        v[i] = _mm256_loadu_ps(x + 8 * i);
        largest = _mm256_max_ps(largest, _mm256_and_ps(v[i], magnitude));
        unordered = _mm256_or_ps(unordered, _mm256_cmp_ps(v[i], v[i], _CMP_UNORD_Q));
    }
    const float top = largestLane(largest);
    const float inverse = top > 1e-30f ? 127.0f / top : 0.0f;
    __m256i q[4];
    for (int i = 0; i < 4; ++i) {
        q[i] = _mm256_cvtps_epi32(_mm256_mul_ps(v[i], _mm256_set1_ps(inverse)));
    }
    const __m256i low = _mm256_packs_epi32(q[0], q[1]), high = _mm256_packs_epi32(q[2], q[3]);
    const __m256i order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
    const __m256i bytes = _mm256_permutevar8x32_epi32(_mm256_packs_epi16(low, high), order);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(a), bytes);
    const __m256i sums = madd(_mm256_maddubs_epi16(_mm256_set1_epi8(1), bytes));
    const int32_t first = sumLanes(_mm256_castsi256_si128(sums));
    const int32_t second = sumLanes(_mm256_extracti128_si256(sums, 1));
    out.scale = top > 1e-30f ? top / 127.0f : 0.0f;
    if (_mm256_movemask_ps(unordered) != 0) out.scale = __builtin_nanf("");
    out.scaleSum = out.scale * static_cast<float>(first + second);
    out.offset[0] = -32 * first;
    out.offset[1] = -32 * second;
}

}  // namespace

void quantizeRow(const float* x, int64_t nCols, const Int8Tile& token, int nTok) {
    __m256 squares = _mm256_setzero_ps();
    for (int64_t i = 0; i < nCols; i += 8) {
        const __m256 v = _mm256_loadu_ps(x + i);
        squares = _mm256_fmadd_ps(v, v, squares);
    }
    const float limit = fineLimit(sumLanes(squares), nCols);
    Int8Tile at = token;
    for (int64_t b = 0; b < nCols / 32; ++b) {
        quantizeBlock(x + 32 * b, at.a, *at.scales);
        at.fineScales->scale = 0;
        if (at.scales->scale > limit) {
            float rest[32];
            restOf(x + 32 * b, at.a, at.scales->scale, rest);
            quantizeBlock(rest, at.fineA, *at.fineScales);
        }
        at = nextBlock(at, nTok);
    }
}

void packedRows(DType type, const PackedGroups& groups, int64_t nCols, const Int8Tile& tile,
                int nTok, float* y) {
    switch (type) {
#define VITRINE_CASE(P) \
    case P::Source::kType: return rows<P>(groups.first, nCols, tile, nTok, y);
        VITRINE_PACKED(VITRINE_CASE)
#undef VITRINE_CASE
        default: return;
    }
}

}  // namespace vitrine::kernels::cpu::avx2

#include "kernels/cpu/end_isa.h"

#endif
