#pragma once
// UTF-8 one code point at a time, and the three character classes that pre-tokenizers ask for.
// Thread: pure functions over a table that is built once, any thread.

#include <cstdint>
#include <string>
#include <string_view>

namespace vitrine::engine {

struct CodePoint {
    uint32_t value = 0;    ///< U+FFFD when ill-formed
    uint32_t nBytes = 0;   ///< bytes consumed; an ill-formed maximal part counts as one unit
    bool isValid = false;  ///< well-formed
    bool isCut = false;    ///< ill-formed only because the text ends inside it
};

/// The code point at text[pos], with ill-formed input taken in maximal subparts. Requires: pos <
/// text.size(). Never fails. Source: The Unicode Standard 15.0, table 3-7 and section 3.9.
CodePoint decodeUtf8(std::string_view text, size_t pos) noexcept;

/// Appends a code point. Requires: below U+110000.
void appendUtf8(std::string& text, uint32_t codePoint);

/// \p{L}, \p{N} and \s of the regular expressions in which vocabularies state their splits; \s is
/// White_Space.
enum class CharClass : uint8_t { Other, Letter, Number, Space };

/// Never fails; values above U+10FFFF are Other.
CharClass charClass(uint32_t codePoint) noexcept;

}  // namespace vitrine::engine
