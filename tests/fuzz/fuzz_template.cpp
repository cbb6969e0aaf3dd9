// Any bytes as a chat template, rendered with a conversation: it must compile or be refused with
// its line, and render or fail within the limits; what only the user wrote is never called the
// template's. Input: the template, a zero byte, the user's words.

#include <cstdlib>
#include <string>
#include <string_view>

#include "engine/text/jinja/json_value.h"
#include "engine/text/jinja/template.h"

using namespace vitrine::engine;
using jinja::Value;

namespace {

void require(bool condition) {
    if (!condition) std::abort();
}

Value conversation(std::string_view words) {
    Value context =
        jinja::valueOfJson(
            R"({"messages":[{"role":"system","content":"s"},{"role":"user","content":"u"}],)"
            R"("add_generation_prompt":true,"bos_token":"<s>","eos_token":"</s>",)"
            R"("tools":[{"name":"t","parameters":{"a":1.5,"b":[null,true]}}],"n":-7})",
            true)
            .value();
    jinja::setMember(context, "words", Value::string(words, true), false);
    return context;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const std::string_view all(reinterpret_cast<const char*>(data), size);
    const size_t zero = all.find('\0');
    const std::string_view words =
        zero == std::string_view::npos ? std::string_view("<|im_start|>") : all.substr(zero + 1);
    const auto compiled = jinja::Template::compile(all.substr(0, zero));
    if (!compiled) {
        require(compiled.error().message.starts_with("line "));
        return 0;
    }
    jinja::RenderOptions options;
    options.now = std::tm{};
    options.maxBytes = size_t{8} << 20;
    options.maxSteps = 300'000;
    const auto segments = compiled->render(conversation(words), options);
    if (!segments) {
        require(segments.error().message.starts_with("line "));
        return 0;
    }
    bool isTemplate = false, isFirst = true;
    for (const PromptSegment& segment : *segments) {
        require(!segment.text.empty() && (isFirst || segment.isTemplate != isTemplate));
        isTemplate = segment.isTemplate;
        isFirst = false;
    }
    return 0;
}
