#include <nlohmann/json.hpp>

#include "engine/cli/command.h"
#include "engine/cli/generation_options.h"
#include "engine/cli/json_lines.h"
#include "engine/cli/model_options.h"
#include "engine/cli/output.h"

namespace vitrine::engine::cli {

namespace {

std::vector<OptionSpec> options() {
    return {
        {"-m", "--model", "FILE", "the model whose chat template is used"},
        {"--template", nullptr, "FILE", "a Jinja template instead (not yet)"},
        {"-p", "--prompt", "TEXT", "what the user says"},
        {"-s", "--system", "TEXT", "system message"},
        {"--now", nullptr, "TIME", "the clock that templates see (2026-11-30T12:34:56)"},
        {"--json", nullptr, nullptr, "print JSON (it always does)"},
        {"--jsonl", nullptr, nullptr,
         "one request a line: {\"messages\":[…],\"add_generation_prompt\":true}"},
    };
}

Result<std::string> renderJson(const ChatTemplate& chatTemplate,
                               const std::vector<Message>& messages, bool addGenerationPrompt) {
    const auto segments = chatTemplate.render(messages, addGenerationPrompt);
    if (!segments) return segments.error();
    std::string text;
    for (const PromptSegment& segment : *segments) text += segment.text;
    return nlohmann::json{{"text", text}}.dump(-1, ' ', false,
                                               nlohmann::json::error_handler_t::replace);
}

Result<std::string> renderLine(JsonLine& line, const ChatTemplate& chatTemplate) {
    if (line.has("template") || line.has("tools"))
        return makeError(Errc::Unsupported,
                         "not yet: templates of one's own and tools; leave out \"template\" and "
                         "\"tools\"");
    const std::vector<Message> messages = line.messages("messages");
    if (!line.has("messages")) line.reject("the line has no \"messages\"");
    const bool addGenerationPrompt = line.boolean("add_generation_prompt", false);
    if (line.error()) return *line.error();
    return renderJson(chatTemplate, messages, addGenerationPrompt);
}

int run(Arguments& arguments) {
    const std::string path = arguments.text("-m", "");
    const bool asLines = arguments.has("--jsonl");
    if (arguments.has("--template")) return failNotYet("render --template; -m is there");
    if (path.empty()) arguments.reject("no model: give one with -m FILE");
    if (!asLines && !arguments.has("-p")) arguments.reject("give a message with -p TEXT");
    if (!arguments.ok()) return failUsage(arguments.error());
    const Result<std::unique_ptr<ModelFile>> file = openModelFile(path);
    if (!file) return fail(file.error());
    const Result<std::unique_ptr<Tokenizer>> tokenizer = makeTokenizer(**file);
    if (!tokenizer) return fail(tokenizer.error());
    const ChatTemplate chatTemplate = ChatTemplate::choose(**file, **tokenizer);
    if (!chatTemplate.notice().empty()) note(chatTemplate.notice());
    if (asLines)
        return forEachJsonLine([&](JsonLine& line) { return renderLine(line, chatTemplate); });
    const auto json = renderJson(
        chatTemplate, messagesFor(arguments.text("-s", ""), arguments.text("-p", "")), true);
    if (!json) return fail(json.error());
    printLine(*json);
    return kExitOk;
}

}  // namespace

extern const CommandSpec renderSpec;
const CommandSpec renderSpec{"render", "messages to the prompt text",
                             "Prints {\"text\":\"…\"}. With -p the opening of the assistant's turn "
                             "is added; in a line it is "
                             "added where \"add_generation_prompt\" is true.",
                             options, run};

}  // namespace vitrine::engine::cli
