#include "engine/cli/command.h"
#include "engine/cli/generation_options.h"
#include "engine/cli/input.h"
#include "engine/cli/interrupt.h"
#include "engine/cli/output.h"
#include "engine/cli/run_object.h"

namespace vitrine::engine::cli {

namespace {

std::vector<OptionSpec> options() {
    return std::vector<OptionSpec>{
               {"-p", "--prompt", "TEXT", "what the user says"},
               {"-f", "--file", "FILE", "the same from a file; - is standard input"},
               {"--ids", nullptr, "1,2,3", "exactly these prompt tokens"},
               {"--raw", nullptr, nullptr, "the prompt as it is, without the chat template"},
               {"--top", nullptr, "N", "with --json: the N best candidates of each token"},
               {"--json", nullptr, nullptr, "print the run object instead of the text"},
               {"--jsonl", nullptr, nullptr, "one request a line on standard input"},
           } +
           generationOptions() + modelOptions();
}

/// Puts the prompt into the request. Mistakes are recorded in `arguments`.
Result<void> readInput(Arguments& arguments, const GenerationChoice& choice,
                       GenerationRequest& request) {
    if (arguments.has("-p") + arguments.has("-f") + arguments.has("--ids") > 1)
        arguments.reject("give one prompt: -p TEXT, -f FILE or --ids 1,2,3");
    if (!arguments.has("-p") && !arguments.has("-f") && !arguments.has("--ids"))
        arguments.reject("no prompt: give one with -p TEXT, -f FILE or --ids 1,2,3");
    request.ids = arguments.ids("--ids");
    if (!arguments.ok() || !request.ids.empty()) return {};
    std::string text = arguments.text("-p", "");
    if (const std::string* path = arguments.value("-f")) {
        Result<std::string> content = readTextFile(*path);
        if (!content) return std::move(content).error();
        text = std::move(*content);
    }
    if (arguments.has("--raw"))
        request.text = std::move(text);
    else
        request.messages = messagesFor(choice.system, std::move(text));
    return {};
}

int runLines(EngineDriver& driver, const GenerationChoice& choice, bool withCandidates) {
    return forEachJsonLine([&](JsonLine& line) -> Result<std::string> {
        const bool wantsCandidates = withCandidates || line.has("top");
        Result<GenerationRequest> request = requestFromLine(line, choice);
        if (!request) return std::move(request).error();
        const RunRecord record = driver.run(std::move(*request), {});
        if (std::optional<Error> failure = runFailure(record)) return std::move(*failure);
        return runObjectJson(record, driver.info(), wantsCandidates);
    });
}

int runOne(EngineDriver& driver, GenerationRequest request, bool asJson, bool withCandidates) {
    const RunRecord record = driver.run(
        std::move(request), asJson ? std::function<void(const std::string&)>{}
                                   : [](const std::string& text) { print(text); });
    const std::optional<Error> failure = runFailure(record);
    if (asJson) {
        if (!failure || record.hasStarted)
            printLine(runObjectJson(record, driver.info(), withCandidates));
    } else {
        if (!record.text.empty() && record.text.back() != '\n') print("\n");
        if (!failure) note(describeRun(record));
    }
    if (failure) return fail(*failure);
    return record.finished.outcome == Outcome::User ? kExitInterrupted : kExitOk;
}

int run(Arguments& arguments) {
    const ModelChoice model = readModelOptions(arguments);
    GenerationChoice choice = readGenerationOptions(arguments);
    const bool asLines = arguments.has("--jsonl");
    const bool withCandidates = arguments.has("--top");
    choice.request.nCandidates = static_cast<int32_t>(arguments.integer("--top", 0, 0, 1'000'000));
    GenerationRequest request = choice.request;
    if (!asLines) {
        const Result<void> input = readInput(arguments, choice, request);
        if (!input) return fail(input.error());
    }
    if (!arguments.ok()) return failUsage(arguments.error());
    for (const std::string& what : {model.notYet, choice.notYet}) {
        if (!what.empty()) return failNotYet(what);
    }
    EngineDriver driver;
    driver.setObserve(choice.observe);
    const auto info = driver.load(model);
    if (!info) return fail(info.error());
    takeRecommended(driver.info().recommended, choice.request);
    takeRecommended(driver.info().recommended, request);
    if (asLines) return runLines(driver, choice, withCandidates);
    if (!request.ids.empty()) {
        const Result<void> ids = checkIds(request.ids, driver.info().vocab);
        if (!ids) return fail(ids.error());
    }
    if (!request.messages.empty() && !driver.info().templateNotice.empty())
        note(driver.info().templateNotice);
    return runOne(driver, std::move(request), arguments.has("--json"), withCandidates);
}

}  // namespace

extern const CommandSpec runSpec;
const CommandSpec runSpec{
    "run", "answer one prompt",
    "Prints the answer as it comes; with --json the run object with all its times. Example:\n"
    "  vitrine-cli run -m model.gguf -p 'What is the capital of France?' -n 64\n"
    "A --jsonl line: {\"prompt\"|\"ids\"|\"messages\", \"n\", \"temp\", \"seed\", \"ignore_eos\", "
    "…}",
    options, run};

}  // namespace vitrine::engine::cli
