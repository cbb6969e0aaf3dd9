#pragma once
// One architecture = one file under arch/: which files it accepts, how it reads its configuration,
// which tensors it needs. The shared forward pass interprets the block spec. Thread: constants.

#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/model/config.h"

namespace vitrine::engine {

class ModelFile;

/// Where a tensor goes. Layer slots are filled once per layer.
enum class Slot {
    TokenEmbedding,
    OutputNorm,
    Output,
    RopeFreqs,
    AttnNorm,
    AttnQ,
    AttnK,
    AttnV,
    AttnQBias,
    AttnKBias,
    AttnVBias,
    AttnOut,
    FfnNorm,
    FfnGate,
    FfnUp,
    FfnDown,
};

struct TensorSpec {
    Slot slot;
    const char* name;  ///< GGUF name; layer tensors without the prefix "blk.N."
    bool perLayer;
    bool isMatrix;  ///< else a float32 vector
    bool required;
};

struct Architecture {
    const char* name;  ///< general.architecture
    Result<ModelConfig> (*readConfig)(const ModelFile& file);
    const std::vector<TensorSpec>& (*tensors)();
};

/// All architectures. Generated from engine/model/arch/CMakeLists.txt.
const std::vector<const Architecture*>& architectures();

/// Finds the architecture of a file. Fails: Format (no general.architecture), Unsupported (named,
/// with what is supported).
Result<const Architecture*> findArchitecture(const ModelFile& file);

/// The keys that llama-like architectures share, checked: positive, sane bounds, heads divisible.
/// Fails: Format, Unsupported.
Result<ModelConfig> readCommonConfig(const ModelFile& file, std::string_view arch);

/// The tensors that llama-like architectures share; qkvBias adds the three biases as required.
std::vector<TensorSpec> commonTensors(bool qkvBias);

}  // namespace vitrine::engine
