#include <unistd.h>

#include "engine/cli/command.h"
#include "engine/cli/generation_options.h"
#include "engine/cli/input.h"
#include "engine/cli/interrupt.h"
#include "engine/cli/output.h"
#include "engine/cli/run_object.h"

namespace vitrine::engine::cli {

namespace {

std::vector<OptionSpec> options() {
    return generationOptions() + modelOptions();
}

/// One conversation on the terminal, or with lines from a pipe.
class TerminalChat {
public:
    TerminalChat(EngineDriver& driver, GenerationChoice choice)
        : driver_(driver), choice_(std::move(choice)) {
        clear();
    }

    int talk() {
        if (isTerminal_) note("Type a message; /clear begins anew, /exit or Ctrl-D leaves.");
        for (;;) {
            if (isTerminal_) print("> ");
            std::string line;
            const LineReader::Status status = reader_.next(line);
            if (status == LineReader::Status::Interrupted) {
                // The flag goes down before the count is read and before anything is said: a second
                // Ctrl-C in between is then seen here or by the next read.
                interruptFlag() = false;
                if (interruptCount() > 1 || !isTerminal_) return leave(kExitInterrupted);
                note("\nCtrl-C once more leaves.");
                continue;
            }
            if (line == "/exit") return worst_;
            if (status == LineReader::Status::End) return leave(worst_);
            // A typed line takes back a first Ctrl-C, but not one that comes right now: that one
            // stops the answer. Without a terminal every interrupt counts.
            if (isTerminal_ && !interruptFlag()) forgetInterrupts();
            if (line == "/clear") {
                clear();
            } else if (line.find_first_not_of(" \t") != std::string::npos) {
                answer(std::move(line));
                // A second Ctrl-C during the answer; without a terminal nobody can go on typing.
                interruptFlag() = false;
                if (interruptCount() > (isTerminal_ ? 1 : 0)) return kExitInterrupted;
            }
        }
    }

private:
    /// The shell's prompt belongs on a line of its own.
    int leave(int code) const {
        if (isTerminal_) print("\n");
        return code;
    }

    void clear() {
        messages_.clear();
        if (!choice_.system.empty()) messages_.push_back({"system", choice_.system});
    }

    void answer(std::string text) {
        messages_.push_back({"user", std::move(text)});
        GenerationRequest request = choice_.request;
        request.messages = messages_;
        const RunRecord record =
            driver_.run(std::move(request), [](const std::string& piece) { print(piece); });
        if (record.text.empty() || record.text.back() != '\n') print("\n");
        if (const std::optional<Error> failure = runFailure(record)) {
            worst_ = fail(*failure);
            messages_.pop_back();
            if (failure->code == Errc::ContextFull)
                note("The conversation no longer fits the context: /clear begins anew.");
            return;
        }
        messages_.push_back({"assistant", record.text});
        note(describeRun(record));
        if (record.finished.outcome == Outcome::ContextFull)
            note("The context is full: /clear begins anew.");
    }

    EngineDriver& driver_;
    GenerationChoice choice_;
    std::vector<Message> messages_;
    LineReader reader_;
    const bool isTerminal_ = isatty(STDIN_FILENO) != 0;
    int worst_ = kExitOk;
};

int run(Arguments& arguments) {
    const ModelChoice model = readModelOptions(arguments);
    GenerationChoice choice = readGenerationOptions(arguments);
    if (!arguments.ok()) return failUsage(arguments.error());
    for (const std::string& what : {model.notYet, choice.notYet}) {
        if (!what.empty()) return failNotYet(what);
    }
    EngineDriver driver;
    driver.setObserve(choice.observe);
    const auto info = driver.load(model);
    if (!info) return fail(info.error());
    if (!driver.info().templateNotice.empty()) note(driver.info().templateNotice);
    takeRecommended(driver.info().recommended, choice.request);
    return TerminalChat(driver, std::move(choice)).talk();
}

}  // namespace

extern const CommandSpec chatSpec;
const CommandSpec chatSpec{
    "chat", "talk with the model on the terminal",
    "Ctrl-C stops the answer, twice leaves. Without a terminal each line of standard input is a "
    "message.\nAfter each answer a line with its times appears on standard error.",
    options, run};

}  // namespace vitrine::engine::cli
