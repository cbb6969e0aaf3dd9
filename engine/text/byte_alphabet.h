#pragma once
// The printable characters as which byte-level vocabularies write bytes. Thread: pure functions.
// Source: openai/gpt-2, encoder.py, bytes_to_unicode.

#include <optional>
#include <string>
#include <string_view>

namespace vitrine::engine {

/// nullopt when a character of the text stands for no byte.
std::optional<std::string> bytesOfAlphabet(std::string_view text);

/// One character for each byte. Never fails.
std::string alphabetOfBytes(std::string_view bytes);

}  // namespace vitrine::engine
