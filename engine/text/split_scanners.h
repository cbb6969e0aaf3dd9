#pragma once
// Scanners written for the expressions by which common vocabularies split text: one pass, no
// backtracking engine. Thread: pure functions, any thread.

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/text/char_set.h"

namespace vitrine::engine {

/// What makes the expressions of one family differ.
struct SplitScanner {
    enum class Family : uint8_t {
        Gpt2,      ///< ` ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+`
        Llama,     ///< `[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,n}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+`
        CaseWords  ///< Llama with words that break before a capital, as in gpt-4o
    };

    Family family = Family::Gpt2;
    size_t maxNumbers = 1;
    bool contractions = true;      ///< 's 't 're 've 'm 'll 'd
    bool marksAreLetters = false;  ///< Llama: \p{M} counts as a letter

    /// The scanner of exactly this expression; nullopt where there is none.
    static std::optional<SplitScanner> find(std::string_view expression);

    /// All expressions for which there is a scanner.
    static const std::vector<std::pair<std::string_view, SplitScanner>>& known();

    /// Appends pieces of text in order from byte `from` on, where a piece begins, until at least
    /// maxBytes are done; together they are exactly the text. Returns where it stopped. Linear.
    /// Ill-formed UTF-8 counts as a character that is neither letter, number nor space. Never
    /// fails.
    size_t split(std::string_view text, size_t from, size_t maxBytes,
                 std::vector<std::string_view>& pieces) const;
};

}  // namespace vitrine::engine
