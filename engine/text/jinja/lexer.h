#pragma once
// Template source to tokens, white space settled: one newline after a block tag or comment is
// eaten, blanks before a block tag that begins its line are, `-` eats all, `+` keeps all.
// Source: Jinja's documentation, "Whitespace Control", with trim_blocks and lstrip_blocks on as
// chat templates ask for. Thread: pure function.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"

namespace vitrine::engine::jinja {

enum class TokenKind : uint8_t {
    Data,           ///< text between tags
    VariableBegin,  ///< {{
    VariableEnd,
    BlockBegin,  ///< {%
    BlockEnd,
    Name,
    String,  ///< unescaped
    Integer,
    Float,
    Operator,
    End
};

struct Token {
    TokenKind kind = TokenKind::End;
    uint32_t line = 1;
    std::string text;
};

/// Requires: source is well-formed UTF-8. Fails: Format, naming the line.
Result<std::vector<Token>> tokenize(std::string_view source);

/// The error of a template that does not compile.
Error syntaxError(uint32_t line, const std::string& what);

}  // namespace vitrine::engine::jinja
