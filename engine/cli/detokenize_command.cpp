#include <nlohmann/json.hpp>

#include "engine/cli/base64.h"
#include "engine/cli/command.h"
#include "engine/cli/json_lines.h"
#include "engine/cli/model_options.h"
#include "engine/cli/output.h"
#include "engine/text/utf8_stream.h"

namespace vitrine::engine::cli {

namespace {

std::vector<OptionSpec> options() {
    return {
        {"-m", "--model", "FILE", "the model whose tokenizer is used"},
        {"--tokenizer", nullptr, "FILE", "a tokenizer.model or tokenizer.json instead"},
        {"--ids", nullptr, "1,2,3", "the tokens"},
        {"--stream", nullptr, nullptr, "the text after each token, whole characters only"},
        {"--json", nullptr, nullptr, "print JSON (it always does)"},
        {"--jsonl", nullptr, nullptr, "one request a line: {\"ids\":[…]}"},
    };
}

std::string bytesJson(const Tokenizer& tokenizer, const std::vector<TokenId>& ids) {
    return nlohmann::json{{"bytes", encodeBase64(tokenizer.decode(ids))}}.dump();
}

std::string streamJson(const Tokenizer& tokenizer, const std::vector<TokenId>& ids) {
    Utf8Stream stream;
    std::string text;
    nlohmann::ordered_json steps = nlohmann::ordered_json::array();
    for (size_t i = 0; i < ids.size(); ++i) {
        text += stream.push(tokenizer.piece(ids[i], i == 0));
        steps.push_back(text);
    }
    text += stream.finish();
    const nlohmann::ordered_json object{{"steps", std::move(steps)}, {"final", text}};
    return object.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

int run(Arguments& arguments) {
    const std::string model = arguments.text("-m", ""),
                      tokenizer = arguments.text("--tokenizer", "");
    if (model.empty() == tokenizer.empty())
        arguments.reject("give a model with -m FILE or a tokenizer with --tokenizer FILE");
    const bool asLines = arguments.has("--jsonl"), asStream = arguments.has("--stream");
    const std::vector<TokenId> ids = arguments.ids("--ids");
    if (!asLines && ids.empty()) arguments.reject("no tokens: give them with --ids 1,2,3");
    if (!arguments.ok()) return failUsage(arguments.error());
    const Result<std::unique_ptr<Tokenizer>> opened = openTokenizerFor(model, tokenizer);
    if (!opened) return fail(opened.error());
    const auto answer = [&](const std::vector<TokenId>& some) -> Result<std::string> {
        // An empty list is an empty text; ids that are not in the vocabulary are a mistake.
        if (!some.empty()) {
            Result<void> checked = checkIds(some, (*opened)->vocabSize());
            if (!checked) return std::move(checked).error();
        }
        return asStream ? streamJson(**opened, some) : bytesJson(**opened, some);
    };
    if (asLines) {
        return forEachJsonLine([&](JsonLine& line) -> Result<std::string> {
            const std::vector<TokenId> lineIds = line.ids("ids");
            if (!line.has("ids")) line.reject("the line has no \"ids\"");
            if (line.error()) return *line.error();
            return answer(lineIds);
        });
    }
    const Result<std::string> text = answer(ids);
    if (!text) return fail(text.error());
    printLine(*text);
    return kExitOk;
}

}  // namespace

extern const CommandSpec detokenizeSpec;
const CommandSpec detokenizeSpec{
    "detokenize", "token ids to text",
    "Prints {\"bytes\":\"base64\"}; with --stream {\"steps\":[…],\"final\":\"…\"}.", options, run};

}  // namespace vitrine::engine::cli
