#pragma once
// Messages → the prompt text that the model was trained on. ChatML is rendered natively; any other
// template falls back to a visible plain form. Thread: immutable, any thread.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/base/ids.h"
#include "engine/base/result.h"

namespace vitrine::engine {

class ModelFile;
class Tokenizer;

struct Message {
    std::string role;  ///< "system", "user", "assistant"
    std::string content;
};

/// A stretch of rendered text. Template text may hold special tokens and is encoded with
/// parseSpecial; message content is not, so that a user cannot forge a turn by typing
/// "<|im_start|>".
struct PromptSegment {
    std::string text;
    bool isTemplate = false;
};

class ChatTemplate {
public:
    enum class Kind { ChatMl, Plain };

    /// Looks at `tokenizer.chat_template` and the vocabulary. Never fails: what it does not know
    /// becomes Plain, with a reason.
    static ChatTemplate choose(const ModelFile& file, const Tokenizer& tokenizer);

    Kind kind() const { return kind_; }

    /// Empty for ChatML; else the sentence that the window shows ("the model's template is not
    /// ChatML …: a plain form is used").
    const std::string& notice() const { return notice_; }

    /// Renders a conversation; addGenerationPrompt appends the opening of the assistant's turn.
    /// With ChatML a default system message is put first where the model's own template has one and
    /// the conversation does not. Fails: InvalidArgument (the template refuses the conversation).
    Result<std::vector<PromptSegment>> render(std::span<const Message> messages,
                                              bool addGenerationPrompt) const;

    /// Text at which a plain answer should stop, because the model begins the user's next turn;
    /// empty for ChatML.
    std::vector<std::string> stopTexts() const;

private:
    Kind kind_ = Kind::Plain;
    std::string notice_;
    std::string defaultSystem_;
};

struct EncodedPrompt {
    std::vector<TokenId> ids;
    std::vector<uint8_t> isTemplate;  ///< [ids.size()], 1 where the token came from the template
};

/// Encodes rendered segments: template text with special tokens recognised, content without. BOS is
/// added once, where the tokenizer asks for it and the text does not begin with it already. Never
/// fails.
EncodedPrompt encodeSegments(std::span<const PromptSegment> segments, const Tokenizer& tokenizer);

}  // namespace vitrine::engine
