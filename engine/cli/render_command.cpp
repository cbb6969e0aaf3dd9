#include <ctime>
#include <nlohmann/json.hpp>
#include <optional>

#include "engine/cli/command.h"
#include "engine/cli/generation_options.h"
#include "engine/cli/input.h"
#include "engine/cli/json_lines.h"
#include "engine/cli/model_options.h"
#include "engine/cli/output.h"
#include "engine/text/jinja/json_value.h"
#include "engine/text/jinja/template.h"

namespace vitrine::engine::cli {

namespace {

std::vector<OptionSpec> options() {
    return {
        {"-m", "--model", "FILE", "the model whose chat template is used"},
        {"--template", nullptr, "FILE", "a Jinja template instead"},
        {"-p", "--prompt", "TEXT", "what the user says"},
        {"-s", "--system", "TEXT", "system message"},
        {"--now", nullptr, "TIME", "the clock that templates see (2026-11-30T12:34:56)"},
        {"--json", nullptr, nullptr, "print JSON (it always does)"},
        {"--jsonl", nullptr, nullptr,
         "one request a line: {\"messages\":[…],\"add_generation_prompt\":true}"},
    };
}

/// What one call renders with. A template beside the model's is given no special tokens.
struct Source {
    std::optional<ChatTemplate> model;
    std::optional<jinja::Template> own;
    std::optional<std::tm> now;
};

Result<std::string> textJson(const Result<std::vector<PromptSegment>>& segments) {
    if (!segments) return segments.error();
    std::string text;
    for (const PromptSegment& segment : *segments) text += segment.text;
    return nlohmann::json{{"text", text}}.dump(-1, ' ', false,
                                               nlohmann::json::error_handler_t::replace);
}

/// own: the template beside the model's; null = the model's.
Result<std::vector<PromptSegment>> renderWith(const Source& source, const jinja::Template* own,
                                              const jinja::Value& context) {
    if (own != nullptr) {
        jinja::RenderOptions options;
        options.now = source.now;
        return own->render(context, options);
    }
    if (source.model && source.model->kind() == ChatTemplate::Kind::Jinja)
        return source.model->renderContext(context, source.now);
    return makeError(Errc::InvalidArgument,
                     "there is no template: give one with -m, --template or \"template\"");
}

/// Every member of the line but "template" is a variable of the template.
Result<std::string> renderLine(JsonLine& line, const Source& source) {
    const std::optional<std::string> inLine = line.text("template");
    if (!line.has("template") && !source.own && source.model &&
        source.model->kind() == ChatTemplate::Kind::Plain) {
        const std::vector<Message> messages = line.messages("messages");
        const bool addGenerationPrompt = line.boolean("add_generation_prompt", false);
        if (line.error()) return *line.error();
        return textJson(source.model->render(messages, addGenerationPrompt));
    }
    if (line.error()) return *line.error();
    auto context = jinja::valueOfJson(line.source(), true);
    if (!context) return context.error();
    context->asDict().erase(jinja::Value::string("template", false));
    if (!inLine) return textJson(renderWith(source, source.own ? &*source.own : nullptr, *context));
    const auto compiled = jinja::Template::compile(*inLine);
    if (!compiled) return compiled.error();
    return textJson(renderWith(source, &*compiled, *context));
}

/// Requires: a model or a template of one's own.
Result<std::string> renderPrompt(const Source& source, const std::vector<Message>& messages) {
    if (!source.own) return textJson(source.model->render(messages, true, source.now));
    return textJson(renderWith(source, &*source.own, chatContext(messages, true)));
}

/// Fails: InvalidArgument.
Result<std::tm> parseTime(const std::string& text) {
    std::tm time{};
    const char* end = ::strptime(text.c_str(), "%Y-%m-%dT%H:%M:%S", &time);
    if (end == nullptr || *end != '\0')
        return makeError(Errc::InvalidArgument,
                         "--now must be a time as 2026-11-30T12:34:56, not " + text);
    time.tm_isdst = 0;
    return time;
}

Result<Source> readSource(Arguments& arguments) {
    Source source;
    if (const std::string path = arguments.text("--template", ""); !path.empty()) {
        const Result<std::string> text = readTextFile(path);
        if (!text) return text.error();
        auto compiled = jinja::Template::compile(*text);
        if (!compiled) return std::move(compiled).error();
        source.own = std::move(*compiled);
    }
    if (const std::string path = arguments.text("-m", ""); !path.empty()) {
        const Result<std::unique_ptr<ModelFile>> file = openModelFile(path);
        if (!file) return file.error();
        const Result<std::unique_ptr<Tokenizer>> tokenizer = makeTokenizer(**file);
        if (!tokenizer) return tokenizer.error();
        source.model = ChatTemplate::choose(**file, **tokenizer);
        if (!source.model->notice().empty()) note(source.model->notice());
    }
    return source;
}

int run(Arguments& arguments) {
    const bool asLines = arguments.has("--jsonl");
    const std::string now = arguments.text("--now", "");
    if (!asLines && !arguments.has("-m") && !arguments.has("--template"))
        arguments.reject("no template: give a model with -m FILE or --template FILE");
    if (!asLines && !arguments.has("-p")) arguments.reject("give a message with -p TEXT");
    std::optional<std::tm> clock;
    if (!now.empty()) {
        const Result<std::tm> time = parseTime(now);
        if (time)
            clock = *time;
        else
            arguments.reject(time.error().message);
    }
    if (!arguments.ok()) return failUsage(arguments.error());
    Result<Source> source = readSource(arguments);
    if (!source) return fail(source.error());
    source->now = clock;
    if (asLines) return forEachJsonLine([&](JsonLine& line) { return renderLine(line, *source); });
    const auto json =
        renderPrompt(*source, messagesFor(arguments.text("-s", ""), arguments.text("-p", "")));
    if (!json) return fail(json.error());
    printLine(*json);
    return kExitOk;
}

}  // namespace

extern const CommandSpec renderSpec;
const CommandSpec renderSpec{"render", "messages to the prompt text",
                             "Prints {\"text\":\"…\"}. With -p the opening of the assistant's turn "
                             "is added; in a line it is added where \"add_generation_prompt\" is "
                             "true. With \"template\" in a line that one is used; all other "
                             "members are its variables.",
                             options, run};

}  // namespace vitrine::engine::cli
