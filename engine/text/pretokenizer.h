#pragma once
// Cuts text into the pieces inside which a vocabulary may merge: the steps that a tokenizer file
// lists, or those that `tokenizer.ggml.pre` names. Scanners of our own do the expressions that
// common vocabularies use, PCRE2 the others. Thread: immutable after it is made, any thread.

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/base/result.h"
#include "engine/text/char_set.h"
#include "engine/text/regex.h"
#include "engine/text/split_scanners.h"

namespace vitrine::engine {

/// One cut of a text. Source: huggingface/tokenizers 0.23, pre_tokenizers/split.rs and
/// tokenizer/normalizer.rs (SplitDelimiterBehavior).
class Split {
public:
    /// What becomes of the matches.
    enum class Behavior : uint8_t { Isolated, Removed, WithPrevious, WithNext, Contiguous };

    /// Takes a scanner of our own where there is one. Fails: Unsupported (see Regex::compile).
    static Result<Split> byExpression(std::string_view expression,
                                      Behavior behavior = Behavior::Isolated,
                                      bool isInverted = false);
    /// Requires: text is not empty.
    static Split byText(std::string text, Behavior behavior, bool isInverted);
    static Split byCharacters(CharSet set, Behavior behavior);

    /// Appends pieces of text in order, none of them empty, from byte `from` on, where one begins,
    /// and returns where it stopped: behind maxBytes or more, or at the end. Never fails.
    size_t split(std::string_view text, size_t from, size_t maxBytes,
                 std::vector<std::string_view>& pieces) const;

private:
    using Matcher = std::variant<SplitScanner, RunPattern, Regex, std::string>;

    explicit Split(Matcher matcher) : matcher_(std::move(matcher)) {}

    Matcher matcher_;
    Behavior behavior_ = Behavior::Isolated;
    bool isInverted_ = false;
};

/// A piece of text on its way through the steps.
struct Piece {
    std::string_view text;
    size_t origin = 0;    ///< where it begins in the text that was cut
    bool isExact = true;  ///< byte k of it is byte origin + k of that text
};

/// Pieces and the texts that steps changed. One owner.
struct PieceBuffer {
    std::vector<Piece> pieces, before;
    std::vector<std::string_view> cuts;
    std::deque<std::string> changed;

    void clear() {
        pieces.clear();
        before.clear();
        changed.clear();
    }
};

class PreTokenizer {
public:
    /// A space before each piece that does not begin with one.
    struct AddSpace {};

    /// Bytes become GPT-2's characters: the vocabulary is one of bytes.
    struct ByteLevel {};

    /// Spaces become a visible character, which begins each word.
    struct Metaspace {
        enum class Prepend : uint8_t { Never, First, Always };

        std::string space = "\xE2\x96\x81";
        Prepend prepend = Prepend::Always;
        bool splits = true;
    };

    using Step = std::variant<Split, AddSpace, ByteLevel, Metaspace>;

    /// By the name in `tokenizer.ggml.pre`; nullopt for a name that this program does not know.
    static std::optional<PreTokenizer> byName(std::string_view name);

    void add(Step step) { steps_.push_back(std::move(step)); }

    bool hasByteLevel() const;

    /// The pieces of text from byte `from` on; returns where it stopped, which is before the end
    /// where a long text can be taken in parts. Call until that is the end. isStart: nothing comes
    /// before the text. Pieces hold bytes, not GPT-2's characters, where hasByteLevel(). Linear but
    /// for expressions that PCRE2 matches. Never fails.
    size_t split(std::string_view text, size_t from, bool isStart, PieceBuffer& buffer) const;

private:
    void apply(const Metaspace& step, bool isStart, PieceBuffer& buffer) const;

    std::vector<Step> steps_;
};

}  // namespace vitrine::engine
