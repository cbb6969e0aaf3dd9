#pragma once
// The JSON header of a safetensors file, parsed as a stream so that nesting and repetition cost no
// memory. Thread: pure functions, any thread.

#include <string_view>
#include <vector>

#include "engine/io/safetensors_file.h"

namespace vitrine::engine {

/// The entries of a header as they stand: offsets count from the data's start and are not yet
/// compared with anything; sizeBytes = end − begin, which is the shape's where the type is known.
/// Fails: Format.
Result<std::vector<StoredTensor>> parseSafetensorsHeader(std::string_view json);

/// The sentence for a damaged file. `tensor` may be empty. Never fails.
Error damagedSafetensors(const std::string& what, const std::string& tensor);

}  // namespace vitrine::engine
