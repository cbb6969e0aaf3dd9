#pragma once
// What the names in `tokenizer.ggml.pre` stand for. Thread: pure functions, any thread.

#include <string_view>
#include <vector>

namespace vitrine::engine {

struct NamedPreTokenizer {
    std::string_view name;
    std::vector<std::string_view> expressions;  ///< each cuts the pieces of the one before
    bool ignoresMerges = false;                 ///< a piece that is in the vocabulary is one token
    bool addsBos = false;                       ///< where the file does not say
};

/// Null for a name that this program does not know. Source: llama.cpp 00ad355,
/// src/llama-vocab.cpp (names, expressions, defaults).
const NamedPreTokenizer* namedPreTokenizer(std::string_view name);

}  // namespace vitrine::engine
