#pragma once
// What a tokenizer file does to text before it is cut: Unicode normal forms, replacements, a space
// in front. Thread: immutable after it is made, any thread.
// Source: huggingface/tokenizers 0.23, src/normalizers.

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/text/regex.h"

namespace vitrine::engine {

/// A text and where its bytes come from.
struct NormalizedText {
    std::string text;
    std::vector<size_t> origins;  ///< [text.size()] byte of the given text, or empty: not asked for
};

enum class NormalForm : uint8_t { Nfc, Nfd, Nfkc, Nfkd };

class Normalizer {
public:
    struct Prepend {
        std::string text;
    };

    struct Replace {
        std::string from, to;  ///< from is not empty
    };

    struct ReplaceExpression {
        Regex from;
        std::string to;
    };

    struct Strip {
        bool left = false, right = false;
    };

    struct Lowercase {};

    using Step = std::variant<NormalForm, Prepend, Replace, ReplaceExpression, Strip, Lowercase>;

    void add(Step step) { steps_.push_back(std::move(step)); }

    bool isIdentity() const { return steps_.empty(); }

    /// Linear, but for sorting the marks of one letter and for expressions. Ill-formed bytes stay.
    /// Never fails.
    NormalizedText apply(std::string_view text, bool withOrigins) const;

private:
    std::vector<Step> steps_;
};

}  // namespace vitrine::engine
