#pragma once
// Colours code by a small lexer: comments, strings, numbers, keywords, names that are called. One
// table line per language; unknown languages get strings and numbers only. Thread: pure functions.

#include <vector>

#include <QString>
#include <QStringList>

namespace vitrine::gui {

enum class CodeToken : uint8_t { Comment, String, Number, Keyword, Function, Markup };

struct CodeRange {
    int32_t start = 0, length = 0;
    CodeToken token = CodeToken::Comment;
};

/// One list of ranges per line; linear in the code's length. Never fails.
std::vector<std::vector<CodeRange>> highlightCode(const QString& language,
                                                  const QStringList& lines);

}  // namespace vitrine::gui
