#include "engine/text/chat_template.h"

#include <algorithm>

#include "engine/io/model_file.h"
#include "engine/text/jinja/template.h"
#include "engine/text/tokenizer.h"

namespace vitrine::engine {

namespace {

constexpr const char* kPlainForm = "the conversation is written in a plain form.";

/// The model's own template, or the first that has a name.
const std::string* templateOf(const ModelFile& file) {
    const std::string* source = file.string("tokenizer.chat_template");
    if (source != nullptr) return source;
    const auto* names = file.strings("tokenizer.chat_templates");
    if (names == nullptr) return nullptr;
    for (const std::string& name : *names) {
        source = file.string("tokenizer.chat_template." + name);
        if (source != nullptr) return source;
    }
    return nullptr;
}

std::string pieceOf(const Tokenizer& tokenizer, TokenId id) {
    return id.isValid() ? tokenizer.piece(id, false) : std::string();
}

/// The words that name who speaks are ours; any other role may hold anything.
bool isFixedRole(const std::string& role) {
    return role == "system" || role == "user" || role == "assistant" || role == "tool";
}

std::vector<PromptSegment> plainForm(std::span<const Message> messages, bool addGenerationPrompt) {
    std::vector<PromptSegment> segments;
    std::string pending;  // template text since the last content
    for (const Message& m : messages) {
        pending += m.role == "assistant" ? "Assistant: "
                   : m.role == "system"  ? "System: "
                                         : "User: ";
        if (!m.content.empty()) {
            segments.push_back({std::move(pending), true});
            segments.push_back({m.content, false});
            pending.clear();
        }
        pending += "\n";
    }
    if (addGenerationPrompt) pending += "Assistant:";
    if (!pending.empty()) segments.push_back({std::move(pending), true});
    return segments;
}

}  // namespace

ChatTemplate ChatTemplate::choose(const ModelFile& file, const Tokenizer& tokenizer) {
    ChatTemplate chosen;
    const std::string* source = templateOf(file);
    if (source == nullptr) {
        chosen.notice_ = std::string("The model brings no chat template; ") + kPlainForm;
        return chosen;
    }
    auto compiled = jinja::Template::compile(*source);
    if (!compiled) {
        chosen.notice_ = "The model's chat template cannot be read (" + compiled.error().message +
                         "); " + kPlainForm;
        return chosen;
    }
    chosen.kind_ = Kind::Jinja;
    chosen.template_ = std::make_shared<const jinja::Template>(std::move(*compiled));
    chosen.bos_ = pieceOf(tokenizer, tokenizer.bos());
    chosen.eos_ = pieceOf(tokenizer, tokenizer.eos());
    return chosen;
}

jinja::Value chatContext(std::span<const Message> messages, bool addGenerationPrompt) {
    using jinja::Value;
    std::vector<Value> list;
    list.reserve(messages.size());
    for (const Message& m : messages) {
        Value message = Value::dict();
        jinja::setMember(message, "role", Value::string(m.role, !isFixedRole(m.role)), false);
        jinja::setMember(message, "content", Value::string(m.content, true), false);
        list.push_back(std::move(message));
    }
    Value context = Value::dict();
    jinja::setMember(context, "messages", Value::list(std::move(list)), false);
    jinja::setMember(context, "add_generation_prompt", Value::boolean(addGenerationPrompt), false);
    return context;
}

Result<std::vector<PromptSegment>> ChatTemplate::render(std::span<const Message> messages,
                                                        bool addGenerationPrompt,
                                                        const std::optional<std::tm>& now) const {
    if (kind_ == Kind::Plain) return plainForm(messages, addGenerationPrompt);
    return renderContext(chatContext(messages, addGenerationPrompt), now);
}

Result<std::vector<PromptSegment>> ChatTemplate::renderContext(
    const jinja::Value& context, const std::optional<std::tm>& now) const {
    for (const auto& [name, text] :
         {std::pair("bos_token", &bos_), std::pair("eos_token", &eos_)}) {
        const jinja::Value key = jinja::Value::string(name, false);
        if (!text->empty() && context.asDict().find(key) == nullptr)
            jinja::setMember(context, name, jinja::Value::string(*text, false), false);
    }
    jinja::RenderOptions options;
    options.now = now;
    auto segments = template_->render(context, options);
    if (!segments) {
        Error error = std::move(segments).error();
        error.message =
            "The model's chat template cannot write this conversation: " + error.message;
        return error;
    }
    return segments;
}

std::vector<std::string> ChatTemplate::stopTexts() const {
    if (kind_ == Kind::Jinja) return {};
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
