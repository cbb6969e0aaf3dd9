#include "engine/text/chat_template.h"

#include <optional>
#include <string_view>

#include "engine/io/model_file.h"
#include "engine/text/tokenizer.h"

namespace vitrine::engine {

namespace {

constexpr std::string_view kStart = "<|im_start|>";
constexpr std::string_view kEnd = "<|im_end|>";

/// The text between "<|im_start|>system\n" and "<|im_end|>" when both lie in one piece of constant
/// text.
std::optional<std::string> systemMessageIn(std::string_view constant) {
    constexpr std::string_view kOpening = "<|im_start|>system\n";
    const size_t begin = constant.find(kOpening);
    if (begin == std::string_view::npos) return std::nullopt;
    const size_t from = begin + kOpening.size();
    const size_t end = constant.find(kEnd, from);
    if (end == std::string_view::npos || end == from) return std::nullopt;
    return std::string(constant.substr(from, end - from));
}

/// Jinja's string literal that opens at text[pos] (a quote), unescaped; pos moves behind it.
std::string takeLiteral(std::string_view text, size_t& pos) {
    const char quote = text[pos++];
    std::string literal;
    for (; pos < text.size() && text[pos] != quote; ++pos) {
        if (text[pos] != '\\' || pos + 1 == text.size()) {
            literal += text[pos];
            continue;
        }
        const char escaped = text[++pos];
        literal += escaped == 'n' ? '\n' : escaped == 't' ? '\t' : escaped == 'r' ? '\r' : escaped;
    }
    if (pos < text.size()) ++pos;
    return literal;
}

/// The system message that a template writes when the conversation has none, as constant text of
/// the template: either outside of its tags or as one string literal inside a tag. Empty when
/// there is no such text.
std::string defaultSystemMessage(std::string_view source) {
    size_t pos = 0;
    while (pos < source.size()) {
        size_t open = source.find('{', pos);
        while (open != std::string_view::npos && open + 1 < source.size() &&
               source[open + 1] != '{' && source[open + 1] != '%' && source[open + 1] != '#')
            open = source.find('{', open + 1);
        const std::string_view outside = source.substr(pos, open - pos);
        if (auto message = systemMessageIn(outside)) return *std::move(message);
        if (open == std::string_view::npos || open + 1 >= source.size()) break;
        const char kind = source[open + 1];
        const std::string_view closing = kind == '{' ? "}}" : kind == '%' ? "%}" : "#}";
        pos = open + 2;
        while (pos < source.size() && source.substr(pos, 2) != closing) {
            if (kind == '#' || (source[pos] != '\'' && source[pos] != '"')) {
                ++pos;
                continue;
            }
            if (auto message = systemMessageIn(takeLiteral(source, pos)))
                return *std::move(message);
        }
        pos += 2;
    }
    return {};
}

bool isOneToken(const Tokenizer& tokenizer, std::string_view text) {
    return tokenizer.encode(text, {true, false}).size() == 1;
}

std::string plainName(const std::string& role) {
    return role == "assistant" ? "Assistant" : role == "system" ? "System" : "User";
}

}  // namespace

ChatTemplate ChatTemplate::choose(const ModelFile& file, const Tokenizer& tokenizer) {
    ChatTemplate chosen;
    const std::string* source = file.string("tokenizer.chat_template");
    if (source == nullptr) {
        chosen.notice_ =
            "The model brings no chat template; the conversation is written in a plain form.";
        return chosen;
    }
    // With a separator token between role and content it is another format (Phi-4).
    const bool isChatMl = source->find(kStart) != std::string::npos &&
                          source->find(kEnd) != std::string::npos &&
                          source->find("<|im_sep|>") == std::string::npos;
    if (!isChatMl) {
        chosen.notice_ =
            "The model's chat template is not ChatML, the only one that this version renders; the "
            "conversation is written in a plain form.";
        return chosen;
    }
    if (!isOneToken(tokenizer, kStart) || !isOneToken(tokenizer, kEnd)) {
        chosen.notice_ =
            "The model's chat template is ChatML, but its vocabulary has no <|im_start|> and "
            "<|im_end|>; the conversation is written in a plain form.";
        return chosen;
    }
    chosen.kind_ = Kind::ChatMl;
    chosen.defaultSystem_ = defaultSystemMessage(*source);
    return chosen;
}

Result<std::vector<PromptSegment>> ChatTemplate::render(std::span<const Message> messages,
                                                        bool addGenerationPrompt) const {
    std::vector<PromptSegment> segments;
    std::string pending;  // template text since the last content
    const auto put = [&](const std::string& before, const std::string& content, const char* after) {
        pending += before;
        if (!content.empty()) {
            segments.push_back({std::move(pending), true});
            segments.push_back({content, false});
            pending.clear();
        }
        pending += after;
    };
    if (kind_ == Kind::ChatMl) {
        const std::string start(kStart);
        if (!defaultSystem_.empty() && !messages.empty() && messages[0].role != "system")
            pending = start + "system\n" + defaultSystem_ + "<|im_end|>\n";
        for (const Message& m : messages) put(start + m.role + "\n", m.content, "<|im_end|>\n");
        if (addGenerationPrompt) pending += start + "assistant\n";
    } else {
        for (const Message& m : messages) put(plainName(m.role) + ": ", m.content, "\n");
        if (addGenerationPrompt) pending += "Assistant:";
    }
    if (!pending.empty()) segments.push_back({std::move(pending), true});
    return segments;
}

std::vector<std::string> ChatTemplate::stopTexts() const {
    if (kind_ == Kind::ChatMl) return {};
    return {"\nUser:", "\nSystem:"};
}

EncodedPrompt encodeSegments(std::span<const PromptSegment> segments, const Tokenizer& tokenizer) {
    std::vector<TextRun> runs;
    runs.reserve(segments.size());
    for (const PromptSegment& s : segments) runs.push_back({s.text, s.isTemplate});
    const std::vector<EncodedToken> tokens = tokenizer.encodeRuns(runs);

    EncodedPrompt prompt;
    if (tokenizer.addsBos() && (tokens.empty() || tokens[0].id != tokenizer.bos())) {
        prompt.ids.push_back(tokenizer.bos());
        prompt.isTemplate.push_back(1);
    }
    for (const EncodedToken& token : tokens) {
        prompt.ids.push_back(token.id);
        prompt.isTemplate.push_back(segments[token.run].isTemplate ? 1 : 0);
    }
    return prompt;
}

}  // namespace vitrine::engine
