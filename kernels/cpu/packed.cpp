#include "kernels/cpu/packed.h"

namespace vitrine::kernels::cpu {

namespace {

// Four neighbouring codes of a row stay together in every layout, so packing moves 32-bit words.
uint32_t word(const uint8_t* p) noexcept {
    uint32_t w;
    std::memcpy(&w, p, 4);
    return w;
}

void putWord(uint8_t* p, uint32_t w) noexcept {
    std::memcpy(p, &w, 4);
}

constexpr uint32_t kLowNibbles = 0x0f0f0f0fu;

/// The file's nibble order within 32 columns is already ours.
void packNibbles(const uint8_t (&qs)[16], int row, uint8_t* q) noexcept {
    for (int i = 0; i < 4; ++i) putWord(q + 32 * i + 4 * row, word(qs + 4 * i));
}

/// Sub-block s of a K format: 32 bytes hold two sub-blocks, one per nibble.
void packNibblesK(const uint8_t (&qs)[128], int sub, int row, uint8_t* q) noexcept {
    const uint8_t* src = qs + sub / 2 * 32;
    for (int i = 0; i < 4; ++i) {
        const uint32_t low = word(src + 4 * i) >> (sub % 2 * 4) & kLowNibbles;
        const uint32_t high = word(src + 16 + 4 * i) >> (sub % 2 * 4) & kLowNibbles;
        putWord(q + 32 * i + 4 * row, low | high << 4);
    }
}

void packFifthBits(const uint8_t (&qh)[4], int row, uint8_t* h) noexcept {
    for (int j = 0; j < 4; ++j) {
        uint32_t bits = 0;
        for (int i = 0; i < 8; ++i) bits |= (qh[i / 2] >> (i % 2 * 4 + j) & 1u) << i;
        h[4 * row + j] = static_cast<uint8_t>(bits);
    }
}

void packRow(const BlockQ4_0& b, int row, PackedQ4_0& p) noexcept {
    packNibbles(b.qs, row, p.q);
    p.d[row] = b.d;
}

void packRow(const BlockQ4_1& b, int row, PackedQ4_1& p) noexcept {
    packNibbles(b.qs, row, p.q);
    p.d[row] = b.d;
    p.m[row] = b.m;
}

void packRow(const BlockQ5_0& b, int row, PackedQ5_0& p) noexcept {
    packNibbles(b.qs, row, p.q);
    packFifthBits(b.qh, row, p.h);
    p.d[row] = b.d;
}

void packRow(const BlockQ5_1& b, int row, PackedQ5_1& p) noexcept {
    packNibbles(b.qs, row, p.q);
    packFifthBits(b.qh, row, p.h);
    p.d[row] = b.d;
    p.m[row] = b.m;
}

void packRow(const BlockQ8_0& b, int row, PackedQ8_0& p) noexcept {
    const auto* src = reinterpret_cast<const uint8_t*>(b.qs);
    for (int i = 0; i < 8; ++i) putWord(p.q + 32 * i + 4 * row, word(src + 4 * i));
    p.d[row] = b.d;
}

template <class Block, class P>
void packScalesK(const Block& b, int row, P& p) noexcept {
    p.d[row] = b.d;
    p.dmin[row] = b.dmin;
    for (int sub = 0; sub < 8; ++sub) {
        p.scale[sub][row] = static_cast<uint8_t>(sixBitScale(b.scales, sub));
        p.minimum[sub][row] = static_cast<uint8_t>(sixBitMin(b.scales, sub));
    }
}

void packRow(const BlockQ4_K& b, int row, PackedQ4_K& p) noexcept {
    packScalesK(b, row, p);
    for (int sub = 0; sub < 8; ++sub) packNibblesK(b.qs, sub, row, p.q[sub]);
}

void packRow(const BlockQ5_K& b, int row, PackedQ5_K& p) noexcept {
    packScalesK(b, row, p);
    for (int sub = 0; sub < 8; ++sub) {
        packNibblesK(b.qs, sub, row, p.q[sub]);
        uint32_t bits = 0;  // four bytes at once: no carry crosses them
        for (int i = 0; i < 8; ++i) bits |= (word(b.qh + 4 * i) >> sub & 0x01010101u) << i;
        putWord(p.h[sub] + 4 * row, bits);
    }
}

void packRow(const BlockQ6_K& b, int row, PackedQ6_K& p) noexcept {
    p.d[row] = b.d;
    for (int i = 0; i < 16; ++i) p.scale[i][row] = b.scales[i];
    for (int sub = 0; sub < 8; ++sub) {
        // Quarter sub%4 of half sub/4, see sixBitCode.
        const uint8_t* low = b.ql + sub / 4 * 64 + sub % 2 * 32;
        const uint8_t* high = b.qh + sub / 4 * 32;
        const int nibble = sub % 4 / 2 * 4, pair = sub % 4 * 2;
        uint32_t extra[2] = {};
        for (int i = 0; i < 4; ++i) {
            const uint32_t a = word(low + 4 * i) >> nibble & kLowNibbles;
            const uint32_t c = word(low + 16 + 4 * i) >> nibble & kLowNibbles;
            putWord(p.q[sub] + 32 * i + 4 * row, a | c << 4);
            extra[0] |= (word(high + 4 * i) >> pair & 0x03030303u) << (2 * i);
            extra[1] |= (word(high + 16 + 4 * i) >> pair & 0x03030303u) << (2 * i);
        }
        putWord(p.h[sub] + 4 * row, extra[0]);
        putWord(p.h[sub] + 32 + 4 * row, extra[1]);
    }
}

void packRow(const BlockIQ4_NL& b, int row, PackedIQ4_NL& p) noexcept {
    packNibbles(b.qs, row, p.q);
    p.d[row] = b.d;
}

void packRow(const BlockIQ4_XS& b, int row, PackedIQ4_XS& p) noexcept {
    p.d[row] = b.d;
    for (int sub = 0; sub < 8; ++sub) {
        for (int i = 0; i < 4; ++i) {
            putWord(p.q[sub] + 32 * i + 4 * row, word(b.qs + 16 * sub + 4 * i));
        }
        p.scale[sub][row] = static_cast<int8_t>(iq4Scale(b, sub));
    }
}

/// Two bits of 32 columns from a byte plane of Q2_K or Q3_K: bits 2·(sub%4) of 32 bytes per half.
void packPairs(const uint8_t (&qs)[64], int sub, int row, uint8_t* h) noexcept {
    const uint8_t* src = qs + sub / 4 * 32;
    for (int half = 0; half < 2; ++half) {
        uint32_t w = 0;
        for (int i = 0; i < 4; ++i) {
            w |= (word(src + 16 * half + 4 * i) >> (sub % 4 * 2) & 0x03030303u) << (2 * i);
        }
        putWord(h + 32 * half + 4 * row, w);
    }
}

void packRow(const BlockQ2_K& b, int row, PackedQ2_K& p) noexcept {
    p.d[row] = b.d;
    p.dmin[row] = b.dmin;
    for (int i = 0; i < 16; ++i) p.scaleMin[i][row] = b.scales[i];
    for (int sub = 0; sub < 8; ++sub) packPairs(b.qs, sub, row, p.h[sub]);
}

void packRow(const BlockQ3_K& b, int row, PackedQ3_K& p) noexcept {
    p.d[row] = b.d;
    for (int i = 0; i < 16; ++i) p.scale[i][row] = static_cast<int8_t>(q3Scale(b, i));
    for (int sub = 0; sub < 8; ++sub) {
        packPairs(b.qs, sub, row, p.h[sub]);
        uint32_t bits = 0;  // four bytes at once: no carry crosses them
        for (int i = 0; i < 8; ++i) bits |= (word(b.hmask + 4 * i) >> sub & 0x01010101u) << i;
        putWord(p.top[sub] + 4 * row, bits);
    }
}

template <class P>
void packBlocks(const char* rows, int64_t nRows, int64_t nCols, P* out) noexcept {
    using Source = typename P::Source;
    const int64_t nBlocks = nCols / Source::kValues;
    for (int64_t b = 0; b < nBlocks; ++b) {
        P packed{};
        for (int64_t row = 0; row < nRows; ++row) {
            Source block;
            std::memcpy(&block, rows + static_cast<size_t>(row * nBlocks + b) * sizeof(Source),
                        sizeof(Source));
            packRow(block, static_cast<int>(row), packed);
        }
        std::memcpy(out + b, &packed, sizeof(P));
    }
}

template <class P>
void unpackBlocks(const P* blocks, int row, int64_t nCols, float* dst) noexcept {
    constexpr int kColumns = 32 * P::kSubBlocks;
    for (int64_t c = 0; c < nCols; ++c) {
        const P& p = blocks[c / kColumns];
        const int sub = static_cast<int>(c % kColumns / 32), k = static_cast<int>(c % 32);
        const int code = packedCode(p, sub, row, k) - P::kOffset;
        dst[c] = packedScale(p, sub, row, k) * static_cast<float>(code);
        if constexpr (P::kHasMin) dst[c] += packedMin(p, sub, row, k);
    }
}

}  // namespace

bool hasPackedForm(DType type) noexcept {
    return withPacked(type, []<class P>() {});
}

size_t packedGroupBytes(DType type, int64_t nCols) noexcept {
    size_t bytes = 0;
    withPacked(type, [&]<class P>() {
        bytes = static_cast<size_t>(nCols / P::Source::kValues) * sizeof(P);
    });
    return bytes;
}

void packGroup(DType type, const void* rows, int64_t nRows, int64_t nCols, void* group) noexcept {
    withPacked(type, [&]<class P>() {
        packBlocks(static_cast<const char*>(rows), nRows, nCols, static_cast<P*>(group));
    });
}

void unpackRow(DType type, const void* group, int row, int64_t nCols, float* dst) noexcept {
    withPacked(type,
               [&]<class P>() { unpackBlocks(static_cast<const P*>(group), row, nCols, dst); });
}

}  // namespace vitrine::kernels::cpu
