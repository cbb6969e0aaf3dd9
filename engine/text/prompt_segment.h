#pragma once
// A stretch of a rendered prompt. Thread: plain values.

#include <string>

namespace vitrine::engine {

/// Template text may hold special tokens and is encoded with parseSpecial; text that came from
/// messages is not, so that a user cannot forge a turn by typing "<|im_start|>".
struct PromptSegment {
    std::string text;
    bool isTemplate = false;
};

}  // namespace vitrine::engine
