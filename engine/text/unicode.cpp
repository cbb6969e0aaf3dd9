#include "engine/text/unicode.h"

#include <array>
#include <utf8proc.h>

namespace vitrine::engine {

namespace {

constexpr uint32_t kCodePoints = 0x110000;
constexpr uint32_t kReplacement = 0xFFFD;

bool isSpace(uint32_t c) noexcept {
    return (c >= 0x09 && c <= 0x0D) || c == 0x20 || c == 0x85 || c == 0xA0 || c == 0x1680 ||
           (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F ||
           c == 0x205F || c == 0x3000;
}

CharClass classify(uint32_t c) noexcept {
    if (isSpace(c)) return CharClass::Space;
    switch (utf8proc_category(static_cast<utf8proc_int32_t>(c))) {
        case UTF8PROC_CATEGORY_LU:
        case UTF8PROC_CATEGORY_LL:
        case UTF8PROC_CATEGORY_LT:
        case UTF8PROC_CATEGORY_LM:
        case UTF8PROC_CATEGORY_LO: return CharClass::Letter;
        case UTF8PROC_CATEGORY_ND:
        case UTF8PROC_CATEGORY_NL:
        case UTF8PROC_CATEGORY_NO: return CharClass::Number;
        default: return CharClass::Other;
    }
}

/// Two bits per code point: 272 KiB instead of a library call per character.
struct ClassTable {
    std::array<uint8_t, kCodePoints / 4> bits{};

    ClassTable() noexcept {
        for (uint32_t c = 0; c < kCodePoints; ++c)
            bits[c / 4] = static_cast<uint8_t>(
                bits[c / 4] | (static_cast<unsigned>(classify(c)) << (2 * (c % 4))));
    }
};

}  // namespace

CharClass charClass(uint32_t codePoint) noexcept {
    static const ClassTable table;
    if (codePoint >= kCodePoints) return CharClass::Other;
    return static_cast<CharClass>((table.bits[codePoint / 4] >> (2 * (codePoint % 4))) & 3);
}

CodePoint decodeUtf8(std::string_view text, size_t pos) noexcept {
    const auto byteAt = [&](size_t i) { return static_cast<uint8_t>(text[i]); };
    const uint8_t lead = byteAt(pos);
    if (lead < 0x80) return {lead, 1, true, false};
    if (lead < 0xC2 || lead > 0xF4) return {kReplacement, 1, false, false};
    const uint32_t length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    // Only the second byte has a narrower range, and only after these four leads: overlong forms,
    // surrogates and values above U+10FFFF.
    uint8_t low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    uint8_t high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    uint32_t value = lead & (0x7Fu >> length);
    for (uint32_t i = 1; i < length; ++i) {
        if (pos + i >= text.size()) return {kReplacement, i, false, true};
        const uint8_t b = byteAt(pos + i);
        if (b < low || b > high) return {kReplacement, i, false, false};
        value = (value << 6) | (b & 0x3Fu);
        low = 0x80;
        high = 0xBF;
    }
    return {value, length, true, false};
}

void appendUtf8(std::string& text, uint32_t c) {
    const auto tail = [&](unsigned shift) {
        text += static_cast<char>(0x80u | ((c >> shift) & 0x3Fu));
    };
    if (c < 0x80) {
        text += static_cast<char>(c);
    } else if (c < 0x800) {
        text += static_cast<char>(0xC0u | (c >> 6));
        tail(0);
    } else if (c < 0x10000) {
        text += static_cast<char>(0xE0u | (c >> 12));
        tail(6);
        tail(0);
    } else {
        text += static_cast<char>(0xF0u | (c >> 18));
        tail(12);
        tail(6);
        tail(0);
    }
}

}  // namespace vitrine::engine
