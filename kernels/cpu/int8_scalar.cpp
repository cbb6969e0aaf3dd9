// The 8-bit dot products of int8_avx2.cpp in plain integers: same layouts, same order over blocks.

#include "kernels/cpu/int8_scalar.h"

#include <cmath>

#include "kernels/cpu/packed.h"

namespace vitrine::kernels::cpu::scalar {

namespace {

/// A sub-block widened: codes less their offset, [8 rows, 32 columns]. 16-bit products of one row
/// are the one integer dot product that every x86-64 has.
struct Sub {
    int16_t code[8][32];
    float scale[2][8];  // of the first and second 16 columns
    float minimum[2][8];
};

template <class P>
void unpackSub(const P& p, int sub, Sub& s) noexcept {
    for (int k = 0; k < 32; ++k) {
        for (int r = 0; r < 8; ++r) {
            s.code[r][k] = static_cast<int16_t>(packedCode(p, sub, r, k) - P::kOffset);
        }
    }
    for (int r = 0; r < 8; ++r) {
        s.scale[0][r] = packedScale(p, sub, r, 0);
        s.scale[1][r] = packedScale(p, sub, r, 16);
        s.minimum[0][r] = packedMin(p, sub, r, 0);
        s.minimum[1][r] = packedMin(p, sub, r, 16);
    }
}

int32_t dotOf16(const int16_t* a, const int16_t* b) noexcept {
    int32_t sum = 0;
    for (int k = 0; k < 16; ++k) sum += a[k] * b[k];
    return sum;
}

/// Adds one sub-block's product with one token's 32 activations to y [8 rows].
template <class P>
void addSub(const Sub& s, const int8_t* a, const Int8Scale& x, float* y) noexcept {
    int16_t wide[32];
    for (int k = 0; k < 32; ++k) wide[k] = a[k];
    int32_t dot[2][8];
    for (int r = 0; r < 8; ++r) {
        dot[0][r] = dotOf16(s.code[r], wide);
        dot[1][r] = dotOf16(s.code[r] + 16, wide + 16);
    }
    for (int r = 0; r < 8; ++r) {
        if constexpr (kScalesOf16<P>) {
            y[r] += static_cast<float>(dot[0][r]) * s.scale[0][r] * x.scale;
            y[r] += static_cast<float>(dot[1][r]) * s.scale[1][r] * x.scale;
        } else {
            y[r] += static_cast<float>(dot[0][r] + dot[1][r]) * s.scale[0][r] * x.scale;
        }
        if constexpr (P::kBits == 2) {
            for (int half = 0; half < 2; ++half) {
                const auto sum = static_cast<float>(x.offset[half] / -32);
                y[r] += s.minimum[half][r] * sum * x.scale;
            }
        } else if constexpr (P::kHasMin) {
            y[r] += s.minimum[0][r] * x.scaleSum;
        }
    }
}

template <class P>
void rows(const void* group, int64_t nCols, Int8Tile tile, int nTok, float* y) noexcept {
    const auto* blocks = static_cast<const P*>(group);
    for (int i = 0; i < 8 * nTok; ++i) y[i] = 0;
    for (int64_t b = 0; b < nCols / 32; ++b) {
        Sub s;
        unpackSub(blocks[b / P::kSubBlocks], static_cast<int>(b % P::kSubBlocks), s);
        for (int t = 0; t < nTok; ++t) addSub<P>(s, tile.a + 32 * t, tile.scales[t], y + 8 * t);
        for (uint64_t fine = *tile.fine; fine != 0; fine &= fine - 1) {
            const int t = __builtin_ctzll(fine);
            addSub<P>(s, tile.fineA + 32 * t, tile.fineScales[t], y + 8 * t);
        }
        tile = nextBlock(tile, nTok);
    }
}

void quantizeBlock(const float* x, int8_t* a, Int8Scale& out) noexcept {
    float top = 0;
    bool hasNan = false;
    for (int i = 0; i < 32; ++i) {
        const float size = std::fabs(x[i]);
        if (size > top) top = size;
        hasNan = hasNan || size != size;
    }
    out.scale = top > 1e-30f ? top / 127.0f : 0.0f;
    const bool isFinite = !hasNan && top <= 3.4e38f;
    const float inverse = top > 1e-30f && isFinite ? 127.0f / top : 0.0f;
    int32_t sum[2] = {};
    for (int i = 0; i < 32; ++i) {
        // A non-finite value shows through the scale; its code must only be defined.
        a[i] = isFinite ? static_cast<int8_t>(std::lrintf(x[i] * inverse)) : int8_t{1};
        sum[i / 16] += a[i];
    }
    if (!isFinite) out.scale = NAN;
    out.scaleSum = out.scale * static_cast<float>(sum[0] + sum[1]);
    out.offset[0] = -32 * sum[0];
    out.offset[1] = -32 * sum[1];
}

}  // namespace

void quantizeRow(const float* x, int64_t nCols, const Int8Tile& token, int nTok) {
    float squares = 0;
    for (int64_t i = 0; i < nCols; ++i) squares += x[i] * x[i];
    const float limit = fineLimit(squares, nCols);
    Int8Tile at = token;
    for (int64_t b = 0; b < nCols / 32; ++b) {
        quantizeBlock(x + 32 * b, at.a, *at.scales);
        at.fineScales->scale = 0;
        if (at.scales->scale > limit) {
            float rest[32];
            for (int i = 0; i < 32; ++i) {
                rest[i] = x[32 * b + i] - at.scales->scale * static_cast<float>(at.a[i]);
            }
            quantizeBlock(rest, at.fineA, *at.fineScales);
        }
        at = nextBlock(at, nTok);
    }
}

void packedRows(DType type, const PackedGroups& groups, int64_t nCols, const Int8Tile& tile,
                int nTok, float* y) {
    withPacked(type, [&]<class P>() { rows<P>(groups.first, nCols, tile, nTok, y); });
}

}  // namespace vitrine::kernels::cpu::scalar
