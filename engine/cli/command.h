#pragma once
// A command of vitrine-cli: its options and what it does. The table is generated from the NAMES in
// this folder's CMakeLists.txt. Thread: constants, main thread.

#include <vector>

#include "engine/cli/arguments.h"

namespace vitrine::engine::cli {

inline constexpr int kExitOk = 0;
inline constexpr int kExitFailed = 1;
inline constexpr int kExitUsage = 2;
inline constexpr int kExitInterrupted = 130;

struct CommandSpec {
    const char* name;
    const char* summary;  ///< one line for `vitrine-cli --help`
    const char* details;  ///< what it prints and an example, for `COMMAND --help`
    std::vector<OptionSpec> (*options)();
    int (*run)(Arguments& arguments);  ///< returns the exit code
};

/// All commands in the order of the help text. Generated.
const std::vector<const CommandSpec*>& commands();

}  // namespace vitrine::engine::cli
