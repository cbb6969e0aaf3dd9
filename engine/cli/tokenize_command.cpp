#include <nlohmann/json.hpp>

#include "engine/cli/command.h"
#include "engine/cli/input.h"
#include "engine/cli/json_lines.h"
#include "engine/cli/model_options.h"
#include "engine/cli/output.h"

namespace vitrine::engine::cli {

namespace {

std::vector<OptionSpec> options() {
    return {
        {"-m", "--model", "FILE", "the model whose tokenizer is used"},
        {"--tokenizer", nullptr, "FILE", "a tokenizer.model or tokenizer.json instead"},
        {"-p", "--prompt", "TEXT", "the text"},
        {"-f", "--file", "FILE", "the same from a file; - is standard input"},
        {"--special", nullptr, nullptr, "special tokens written in the text are recognised"},
        {"--add-special", nullptr, nullptr, "add BOS and EOS as the model asks"},
        {"--json", nullptr, nullptr, "print JSON (it always does)"},
        {"--jsonl", nullptr, nullptr, "one request a line: {\"text\":\"…\"}"},
    };
}

std::string idsJson(const std::vector<TokenId>& ids) {
    nlohmann::json array = nlohmann::json::array();
    for (const TokenId id : ids) array.push_back(id.value);
    return nlohmann::json{{"ids", std::move(array)}}.dump();
}

int run(Arguments& arguments) {
    const std::string model = arguments.text("-m", ""),
                      tokenizer = arguments.text("--tokenizer", "");
    if (model.empty() == tokenizer.empty())
        arguments.reject("give a model with -m FILE or a tokenizer with --tokenizer FILE");
    const bool asLines = arguments.has("--jsonl");
    if (!asLines && arguments.has("-p") + arguments.has("-f") != 1)
        arguments.reject("give the text with -p TEXT or -f FILE");
    if (!arguments.ok()) return failUsage(arguments.error());
    EncodeOptions encode;
    encode.parseSpecial = arguments.has("--special");
    encode.addSpecial = arguments.has("--add-special");
    const Result<std::unique_ptr<Tokenizer>> opened = openTokenizerFor(model, tokenizer);
    if (!opened) return fail(opened.error());
    if (asLines) {
        return forEachJsonLine([&](JsonLine& line) -> Result<std::string> {
            const std::optional<std::string> text = line.text("text");
            if (!text) line.reject("the line has no \"text\"");
            EncodeOptions own;
            own.parseSpecial = line.boolean("special", encode.parseSpecial);
            own.addSpecial = line.boolean("add_special", encode.addSpecial);
            if (line.error()) return *line.error();
            return idsJson((*opened)->encode(*text, own));
        });
    }
    std::string text = arguments.text("-p", "");
    if (const std::string* path = arguments.value("-f")) {
        Result<std::string> content = readTextFile(*path);
        if (!content) return fail(content.error());
        text = std::move(*content);
    }
    printLine(idsJson((*opened)->encode(text, encode)));
    return kExitOk;
}

}  // namespace

extern const CommandSpec tokenizeSpec;
const CommandSpec tokenizeSpec{"tokenize", "text to token ids", "Prints {\"ids\":[…]}.", options,
                               run};

}  // namespace vitrine::engine::cli
