#pragma once
// Finds control and user-defined tokens in a text before anything else is done with it: leftmost,
// then longest. Thread: immutable after it is made, any thread.

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/ids.h"
#include "engine/text/tokenizer.h"
#include "engine/text/vocab.h"

namespace vitrine::engine {

/// A stretch of the joined text: one special token, or plain text for the vocabulary's own
/// algorithm.
struct Fragment {
    size_t begin = 0, end = 0;  ///< bytes of the joined text
    TokenId special;            ///< invalid: plain text
};

/// A token that is cut out of texts. Source of the flags: huggingface/tokenizers 0.23,
/// tokenizer/added_vocabulary.rs.
struct SpecialToken {
    std::string text;
    TokenId id;
    bool isControl = false;     ///< counts only where special parsing is on
    bool stripsLeft = false;    ///< takes the white space before it
    bool stripsRight = false;   ///< takes the white space after it
    bool isSingleWord = false;  ///< not beside a character of a word
};

class SpecialTokens {
public:
    SpecialTokens() = default;
    explicit SpecialTokens(std::vector<SpecialToken> tokens);

    /// withUserDefined: also the tokens that match whether or not special parsing is on.
    SpecialTokens(const Vocab& vocab, bool withUserDefined);

    /// Linear in the text's length, times the longest special token. parses: [text.size()], 1 where
    /// control tokens count; empty: nowhere. Never fails.
    std::vector<Fragment> cut(std::string_view text, std::span<const uint8_t> parses) const;

    bool isEmpty() const { return entries_.empty(); }

private:
    const SpecialToken* longestAt(std::string_view text, size_t pos,
                                  std::span<const uint8_t> parses) const;

    std::vector<SpecialToken> entries_;  ///< sorted by text, unique
    std::array<bool, 256> starts_{};
};

/// Runs joined to one text.
struct JoinedText {
    explicit JoinedText(std::span<const TextRun> runs);
    JoinedText(const JoinedText&) = delete;
    JoinedText& operator=(const JoinedText&) = delete;

    /// The run that holds byte `pos`; calls must go upwards.
    uint32_t runAt(size_t pos);

    std::string_view text;        ///< the run itself when there is only one
    std::vector<uint8_t> parses;  ///< see SpecialTokens::cut

private:
    std::string owned_;
    std::vector<size_t> ends_;
    uint32_t current_ = 0;
};

}  // namespace vitrine::engine
