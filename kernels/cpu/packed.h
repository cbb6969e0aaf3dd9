#pragma once
// Weight blocks of 8 rows interleaved, as the fast mode keeps them: one vector load brings four
// columns of eight rows, so a dot product with one broadcast word of activations gives eight
// outputs without a horizontal sum. The bits are those of the file in another order: no value
// changes, and a row can be decoded again exactly. Thread: plain data, any thread.
//
// Place of code k (0…31) of row r (0…7) inside a sub-block of 32 columns:
//   nibbles  byte k%16/4·32 + 4·r + k%4, low nibble for k < 16, high for the rest
//   1 bit    byte 4·r + k%4, bit k/4; the fifth of five and the third of three bits
//   2 bits   byte k/16·32 + 4·r + k%4, bits 2·(k%16/4) and up; also the upper two of six bits
//   bytes    byte k/4·32 + 4·r + k%4

#include <cstdint>
#include <cstring>

#include "kernels/quant/formats.h"

namespace vitrine::kernels::cpu {

inline constexpr int kPackRows = 8;

struct PackedQ4_0 {
    using Source = BlockQ4_0;
    static constexpr int kBits = 4, kOffset = 8, kSubBlocks = 1;
    static constexpr bool kHasMin = false;
    uint8_t q[128];
    uint16_t d[8];
};

struct PackedQ4_1 {
    using Source = BlockQ4_1;
    static constexpr int kBits = 4, kOffset = 0, kSubBlocks = 1;
    static constexpr bool kHasMin = true;
    uint8_t q[128];
    uint16_t d[8], m[8];
};

struct PackedQ5_0 {
    using Source = BlockQ5_0;
    static constexpr int kBits = 5, kOffset = 16, kSubBlocks = 1;
    static constexpr bool kHasMin = false;
    uint8_t q[128], h[32];
    uint16_t d[8];
};

struct PackedQ5_1 {
    using Source = BlockQ5_1;
    static constexpr int kBits = 5, kOffset = 0, kSubBlocks = 1;
    static constexpr bool kHasMin = true;
    uint8_t q[128], h[32];
    uint16_t d[8], m[8];
};

struct PackedQ8_0 {
    using Source = BlockQ8_0;
    static constexpr int kBits = 8, kOffset = 0, kSubBlocks = 1;
    static constexpr bool kHasMin = false;
    uint8_t q[256];
    uint16_t d[8];
};

struct PackedQ4_K {
    using Source = BlockQ4_K;
    static constexpr int kBits = 4, kOffset = 0, kSubBlocks = 8;
    static constexpr bool kHasMin = true;
    uint8_t q[8][128];
    uint8_t scale[8][8], minimum[8][8];  ///< [sub-block, row]
    uint16_t d[8], dmin[8];
};

struct PackedQ5_K {
    using Source = BlockQ5_K;
    static constexpr int kBits = 5, kOffset = 0, kSubBlocks = 8;
    static constexpr bool kHasMin = true;
    uint8_t q[8][128], h[8][32];
    uint8_t scale[8][8], minimum[8][8];  ///< [sub-block, row]
    uint16_t d[8], dmin[8];
};

struct PackedQ6_K {
    using Source = BlockQ6_K;
    static constexpr int kBits = 6, kOffset = 32, kSubBlocks = 8;
    static constexpr bool kHasMin = false;
    uint8_t q[8][128], h[8][64];
    int8_t scale[16][8];  ///< [16 columns, row]
    uint16_t d[8];
};

struct PackedQ2_K {
    using Source = BlockQ2_K;
    static constexpr int kBits = 2, kOffset = 0, kSubBlocks = 8;
    static constexpr bool kHasMin = true;
    uint8_t h[8][64];
    uint8_t scaleMin[16][8];  ///< [16 columns, row]: low nibble scale, high nibble minimum
    uint16_t d[8], dmin[8];
};

struct PackedQ3_K {
    using Source = BlockQ3_K;
    static constexpr int kBits = 3, kOffset = 4, kSubBlocks = 8;
    static constexpr bool kHasMin = false;
    uint8_t h[8][64], top[8][32];
    int8_t scale[16][8];  ///< [16 columns, row], the 32 taken off
    uint16_t d[8];
};

/// The codes stand for iq4Level; in registers they become signed bytes.
struct PackedIQ4_NL {
    using Source = BlockIQ4_NL;
    static constexpr int kBits = 8, kOffset = 0, kSubBlocks = 1;
    static constexpr bool kHasMin = false;
    uint8_t q[128];
    uint16_t d[8];
};

struct PackedIQ4_XS {
    using Source = BlockIQ4_XS;
    static constexpr int kBits = 8, kOffset = 0, kSubBlocks = 8;
    static constexpr bool kHasMin = false;
    uint8_t q[8][128];
    int8_t scale[8][8];  ///< [sub-block, row], the 32 taken off
    uint16_t d[8];
};

/// Scale per 16 columns instead of 32?
template <class P>
inline constexpr bool kScalesOf16 = P::kBits == 2 || P::kBits == 3 || P::kBits == 6;

/// Nibbles that index iq4Level?
template <class P>
inline constexpr bool kIsIq4 =
    P::Source::kType == DType::IQ4_NL || P::Source::kType == DType::IQ4_XS;

// Version 14 breaks this list anew each time.
// clang-format off
#define VITRINE_PACKED(X) \
    X(PackedQ2_K) \
    X(PackedQ3_K) \
    X(PackedIQ4_NL) \
    X(PackedIQ4_XS) \
    X(PackedQ4_0) \
    X(PackedQ4_1) \
    X(PackedQ5_0) \
    X(PackedQ5_1) \
    X(PackedQ8_0) \
    X(PackedQ4_K) \
    X(PackedQ5_K) \
    X(PackedQ6_K)

// clang-format on

/// Calls f.operator()<Packed>() for the packed form of a type; false when it has none.
template <class F>
bool withPacked(DType type, F&& f) noexcept {
    switch (type) {
#define VITRINE_CASE(P) \
    case P::Source::kType: f.template operator()<P>(); return true;
        VITRINE_PACKED(VITRINE_CASE)
#undef VITRINE_CASE
        default: return false;
    }
}

// One column of one row from a plane of 4, 2 or 1 bits; at = 4·row + k%4.
inline int nibbleAt(const uint8_t* q, int at, int k) noexcept {
    return q[k % 16 / 4 * 32 + at] >> (k / 16 * 4) & 15;
}

inline int pairAt(const uint8_t* h, int at, int k) noexcept {
    return h[k / 16 * 32 + at] >> (k % 16 / 4 * 2) & 3;
}

inline int bitAt(const uint8_t* h, int at, int k) noexcept {
    return h[at] >> (k / 4) & 1;
}

/// Plane of a sub-block in an array of planes of this size.
inline const uint8_t* planeAt(const void* planes, int bytes, int sub) noexcept {
    return static_cast<const uint8_t*>(planes) + bytes * sub;
}

/// Code of one column of one row, without the offset; signed for bytes and levels.
template <class P>
int packedCode(const P& p, int sub, int row, int k) noexcept {
    const int at = 4 * row + k % 4;
    if constexpr (kIsIq4<P>) {
        return iq4Level(nibbleAt(planeAt(&p.q, 128, sub), at, k));
    } else if constexpr (P::kBits == 2) {
        return pairAt(p.h[sub], at, k);
    } else if constexpr (P::kBits == 3) {
        return pairAt(p.h[sub], at, k) | bitAt(p.top[sub], at, k) << 2;
    } else if constexpr (P::kBits == 8) {
        return static_cast<int8_t>(p.q[k / 4 * 32 + at]);
    } else {
        int code = nibbleAt(planeAt(&p.q, 128, sub), at, k);
        if constexpr (P::kBits == 5) code |= bitAt(planeAt(&p.h, 32, sub), at, k) << 4;
        if constexpr (P::kBits == 6) code |= pairAt(p.h[sub], at, k) << 4;
        return code;
    }
}

/// Scale of one column, in the order of operations of the file's format.
template <class P>
float packedScale(const P& p, int sub, int row, int k) noexcept {
    const float d = f16ToF32(p.d[row]);
    if constexpr (P::kBits == 2) {
        return d * static_cast<float>(p.scaleMin[2 * sub + k / 16][row] & 15);
    } else if constexpr (kScalesOf16<P>) {
        return d * static_cast<float>(p.scale[2 * sub + k / 16][row]);
    } else if constexpr (P::kSubBlocks == 8) {
        return d * static_cast<float>(p.scale[sub][row]);
    } else {
        return d;
    }
}

/// What is added to scale·(code − offset); 0 for formats without a minimum.
template <class P>
float packedMin(const P& p, int sub, int row, int k) noexcept {
    if constexpr (!P::kHasMin) {
        return 0.0f;
    } else if constexpr (P::kBits == 2) {
        const int minimum = p.scaleMin[2 * sub + k / 16][row] >> 4;
        return -(f16ToF32(p.dmin[row]) * static_cast<float>(minimum));
    } else if constexpr (P::kSubBlocks == 8) {
        return -(f16ToF32(p.dmin[row]) * static_cast<float>(p.minimum[sub][row]));
    } else {
        return f16ToF32(p.m[row]);
    }
}

/// Is there an interleaved form for this type? Never fails.
bool hasPackedForm(DType type) noexcept;

/// Bytes of a group of 8 rows. Requires: hasPackedForm(type), nCols as for rowBytes.
size_t packedGroupBytes(DType type, int64_t nCols) noexcept;

/// Interleaves nRows ≤ 8 rows as stored in the file into one group; missing rows become zeros.
void packGroup(DType type, const void* rows, int64_t nRows, int64_t nCols, void* group) noexcept;

/// Row `row` (0…7) of a group as float32, equal to decodeRow of what was packed.
void unpackRow(DType type, const void* group, int row, int64_t nCols, float* dst) noexcept;

}  // namespace vitrine::kernels::cpu
