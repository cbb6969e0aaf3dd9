#pragma once
// --jsonl: one JSON object a line on stdin, one a line on stdout, in order. Typed look-ups record
// the first mistake, so that a command asks once. Thread: main.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/ids.h"
#include "engine/base/result.h"
#include "engine/text/chat_template.h"

namespace vitrine::engine::cli {

/// A line that was read.
class JsonLine {
public:
    /// Fails: Format (no JSON, not an object).
    static Result<JsonLine> parse(std::string_view line);
    JsonLine(JsonLine&&) noexcept;
    JsonLine& operator=(JsonLine&&) noexcept;
    ~JsonLine();

    /// The line as it was read.
    const std::string& source() const;

    /// Null counts as absent.
    bool has(const char* key) const;

    // Absent: fallback. Another type or out of range: fallback, and error() is set.
    std::optional<std::string> text(const char* key);
    std::vector<std::string> texts(const char* key);  ///< a string or an array of strings
    bool boolean(const char* key, bool fallback);
    int64_t integer(const char* key, int64_t fallback, int64_t min, int64_t max);
    double number(const char* key, double fallback, double min, double max);
    std::vector<TokenId> ids(const char* key);
    std::vector<Message> messages(const char* key);

    void reject(std::string sentence);

    const std::optional<Error>& error() const { return error_; }

private:
    struct Impl;
    JsonLine();

    const Impl& impl() const { return *impl_; }

    std::unique_ptr<Impl> impl_;
    std::optional<Error> error_;
};

/// `{"error":{"code","message"}}`.
std::string errorJson(const Error& error);

/// Reads stdin to its end; `handle` returns the JSON text to print or the error. Returns the exit
/// code: 1 when a line failed, 130 after Ctrl-C.
int forEachJsonLine(const std::function<Result<std::string>(JsonLine& line)>& handle);

}  // namespace vitrine::engine::cli
