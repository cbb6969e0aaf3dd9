#pragma once
// Messages → the prompt text that the model was trained on, by the template that it brings. A model
// without one, or with one that does not compile, gets a visible plain form. Thread: immutable, any
// thread.

#include <cstdint>
#include <ctime>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/base/ids.h"
#include "engine/base/result.h"
#include "engine/text/prompt_segment.h"

namespace vitrine::engine {

class ModelFile;
class Tokenizer;

namespace jinja {
class Template;
class Value;
}  // namespace jinja

struct Message {
    std::string role;  ///< "system", "user", "assistant"
    std::string content;
};

class ChatTemplate {
public:
    enum class Kind { Jinja, Plain };

    /// Takes `tokenizer.chat_template`, or the first of the named ones where that is not there.
    /// Never fails: a template that does not compile becomes Plain, with a reason.
    static ChatTemplate choose(const ModelFile& file, const Tokenizer& tokenizer);

    Kind kind() const { return kind_; }

    /// Empty for Jinja; else the sentence that the window shows.
    const std::string& notice() const { return notice_; }

    /// Renders a conversation; addGenerationPrompt appends the opening of the assistant's turn.
    /// Templates see the time `now`, or the local one. Fails: InvalidArgument (the template refuses
    /// the conversation, or has a mistake), OutOfMemory.
    Result<std::vector<PromptSegment>> render(std::span<const Message> messages,
                                              bool addGenerationPrompt,
                                              const std::optional<std::tm>& now = {}) const;

    /// Renders a context of one's own: a dictionary with `messages` and what else the template
    /// asks for; `bos_token` and `eos_token` are added where it lacks them. Requires: kind() is
    /// Jinja. Fails: as above.
    Result<std::vector<PromptSegment>> renderContext(const jinja::Value& context,
                                                     const std::optional<std::tm>& now) const;

    /// Text at which a plain answer should stop, because the model begins the user's next turn;
    /// empty for Jinja.
    std::vector<std::string> stopTexts() const;

private:
    Kind kind_ = Kind::Plain;
    std::string notice_;
    std::shared_ptr<const jinja::Template> template_;  ///< null for Plain
    std::string bos_, eos_;                            ///< texts of tokens; empty: none
};

/// What a template is given for a conversation: `messages` and `add_generation_prompt`. Never
/// fails.
jinja::Value chatContext(std::span<const Message> messages, bool addGenerationPrompt);

struct EncodedPrompt {
    std::vector<TokenId> ids;
    std::vector<uint8_t> isTemplate;  ///< [ids.size()], 1 where the token came from the template
};

/// Encodes rendered segments: template text with special tokens recognised, content without. BOS is
/// added once, where the tokenizer asks for it and the text does not begin with it already. Never
/// fails.
EncodedPrompt encodeSegments(std::span<const PromptSegment> segments, const Tokenizer& tokenizer);

}  // namespace vitrine::engine
