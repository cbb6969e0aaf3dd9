#pragma once
// JSON to values. Thread: pure function.

#include <string_view>

#include "engine/base/result.h"
#include "engine/text/jinja/value.h"

namespace vitrine::engine::jinja {

/// Key order is kept; all strings, keys included, are of the given origin. Integers that do not
/// fit 64 bits become floating point. Fails: Format (no JSON, nested too deeply).
Result<Value> valueOfJson(std::string_view json, bool isInput);

}  // namespace vitrine::engine::jinja
