#pragma once
// Finds in a folder's weights what each tensor of the GGUF is made from, and checks that nothing is
// missing, misshapen or left over. Thread: pure functions.

#include <vector>

#include "engine/base/result.h"
#include "engine/io/hf_checkpoint.h"
#include "engine/io/hf_recipe.h"
#include "engine/io/hf_tensors.h"
#include "engine/io/model_file.h"

namespace vitrine::engine {

struct HfMapping {
    std::vector<TensorInfo> tensors;
    std::vector<HfRecipe> recipes;  ///< one for each tensor
};

/// Fails: Format (missing, another shape, experts of different types), Unsupported (type of a
/// tensor, a tensor that has no place in the architecture); the tensor is named.
Result<HfMapping> mapTensors(const HfConfig& config, const HfCheckpoint& checkpoint);

/// The GGUF tensor of a rule when its matrices are of `dtype`. Never fails.
TensorInfo ruleInfo(const HfConfig& config, const HfRule& rule, kernels::DType dtype);

}  // namespace vitrine::engine
