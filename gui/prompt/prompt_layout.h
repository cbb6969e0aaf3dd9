#pragma once
// A prompt laid out in lines for a width, as text (a cell is a word, a gap or a special token) or
// as tokens (a cell is a token). Made in slices, so that a prompt of any length takes no event
// longer than the slice. Thread: GUI thread.

#include <vector>

#include <QFont>
#include <QHash>

#include "gui/prompt/prompt_text.h"

namespace vitrine::gui {

struct PromptCell {
    float x = 0, width = 0;
    int32_t begin = 0, length = 0;  ///< in the text; as tokens: index of the piece, 1
    PromptKind kind = PromptKind::Template;
};

class PromptLayout {
public:
    PromptLayout(PromptTextPtr prompt, bool isTokens, bool showsSpaces, int width,
                 const QFont& font);

    /// Goes on for about `budgetNs`. True = all is laid out.
    bool advance(int64_t budgetNs);

    const PromptText& prompt() const { return *prompt_; }

    bool isTokens() const { return isTokens_; }

    const std::vector<PromptCell>& cells() const { return cells_; }

    int lineCount() const { return static_cast<int>(firstOfLine_.size()); }

    /// One past the last cell of a line; firstOf() of lineCount() is the same for the last.
    int32_t firstOf(int line) const;
    int lineOf(int32_t cell) const;

    /// What a cell says; spaces made visible where that is wanted (as text: not here, the painter
    /// puts marks).
    QString label(int32_t cell) const;
    /// A cell's own text.
    QString text(int32_t cell) const;
    /// Text of the cells first … last.
    QString textOf(int32_t first, int32_t last) const;

private:
    bool addWord();
    bool addToken();
    void place(PromptCell cell, bool mayHang);
    QString tokenLabel(size_t piece) const;
    float measure(QStringView text);

    PromptTextPtr prompt_;
    bool isTokens_, showsSpaces_, isDone_ = false, breaks_ = false;
    float right_, space_;
    QFontMetricsF metrics_;
    QHash<char16_t, float> advances_;
    std::vector<PromptCell> cells_;
    std::vector<int32_t> firstOfLine_;  ///< [line]
    size_t part_ = 0;                   ///< as text: the part that is being cut
    int32_t at_ = 0;                    ///< as text: place in it; as tokens: next piece
    float x_ = 0;
};

}  // namespace vitrine::gui
