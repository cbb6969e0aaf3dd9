#include "gui/prompt/prompt_text.h"

#include <utility>

#include "gui/models/format.h"

namespace vitrine::gui {
namespace {

/// Walks the special tokens of the reply along its template text. Each of them was found there by
/// the tokenizer in the same order, so looking for the next one's text from where the last ended
/// meets the same places; what the tokenizer added by itself (BOS) is not in the text.
class Specials {
public:
    explicit Specials(const engine::TokensReply& reply) : reply_(reply) {
        if (reply.segments.empty()) return;
        seek();
        if (next_.isEmpty() || reply.segments[0].text.starts_with(reply.pieces[at_].text)) return;
        const bool isAdded = at_ == 0;
        if (!isAdded) return;
        ++at_;
        seek();
    }

    /// Cuts one stretch of template text, `begin` … `end` of `all`.
    void cut(const QString& all, int32_t begin, int32_t end, std::vector<PromptPart>& parts) {
        int32_t from = begin;
        while (!next_.isEmpty()) {
            const auto found =
                static_cast<int32_t>(QStringView(all).mid(from, end - from).indexOf(next_));
            if (found < 0) break;
            add(parts, from, from + found, PromptKind::Template);
            from += found;
            const auto length = static_cast<int32_t>(next_.size());
            add(parts, from, from + length, PromptKind::Special);
            from += length;
            ++at_;
            seek();
        }
        add(parts, from, end, PromptKind::Template);
    }

    static void add(std::vector<PromptPart>& parts, int32_t begin, int32_t end, PromptKind kind) {
        if (begin < end) parts.push_back({begin, end, kind});
    }

private:
    void seek() {
        next_.clear();
        for (; at_ < reply_.pieces.size(); ++at_) {
            const engine::PromptToken& piece = reply_.pieces[at_];
            if (!piece.isControl || !piece.isTemplate || piece.text.empty()) continue;
            next_ = QString::fromStdString(piece.text);
            return;
        }
    }

    const engine::TokensReply& reply_;
    size_t at_ = 0;
    QString next_;
};

}  // namespace

std::shared_ptr<const PromptText> PromptText::make(
    std::shared_ptr<const engine::TokensReply> reply) {
    auto made = std::make_shared<PromptText>();
    made->reply = std::move(reply);
    Specials specials(*made->reply);
    for (const engine::PromptSegment& segment : made->reply->segments) {
        const auto begin = static_cast<int32_t>(made->text.size());
        made->text += QString::fromStdString(segment.text);
        const auto end = static_cast<int32_t>(made->text.size());
        if (segment.isTemplate)
            specials.cut(made->text, begin, end, made->parts);
        else
            Specials::add(made->parts, begin, end, PromptKind::Content);
    }
    for (const engine::PromptToken& piece : made->reply->pieces)
        ++(piece.isTemplate ? made->templateTokens : made->contentTokens);
    return made;
}

PromptKind PromptText::kindOf(size_t piece) const {
    const engine::PromptToken& token = reply->pieces[piece];
    return token.isControl    ? PromptKind::Special
           : token.isTemplate ? PromptKind::Template
                              : PromptKind::Content;
}

QString PromptText::ids(size_t first, size_t last) const {
    QString out = QStringLiteral("[");
    for (size_t i = first; i <= last && i < reply->pieces.size(); ++i) {
        if (i > first) out += QStringLiteral(", ");
        out += QString::number(reply->pieces[i].id.value);
    }
    return out + QLatin1Char(']');
}

QString PromptText::pieces(size_t first, size_t last) const {
    std::string bytes;
    for (size_t i = first; i <= last && i < reply->pieces.size(); ++i)
        bytes += reply->pieces[i].text;
    return pieceFromUtf8(bytes);
}

}  // namespace vitrine::gui
