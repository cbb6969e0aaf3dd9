#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "engine/cli/command.h"
#include "engine/cli/interrupt.h"
#include "engine/cli/output.h"

namespace {

using namespace vitrine::engine::cli;

constexpr OptionSpec kHelpOption{"-h", "--help", nullptr, "this text"};

std::string overview() {
    std::string text =
        "vitrine-cli COMMAND [options]: a language model on Vitrine's own engine, without the "
        "window.\n\n";
    for (const CommandSpec* command : commands()) {
        std::string name = command->name;
        name.resize(12, ' ');
        text += "  " + name + command->summary + "\n";
    }
    return text +
           "\nvitrine-cli COMMAND --help shows its options; vitrine-cli --version the version.\n"
           "Results go to standard output, everything else to standard error. Exit status: 0 "
           "done,\n"
           "1 the work failed, 2 wrong usage, 130 interrupted.\n";
}

int runCommand(const CommandSpec& command, const std::vector<std::string>& words) {
    setProgramName(std::string("vitrine-cli ") + command.name);
    std::vector<OptionSpec> options = command.options();
    options.push_back(kHelpOption);
    for (const std::string& word : words) {
        if (word != "--help" && word != "-h") continue;
        print(std::string("vitrine-cli ") + command.name + ": " + command.summary + "\n\n" +
              command.details + "\n\n" + describeOptions(options));
        return kExitOk;
    }
    auto arguments = Arguments::parse(options, words);
    if (!arguments) return failUsage(arguments.error().message);
    return command.run(*arguments);
}

int dispatch(const std::vector<std::string>& words) {
    if (words.empty()) {
        note(overview());
        return kExitUsage;
    }
    if (words[0] == "--help" || words[0] == "-h" || words[0] == "help") {
        print(overview());
        return kExitOk;
    }
    if (words[0] == "--version") {
        printLine("vitrine-cli " VITRINE_VERSION);
        return kExitOk;
    }
    for (const CommandSpec* command : commands()) {
        if (words[0] == command->name)
            return runCommand(*command, {words.begin() + 1, words.end()});
    }
    return failUsage("there is no command '" + words[0] + "'");
}

}  // namespace

int main(int argc, char** argv) {
    installInterruptHandler();
    try {
        return finishOutput(dispatch({argv + 1, argv + argc}));
    } catch (const std::bad_alloc&) {
        note("vitrine-cli: out of memory: choose a smaller model or context (-c N)");
    } catch (const std::exception& failure) {
        note(std::string("vitrine-cli: ") + failure.what());
    }
    return kExitFailed;
}
