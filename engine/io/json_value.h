#pragma once
// A read-only view of a JSON text with typed look-ups that never fail: what is absent or of another
// type is null. Nesting is bounded, and so is memory by the length of the text. Thread: immutable,
// any thread.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"

namespace vitrine::engine {

class JsonValue {
public:
    JsonValue() = default;  ///< null

    /// Fails: Format (not JSON, nested deeper than 32 levels); `name` says which file in the
    /// sentence.
    static Result<JsonValue> parse(std::string_view text, const std::string& name);

    /// Reads and parses a file of at most maxBytes. Fails: Io, Format.
    static Result<JsonValue> read(const std::string& path, uint64_t maxBytes);

    bool isNull() const;
    bool isObject() const;
    bool isArray() const;

    /// A member of an object, or null.
    JsonValue operator[](std::string_view key) const;
    /// An element of an array, or null.
    JsonValue at(size_t index) const;
    /// Elements of an array or members of an object, else 0.
    size_t size() const;
    /// The keys of an object, sorted; else none.
    std::vector<std::string> keys() const;

    std::optional<bool> boolean() const;
    std::optional<int64_t> integer() const;  ///< a whole number, also when written as 8.0
    std::optional<double> number() const;
    std::optional<std::string> text() const;

private:
    std::shared_ptr<const void> node_;  ///< shares the ownership of the whole text
};

/// The content of a file. Fails: Io, Format (longer than maxBytes).
Result<std::string> readWholeFile(const std::string& path, uint64_t maxBytes);

}  // namespace vitrine::engine
