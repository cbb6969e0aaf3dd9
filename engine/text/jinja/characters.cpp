#include "engine/text/jinja/characters.h"

#include <algorithm>
#include <cstdio>
#include <span>
#include <utf8proc.h>

#include "engine/text/jinja/case_tables.h"
#include "engine/text/jinja/renderer.h"
#include "engine/text/unicode.h"

namespace vitrine::engine::jinja {

namespace {

bool isIn(std::span<const Range> ranges, uint32_t c) {
    const auto it = std::partition_point(ranges.begin(), ranges.end(),
                                         [&](const Range& r) { return r.last < c; });
    return it != ranges.end() && it->first <= c;
}

const Special* find(std::span<const Special> table, uint32_t c) {
    const auto it = std::partition_point(table.begin(), table.end(),
                                         [&](const Special& s) { return s.from < c; });
    return it != table.end() && it->from == c ? &*it : nullptr;
}

utf8proc_category_t categoryOf(uint32_t c) {
    return utf8proc_category(static_cast<utf8proc_int32_t>(c));
}

Mapped mapped(std::span<const Special> table, uint32_t c,
              utf8proc_int32_t (*simple)(utf8proc_int32_t)) {
    if (const Special* s = find(table, c)) return {{s->to[0], s->to[1], s->to[2]}};
    return {{static_cast<uint32_t>(simple(static_cast<utf8proc_int32_t>(c))), 0, 0}};
}

void append(Builder& out, const Mapped& to, bool isInput) {
    std::string text;
    for (const uint32_t c : to.to)
        if (c != 0) appendUtf8(text, c);
    out.append(text, isInput);
}

/// Sigma at the end of a word has a form of its own. Source: The Unicode Standard, section 3.13.
bool isFinalSigma(const std::string& bytes, size_t from, size_t pos, size_t to) {
    size_t before = pos;
    bool isBehindCased = false;
    while (before > from) {
        do --before;
        while (before > from && (static_cast<uint8_t>(bytes[before]) & 0xC0u) == 0x80u);
        const uint32_t c = decodeUtf8(bytes, before).value;
        if (isCaseIgnorable(c)) continue;
        isBehindCased = isCased(c);
        break;
    }
    if (!isBehindCased) return false;
    for (size_t behind = pos + 2; behind < to;) {
        const CodePoint c = decodeUtf8(bytes, behind);
        if (!isCaseIgnorable(c.value)) return !isCased(c.value);
        behind += c.nBytes;
    }
    return true;
}

}  // namespace

Mapped upperOf(uint32_t c) noexcept {
    return mapped(kUpper, c, utf8proc_toupper);
}

Mapped titleOf(uint32_t c) noexcept {
    return mapped(kTitle, c, utf8proc_totitle);
}

Mapped lowerOf(uint32_t c) noexcept {
    if (c == 0x130) return {{0x69, 0x307, 0}};
    return {{static_cast<uint32_t>(utf8proc_tolower(static_cast<utf8proc_int32_t>(c))), 0, 0}};
}

bool isLowerCase(uint32_t c) noexcept {
    return categoryOf(c) == UTF8PROC_CATEGORY_LL || isIn(kLower, c);
}

bool isUpperCase(uint32_t c) noexcept {
    return categoryOf(c) == UTF8PROC_CATEGORY_LU || isIn(kUpperRanges, c);
}

bool isTitleCase(uint32_t c) noexcept {
    return categoryOf(c) == UTF8PROC_CATEGORY_LT;
}

bool isLetter(uint32_t c) noexcept {
    return charClass(c) == CharClass::Letter;
}

bool isDecimal(uint32_t c) noexcept {
    return categoryOf(c) == UTF8PROC_CATEGORY_ND;
}

bool isDigitCharacter(uint32_t c) noexcept {
    return isDecimal(c) || isIn(kDigits, c);
}

bool isNumeric(uint32_t c) noexcept {
    return charClass(c) == CharClass::Number || isIn(kNumerals, c);
}

bool isWordCharacter(uint32_t c) noexcept {
    return c == '_' || isLetter(c) || isNumeric(c);
}

bool isPrintable(uint32_t c) noexcept {
    if (c < 0x7F) return c >= 0x20;
    switch (categoryOf(c)) {
        case UTF8PROC_CATEGORY_CC:
        case UTF8PROC_CATEGORY_CF:
        case UTF8PROC_CATEGORY_CS:
        case UTF8PROC_CATEGORY_CO:
        case UTF8PROC_CATEGORY_CN:
        case UTF8PROC_CATEGORY_ZL:
        case UTF8PROC_CATEGORY_ZP:
        case UTF8PROC_CATEGORY_ZS: return false;
        default: return true;
    }
}

Mapped foldOf(uint32_t c) noexcept {
    utf8proc_int32_t to[4] = {};
    int boundary = UTF8PROC_BOUNDCLASS_START;
    const auto n = utf8proc_decompose_char(static_cast<utf8proc_int32_t>(c), to, 4,
                                           UTF8PROC_CASEFOLD, &boundary);
    if (n < 1 || n > 3) return {{c, 0, 0}};
    return {
        {static_cast<uint32_t>(to[0]), static_cast<uint32_t>(to[1]), static_cast<uint32_t>(to[2])}};
}

bool isCaseIgnorable(uint32_t c) noexcept {
    if (c == '\'' || c == '.' || c == ':' || c == 0xB7 || c == 0x2019) return true;
    switch (categoryOf(c)) {
        case UTF8PROC_CATEGORY_MN:
        case UTF8PROC_CATEGORY_ME:
        case UTF8PROC_CATEGORY_CF:
        case UTF8PROC_CATEGORY_LM:
        case UTF8PROC_CATEGORY_SK: return true;
        default: return false;
    }
}

std::string numericEscape(uint32_t c) {
    char code[12];
    std::snprintf(code, sizeof code,
                  c < 0x100     ? "\\x%02x"
                  : c < 0x10000 ? "\\u%04x"
                                : "\\U%08x",
                  c);
    return code;
}

void writeCased(Builder& out, const Text& text, size_t from, size_t to, Case wanted) {
    const std::string& bytes = text.bytes();
    bool isFirst = true, isBehindCased = false;
    for (size_t pos = from; pos < to && !out.failed();) {
        const CodePoint c = decodeUtf8(bytes, pos);
        Case one = wanted;
        if (wanted == Case::Capitalize) one = isFirst ? Case::Title : Case::Lower;
        if (wanted == Case::Title) one = isBehindCased ? Case::Lower : Case::Title;
        if (wanted == Case::Swap)
            one = isUpperCase(c.value)   ? Case::Lower
                  : isLowerCase(c.value) ? Case::Upper
                                         : Case::Capitalize;
        Mapped result{{c.value, 0, 0}};
        if (one == Case::Fold) result = foldOf(c.value);
        if (one == Case::Upper) result = upperOf(c.value);
        if (one == Case::Title) result = titleOf(c.value);
        if (one == Case::Lower) {
            result = lowerOf(c.value);
            if (c.value == 0x3A3 && isFinalSigma(bytes, from, pos, to)) result.to[0] = 0x3C2;
        }
        append(out, result, text.isInputAt(pos));
        isBehindCased = isCased(c.value);
        isFirst = false;
        pos += c.nBytes;
    }
}

}  // namespace vitrine::engine::jinja
