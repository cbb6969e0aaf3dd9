#pragma once
// Reading JSON that comes with a tokenizer. Thread: pure functions, any thread.

#include <string>
#include <string_view>

#include "engine/base/result.h"

namespace vitrine::engine {

/// Whether brackets nest so little that a reader may follow them. Never fails.
bool isShallowJson(std::string_view text) noexcept;

/// A whole file. Fails: Io (missing, unreadable), Format (over 256 MiB).
Result<std::string> readSmallFile(const std::string& path);

Error damagedTokenizerJson(const std::string& what);
Error unsupportedTokenizerJson(const std::string& what);

}  // namespace vitrine::engine
