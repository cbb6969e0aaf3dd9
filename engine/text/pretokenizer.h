#pragma once
// Cuts text into the pieces inside which byte-level BPE may merge. Each vocabulary states its cut
// as a regular expression; these are scanners written for them, because a backtracking regex engine
// recurses per character and overflows the stack on long runs. Thread: pure functions, any thread.

#include <optional>
#include <string_view>
#include <vector>

namespace vitrine::engine {

enum class PreTokenizer {
    Gpt2,      ///< letters, numbers, others, each with an optional space before; lower-case 's …
    SmolLm,    ///< every number character alone, then Gpt2 on what is between
    LlamaBpe,  ///< numbers in threes, newlines kept together, contractions of either case
    Qwen2      ///< LlamaBpe with single numbers
};

/// By the name in `tokenizer.ggml.pre`; nullopt for a name that this program does not know. Source:
/// llama.cpp 82bb485, src/llama-vocab.cpp (names and expressions).
std::optional<PreTokenizer> preTokenizerByName(std::string_view name);

/// Appends the pieces of text in order; together they are exactly text. Linear in its length.
/// Ill-formed UTF-8 counts as a character that is neither letter, number nor space. Never fails.
void splitPieces(PreTokenizer kind, std::string_view text, std::vector<std::string_view>& pieces);

}  // namespace vitrine::engine
