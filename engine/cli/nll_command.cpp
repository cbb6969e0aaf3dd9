#include <cmath>
#include <nlohmann/json.hpp>

#include "engine/cli/command.h"
#include "engine/cli/input.h"
#include "engine/cli/json_lines.h"
#include "engine/cli/model_options.h"
#include "engine/cli/numbers.h"
#include "engine/cli/output.h"

namespace vitrine::engine::cli {

namespace {

std::vector<OptionSpec> options() {
    return std::vector<OptionSpec>{
               {"--ids", nullptr, "1,2,3", "the tokens"},
               {"-f", "--file", "FILE", "a text, with BOS as the model asks; - is standard input"},
               {"--json", nullptr, nullptr, "print JSON (it always does)"},
               {"--jsonl", nullptr, nullptr,
                "one request a line: {\"ids\":[…]} or {\"text\":\"…\"}"},
           } +
           modelOptions();
}

/// Mean of −ln p(token i | all before it) over i = 1…n−1. The last token is not evaluated: nobody
/// asks what follows it.
Result<std::string> measure(Session& session, const std::vector<TokenId>& ids) {
    Result<void> checked = checkIds(ids, session.model().config().vocab);
    if (!checked) return std::move(checked).error();
    if (ids.size() < 2)
        return makeError(Errc::InvalidArgument,
                         "a likelihood needs two tokens at least: give a longer text");
    double sum = 0;
    Result<void> done = session.evaluate(
        std::span(ids).first(ids.size() - 1), 0, [&](int32_t pos, std::span<const float> logits) {
            const TokenId next = ids[static_cast<size_t>(pos) + 1];
            sum += logSumExp(logits) - static_cast<double>(logits[static_cast<size_t>(next.value)]);
        });
    if (!done) return std::move(done).error();
    const double mean = sum / static_cast<double>(ids.size() - 1);
    return nlohmann::ordered_json{
        {"tokens", ids.size()}, {"nll_mean", mean}, {"ppl", std::exp(mean)}}
        .dump();
}

std::vector<TokenId> encodeText(const Session& session, const std::string& text) {
    EncodeOptions encode;
    encode.addSpecial = true;
    return session.model().tokenizer().encode(text, encode);
}

int run(Arguments& arguments) {
    const ModelChoice model = readModelOptions(arguments);
    const bool asLines = arguments.has("--jsonl");
    std::vector<TokenId> ids = arguments.ids("--ids");
    const std::string* path = arguments.value("-f");
    if (!asLines && arguments.has("--ids") + arguments.has("-f") != 1)
        arguments.reject("give the tokens with --ids 1,2,3 or a text with -f FILE");
    if (!arguments.ok()) return failUsage(arguments.error());
    if (!model.notYet.empty()) return failNotYet(model.notYet);
    std::string text;
    if (!asLines && path != nullptr) {
        Result<std::string> content = readTextFile(*path);
        if (!content) return fail(content.error());
        text = std::move(*content);
    }
    Result<std::unique_ptr<Session>> session = openSession(model, nullptr);
    if (!session) return fail(session.error());
    if (asLines) {
        return forEachJsonLine([&](JsonLine& line) -> Result<std::string> {
            std::vector<TokenId> lineIds = line.ids("ids");
            if (const std::optional<std::string> lineText = line.text("text"))
                lineIds = encodeText(**session, *lineText);
            if (line.error()) return *line.error();
            return measure(**session, lineIds);
        });
    }
    if (path != nullptr) ids = encodeText(**session, text);
    const Result<std::string> answer = measure(**session, ids);
    if (!answer) return fail(answer.error());
    printLine(*answer);
    return kExitOk;
}

}  // namespace

extern const CommandSpec nllSpec;
const CommandSpec nllSpec{
    "nll", "how probable a text is for the model",
    "Prints {\"tokens\":n,\"nll_mean\":x,\"ppl\":y}: the mean negative log-likelihood of tokens "
    "1…n−1, each given all before it.",
    options, run};

}  // namespace vitrine::engine::cli
