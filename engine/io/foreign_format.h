#pragma once
// Tells what a file is that is not the expected one, from its first bytes, so that the user reads
// one clear sentence with the next step. Thread: pure functions, any thread.

#include <cstddef>
#include <span>

#include "engine/base/error.h"

namespace vitrine::engine {

/// head: the first bytes of a file that does not begin with GGUF's magic; 512 are enough, fewer
/// where the file is shorter. Returns Unsupported for a known other format, Format for the rest.
/// Never fails.
Error describeForeignFile(std::span<const std::byte> head);

/// Whether a file begins as safetensors do. Never fails.
bool looksLikeSafetensors(std::span<const std::byte> head);

}  // namespace vitrine::engine
