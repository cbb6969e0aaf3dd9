#pragma once
// What Python's str knows of characters. Thread: pure functions.

#include <cstdint>
#include <string>

namespace vitrine::engine::jinja {

struct Mapped {
    uint32_t to[3];  ///< 0 behind the last
};

Mapped upperOf(uint32_t c) noexcept;
Mapped lowerOf(uint32_t c) noexcept;
Mapped titleOf(uint32_t c) noexcept;
bool isLowerCase(uint32_t c) noexcept;
bool isUpperCase(uint32_t c) noexcept;
bool isTitleCase(uint32_t c) noexcept;
bool isLetter(uint32_t c) noexcept;
bool isDecimal(uint32_t c) noexcept;
bool isDigitCharacter(uint32_t c) noexcept;
bool isNumeric(uint32_t c) noexcept;
/// str.isprintable: repr writes it as it is.
bool isPrintable(uint32_t c) noexcept;
Mapped foldOf(uint32_t c) noexcept;
/// \w of a regular expression.
bool isWordCharacter(uint32_t c) noexcept;
/// Whether final sigma looks through it: case-ignorable.
bool isCaseIgnorable(uint32_t c) noexcept;

/// \xhh, \uhhhh or \Uhhhhhhhh, the shortest that holds c.
std::string numericEscape(uint32_t c);

inline bool isCased(uint32_t c) noexcept {
    return isLowerCase(c) || isUpperCase(c) || isTitleCase(c);
}

}  // namespace vitrine::engine::jinja
