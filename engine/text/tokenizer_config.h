#pragma once
// What the files beside a tokenizer say about it: `tokenizer_config.json`, `added_tokens.json`,
// `special_tokens_map.json`, `generation_config.json`. Thread: plain values, pure functions.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/text/vocab.h"

namespace vitrine::engine {

/// A token that was added to a vocabulary after it was made.
struct AddedToken {
    int64_t id = -1;
    std::string text;
    bool isSpecial = false, isSingleWord = false, stripsLeft = false, stripsRight = false;
    bool isNormalized = false;
};

struct TokenizerConfig {
    std::optional<bool> addBos, addEos;
    std::string bos, eos, unknown;  ///< texts of tokens; empty: not said
    std::vector<AddedToken> added;  ///< by id, each once
    std::vector<int64_t> endIds;    ///< of tokens that end an answer

    /// Files that are not there say nothing. Fails: Io, Format (naming the file).
    static Result<TokenizerConfig> readBeside(const std::string& tokenizerPath);

    /// Marks `endIds` in a vocabulary; the first becomes eos where there is none. Never fails.
    void markEnds(Vocab& vocab) const;
};

}  // namespace vitrine::engine
