#pragma once
// Table-driven command line: options are declared once and give parser, checks and help. Typed
// look-ups record the first mistake instead of returning it each time; a command asks ok() once.
// Thread: main.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/ids.h"
#include "engine/base/result.h"

namespace vitrine::engine::cli {

struct OptionSpec {
    const char* name;      ///< with its dashes: "--top-k"; what look-ups use
    const char* alias;     ///< second spelling ("-t") or null
    const char* argument;  ///< what the value is, for the help ("N"); null = a flag
    const char* help;
    bool repeatable = false;
};

class Arguments {
public:
    /// Fails: InvalidArgument (unknown option, missing value, given twice, a stray word).
    static Result<Arguments> parse(std::span<const OptionSpec> options,
                                   std::span<const std::string> words);

    bool has(std::string_view name) const;
    /// Null when not given.
    const std::string* value(std::string_view name) const;
    std::vector<std::string> values(std::string_view name) const;

    // Absent: fallback. Ill-formed or out of range: fallback, and ok() becomes false.
    std::string text(std::string_view name, std::string_view fallback);
    int64_t integer(std::string_view name, int64_t fallback, int64_t min, int64_t max);
    double number(std::string_view name, double fallback, double min, double max);
    std::vector<int64_t> integers(std::string_view name, std::vector<int64_t> fallback, int64_t min,
                                  int64_t max);
    /// "1,2,3"; empty when absent.
    std::vector<TokenId> ids(std::string_view name);
    /// "a:b", half open, a < b; either side may be left out.
    std::optional<std::pair<int64_t, int64_t>> range(std::string_view name, int64_t length);
    /// One of `choices`.
    std::string choice(std::string_view name, std::string_view fallback,
                       std::span<const char* const> choices);

    /// Records a mistake (the first one counts).
    void reject(std::string sentence);

    bool ok() const { return error_.empty(); }

    const std::string& error() const { return error_; }

private:
    std::vector<std::pair<std::string, std::string>> given_;  ///< option name, value
    std::string error_;
};

/// The options of a command, aligned for a terminal.
std::string describeOptions(std::span<const OptionSpec> options);

}  // namespace vitrine::engine::cli
