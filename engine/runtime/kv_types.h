#pragma once
// Which types a KV cache can have: what the planner counts, what the kernels store, and what a load
// asks for by name. Thread: pure functions.

#include <cstdint>
#include <optional>
#include <string>

#include "engine/base/result.h"
#include "engine/plan/kv_plan.h"
#include "kernels/api/dtype.h"

namespace vitrine::engine {

struct LoadOptions;

/// The element type that the cache stores for `type`; none for types that only the planner knows.
std::optional<kernels::DType> storedKvType(KvType type) noexcept;

/// True where a KV cache of this type can be loaded for heads of headDim values. Never fails.
bool canCache(KvType type, int32_t headDim) noexcept;

/// The types that `options` names, or their defaults. Fails: Unsupported.
Result<KvTypes> kvTypesOf(const LoadOptions& options, int32_t headDim);

/// "f16", or "q8_0/f16" where V differs.
std::string kvTypesName(const KvTypes& types);

}  // namespace vitrine::engine
