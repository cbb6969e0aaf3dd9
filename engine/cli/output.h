#pragma once
// stdout for results, stderr for everything else. Thread: main.

#include <string>
#include <string_view>

#include "engine/base/error.h"

namespace vitrine::engine::cli {

/// Name of the running command for messages ("vitrine-cli run"). Set once.
void setProgramName(std::string name);

/// Writes and flushes, so that a reader of a pipe sees it at once.
void print(std::string_view text);
void printLine(std::string_view text);
/// One line on stderr.
void note(std::string_view text);

/// Prints the sentence and returns the exit code: 130 for a cancelled work after Ctrl-C, else 1.
int fail(const Error& error);
/// Prints the sentence and where the help is; returns 2.
int failUsage(std::string_view sentence);
/// "… is not there yet"; returns 2.
int failNotYet(std::string_view what);

/// Whether stdout took all that was printed. Says so and returns 1 when not, else `code`.
int finishOutput(int code);

/// A progress line on stderr, only when that is a terminal; an empty text clears it.
void showProgress(std::string_view text);

}  // namespace vitrine::engine::cli
