#pragma once
// The one error value of the engine: a code to branch on, a sentence for the user, and a context
// chain for the log. Thread: plain values, any thread.

#include <string>
#include <utility>

namespace vitrine::engine {

/// What kind of failure it is; callers branch on this, never on the text.
enum class Errc {
    Io,
    Format,
    Unsupported,
    OutOfMemory,
    Device,
    Cancelled,
    InvalidArgument,
    ContextFull
};

/// Stable lower-case name for JSON output ("io", "format", …). Never fails.
const char* errcName(Errc code) noexcept;

struct Error {
    Errc code = Errc::Io;
    std::string message;  ///< one sentence for the user, with the next step where there is one
    std::string context;  ///< where it happened, innermost last, for the log

    /// Adds an outer context ("loading x.gguf"); returns itself so that it can be chained in a
    /// return.
    Error within(const std::string& outer) &&;
};

inline Error makeError(Errc code, std::string message) {
    return Error{code, std::move(message), {}};
}

}  // namespace vitrine::engine
