#pragma once
// Regular expressions of tokenizer files that no scanner of ours knows, through PCRE2 with limits:
// no expression and no text makes it hang or grow. Thread: immutable after it is made, any thread.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/text/char_set.h"

namespace vitrine::engine {

class Regex {
public:
    /// expression: as tokenizer.json states it (Oniguruma, Ruby's syntax), where `\s` is
    /// White_Space. Fails: Unsupported (what PCRE2 does not know or means otherwise), OutOfMemory.
    static Result<Regex> compile(std::string_view expression);

    /// Appends all matches in order, empty ones too; an ill-formed part counts as a control
    /// character. A text on which the expression exceeds its limits is not matched beyond that
    /// place. Never fails.
    void findAll(std::string_view text, std::vector<TextRange>& matches) const;

    const std::string& expression() const { return expression_; }

private:
    Regex() = default;

    std::string expression_;
    std::shared_ptr<void> code_;  ///< pcre2_code
};

}  // namespace vitrine::engine
