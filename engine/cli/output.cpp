#include "engine/cli/output.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <unistd.h>

#include "engine/cli/command.h"
#include "engine/cli/interrupt.h"

namespace vitrine::engine::cli {

namespace {

std::string programName = "vitrine-cli";
bool outputFailed = false;
int outputErrno = 0;

}  // namespace

void setProgramName(std::string name) {
    programName = std::move(name);
}

void print(std::string_view text) {
    if (outputFailed) return;
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() ||
        std::fflush(stdout) != 0) {
        outputFailed = true;
        outputErrno = errno;
    }
}

void printLine(std::string_view text) {
    print(std::string(text) + "\n");
}

void note(std::string_view text) {
    std::fprintf(stderr, "%.*s\n", static_cast<int>(text.size()), text.data());
}

int fail(const Error& error) {
    showProgress("");
    if (error.code == Errc::Cancelled && interruptFlag()) {
        note(programName + ": interrupted");
        return kExitInterrupted;
    }
    note(programName + ": " + error.message);
    return kExitFailed;
}

int failUsage(std::string_view sentence) {
    note(programName + ": " + std::string(sentence) + "; see '" + programName + " --help'");
    return kExitUsage;
}

int failNotYet(std::string_view what) {
    note(programName + ": not yet: " + std::string(what));
    return kExitUsage;
}

int finishOutput(int code) {
    if (!outputFailed) return code;
    note(programName +
         ": the result could not be written to standard output: " + std::strerror(outputErrno));
    return code == kExitOk ? kExitFailed : code;
}

void showProgress(std::string_view text) {
    static const bool isTerminal = isatty(STDERR_FILENO) != 0;
    static bool isShown = false;
    if (!isTerminal || (text.empty() && !isShown)) return;
    std::fprintf(stderr, "\r\x1b[K%.*s", static_cast<int>(text.size()), text.data());
    std::fflush(stderr);
    isShown = !text.empty();
}

}  // namespace vitrine::engine::cli
