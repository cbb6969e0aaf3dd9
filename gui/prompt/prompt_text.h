#pragma once
// A rendered prompt ready to be shown: its text cut where template text, message content and
// special tokens meet, and its figures. Thread: plain values; make() runs on the GUI thread in time
// proportional to the text, about 1 ms for 30,000 tokens.

#include <cstdint>
#include <memory>
#include <vector>

#include <QString>

#include "engine/runtime/messages.h"

namespace vitrine::gui {

enum class PromptKind : uint8_t { Template, Content, Special };

struct PromptPart {
    int32_t begin = 0, end = 0;  ///< in PromptText::text
    PromptKind kind = PromptKind::Template;
};

struct PromptText {
    std::shared_ptr<const engine::TokensReply> reply;  ///< never null
    QString text;                                      ///< as the template wrote it
    std::vector<PromptPart> parts;                     ///< cover `text`, none is empty
    int32_t templateTokens = 0, contentTokens = 0;

    /// Never fails; bytes that are no UTF-8 become U+FFFD.
    static std::shared_ptr<const PromptText> make(std::shared_ptr<const engine::TokensReply> reply);

    PromptKind kindOf(size_t piece) const;
    /// "[1, 2, 3]" of pieces first … last.
    QString ids(size_t first, size_t last) const;
    /// Text of pieces first … last.
    QString pieces(size_t first, size_t last) const;
};

using PromptTextPtr = std::shared_ptr<const PromptText>;

}  // namespace vitrine::gui
