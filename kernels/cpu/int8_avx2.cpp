// 8-bit dot products with AVX2. A register holds four columns of eight rows as unsigned codes; one
// word of activations is broadcast against it, maddubs gives 16-bit sums of two products, and as
// many of these are added in 16 bits as cannot overflow:
//   4, 5 bits 31·127·2·4 = 31,496: two halves (four bits would fit in one sum, but two shorter
//             chains measured 20 % faster)
//   6 bits    63·127·2·2 = 32,004: pairs; the scale changes after four registers anyway
//   8 bits    signed codes: |w| times a with w's sign, 128·127·2 = 32,512: none
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
    __m256i w[8];     // [4 columns] of 8 rows × 4 codes
    __m256 scale[2];  // [8 rows]; the second for six-bit codes only
    __m256 minimum;   // [8 rows]
};

void unpackNibbles(const uint8_t* q, __m256i* w) noexcept {
    const __m256i low = _mm256_set1_epi8(15);
    for (int i = 0; i < 4; ++i) {
        const __m256i v = loadBytes(q + 32 * i);
        w[i] = _mm256_and_si256(v, low);
        w[4 + i] = _mm256_and_si256(_mm256_srli_epi16(v, 4), low);
    }
}

template <int kBit>
__m256i fifthBit(__m256i h) noexcept {
    const __m256i bit = _mm256_and_si256(h, _mm256_set1_epi8(static_cast<char>(1 << kBit)));
    if constexpr (kBit < 4) return _mm256_slli_epi16(bit, 4 - kBit);
    return _mm256_srli_epi16(bit, kBit - 4);
}

void addFifthBits(const uint8_t* bits, __m256i* w) noexcept {
    const __m256i h = loadBytes(bits);
    w[0] = _mm256_or_si256(w[0], fifthBit<0>(h));
    w[1] = _mm256_or_si256(w[1], fifthBit<1>(h));
    w[2] = _mm256_or_si256(w[2], fifthBit<2>(h));
    w[3] = _mm256_or_si256(w[3], fifthBit<3>(h));
    w[4] = _mm256_or_si256(w[4], fifthBit<4>(h));
    w[5] = _mm256_or_si256(w[5], fifthBit<5>(h));
    w[6] = _mm256_or_si256(w[6], fifthBit<6>(h));
    w[7] = _mm256_or_si256(w[7], fifthBit<7>(h));
}

void addUpperPairs(const uint8_t* bits, __m256i* w) noexcept {
    const __m256i pair = _mm256_set1_epi8(0x30);
    for (int half = 0; half < 2; ++half) {
        const __m256i h = loadBytes(bits + 32 * half);
        __m256i* v = w + 4 * half;
        v[0] = _mm256_or_si256(v[0], _mm256_and_si256(_mm256_slli_epi16(h, 4), pair));
        v[1] = _mm256_or_si256(v[1], _mm256_and_si256(_mm256_slli_epi16(h, 2), pair));
        v[2] = _mm256_or_si256(v[2], _mm256_and_si256(h, pair));
        v[3] = _mm256_or_si256(v[3], _mm256_and_si256(_mm256_srli_epi16(h, 2), pair));
    }
}

template <class P>
Sub unpackSub(const P& p, int sub) noexcept {
    Sub s;
    const auto* q = reinterpret_cast<const uint8_t*>(&p.q);
    if constexpr (P::kBits == 8) {
        for (int i = 0; i < 8; ++i) s.w[i] = loadBytes(q + 32 * i);
    } else {
        unpackNibbles(q + 128 * sub, s.w);
    }
    if constexpr (P::kBits == 5)
        addFifthBits(reinterpret_cast<const uint8_t*>(&p.h) + 32 * sub, s.w);
    if constexpr (P::kBits == 6) addUpperPairs(p.h[sub], s.w);
    const __m256 d = halves(p.d);
    s.scale[0] = s.scale[1] = d;
    if constexpr (P::kBits == 6) {
        s.scale[0] = _mm256_mul_ps(d, bytesToFloat(p.scale[2 * sub]));
        s.scale[1] = _mm256_mul_ps(d, bytesToFloat(p.scale[2 * sub + 1]));
    } else if constexpr (P::kSubBlocks == 8) {
        s.scale[0] = _mm256_mul_ps(d, bytesToFloat(p.scale[sub]));
        const __m256 m = _mm256_mul_ps(halves(p.dmin), bytesToFloat(p.minimum[sub]));
        s.minimum = _mm256_sub_ps(_mm256_setzero_ps(), m);
    } else if constexpr (P::kHasMin) {
        s.minimum = halves(p.m);
    } else if constexpr (P::kOffset != 0) {
        s.minimum = _mm256_mul_ps(d, _mm256_set1_ps(-static_cast<float>(P::kOffset)));
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

/// Adds one sub-block's product with one token's 32 activations to acc [8 rows].
template <class P>
__m256 addSub(const Sub& s, const int8_t* a8, const Int8Scale& x, __m256 acc) noexcept {
    const auto* a = reinterpret_cast<const int32_t*>(a8);
    const __m256 xs = _mm256_broadcast_ss(&x.scale);
    if constexpr (P::kBits == 6) {
        for (int half = 0; half < 2; ++half) {
            const __m256i dot = _mm256_add_epi32(fourOfSixBits(s.w + 4 * half, a + 4 * half),
                                                 _mm256_set1_epi32(x.offset[half]));
            acc = _mm256_fmadd_ps(_mm256_mul_ps(_mm256_cvtepi32_ps(dot), s.scale[half]), xs, acc);
        }
        return acc;
    } else {
        __m256i dot;
        if constexpr (P::kBits <= 5) {
            dot = _mm256_add_epi32(madd(four(s.w, a)), madd(four(s.w + 4, a + 4)));
        }
        if constexpr (P::kBits == 8) dot = eightSigned(s.w, a);
        acc = _mm256_fmadd_ps(_mm256_mul_ps(_mm256_cvtepi32_ps(dot), s.scale[0]), xs, acc);
        if constexpr (P::kHasMin || P::kOffset != 0) {
            acc = _mm256_fmadd_ps(s.minimum, _mm256_broadcast_ss(&x.scaleSum), acc);
        }
        return acc;
    }
}

/// One token: the sum stays in a register and the weights are fetched ahead, for they stream from
/// memory.
template <class P>
void oneToken(const P* blocks, int64_t nBlocks, const int8_t* a, const Int8Scale* scales,
              float* y) noexcept {
    __m256 acc = _mm256_setzero_ps();
    for (int64_t b = 0; b < nBlocks; ++b) {
        for (int sub = 0; sub < P::kSubBlocks; ++sub) {
            constexpr int kBytes = static_cast<int>(sizeof(P)) / P::kSubBlocks;
            const char* ahead =
                reinterpret_cast<const char*>(blocks + b) + sub * kBytes + kPrefetchBytes;
            for (int i = 0; i < kBytes; i += 64) _mm_prefetch(ahead + i, _MM_HINT_T0);
            acc = addSub<P>(unpackSub(blocks[b], sub), a, *scales, acc);
            a += 32;
            ++scales;
        }
    }
    _mm256_storeu_ps(y, acc);
}

template <class P>
void rows(const void* group, int64_t nCols, const int8_t* a, const Int8Scale* scales, int nTok,
          float* y) noexcept {
    const auto* blocks = static_cast<const P*>(group);
    const int64_t nBlocks = nCols / (32 * P::kSubBlocks);
    if (nTok == 1) return oneToken(blocks, nBlocks, a, scales, y);
    for (int t = 0; t < nTok; ++t) _mm256_storeu_ps(y + 8 * t, _mm256_setzero_ps());
    for (int64_t b = 0; b < nBlocks; ++b) {
        for (int sub = 0; sub < P::kSubBlocks; ++sub) {
            const Sub s = unpackSub(blocks[b], sub);
            for (int t = 0; t < nTok; ++t) {
                const __m256 acc = addSub<P>(s, a + 32 * t, scales[t], _mm256_loadu_ps(y + 8 * t));
                _mm256_storeu_ps(y + 8 * t, acc);
            }
            a += 32 * nTok;
            scales += nTok;
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

void quantizeRow(const float* x, int64_t nCols, int8_t* a, int64_t aStride, Int8Scale* scales,
                 int64_t scaleStride) {
    for (int64_t b = 0; b < nCols / 32; ++b) {
        quantizeBlock(x + 32 * b, a + b * aStride, scales[b * scaleStride]);
    }
}

void packedRows(DType type, const void* group, int64_t nCols, const int8_t* a,
                const Int8Scale* scales, int nTok, float* y) {
    switch (type) {
#define VITRINE_CASE(P) \
    case P::Source::kType: return rows<P>(group, nCols, a, scales, nTok, y);
        VITRINE_PACKED(VITRINE_CASE)
#undef VITRINE_CASE
        default: return;
    }
}

}  // namespace vitrine::kernels::cpu::avx2

#include "kernels/cpu/end_avx2.h"

#endif
