#pragma once
// Which tensors of a file go where: every name, shape and count is checked against the
// configuration before a byte is read. Thread: pure functions.

#include <vector>

#include "engine/model/architecture.h"

namespace vitrine::engine {

struct TensorInfo;

/// A tensor, or a stretch of one, that becomes one matrix or vector.
struct PlannedTensor {
    const TensorInfo* info;
    Slot slot;       ///< with one owner: never AttnQkv, AttnQkvBias, FfnGateUp
    int32_t layer;   ///< −1 = not in a layer
    int32_t expert;  ///< −1 = no expert's
    int64_t first;   ///< first row of a matrix, first value of a vector
    int64_t count;   ///< rows, or values
};

/// In the order of the architecture's specs. Fails: Format (a tensor is missing or has another
/// shape), Unsupported (the file holds a tensor that this architecture would ignore: a variant that
/// would answer wrongly).
Result<std::vector<PlannedTensor>> planTensors(const ModelFile& file, const Architecture& arch,
                                               const ModelConfig& config);

}  // namespace vitrine::engine
