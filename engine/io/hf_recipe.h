#pragma once
// How the bytes of one tensor are made from tensors of a folder while they are read: in stretches
// of about 1 MiB, so that memory does not grow with the tensor. Thread: pure functions.

#include <cstdint>
#include <span>
#include <vector>

#include "engine/base/result.h"
#include "engine/io/hf_checkpoint.h"
#include "engine/io/hf_tensors.h"
#include "engine/io/model_file.h"

namespace vitrine::engine {

struct HfRecipe {
    HfTreatment treatment = HfTreatment::AsStored;
    std::vector<size_t> sources;  ///< positions in the checkpoint; several only of Experts
    int64_t nHeads = 0;           ///< Query and Key: heads that the rows divide into
    kernels::DType storedType = kernels::DType::F32;
    std::vector<float> values;  ///< computed from the configuration; then there are no sources
};

/// Bytes [first, first+dst.size()) of the tensor `info` that the recipe makes. Fails: Io. Requires:
/// the range lies inside the tensor, and the sources have the shapes of the recipe's rule.
Result<void> readByRecipe(const HfCheckpoint& checkpoint, const HfRecipe& recipe,
                          const TensorInfo& info, uint64_t first, std::span<std::byte> dst);

}  // namespace vitrine::engine
