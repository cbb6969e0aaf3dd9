#pragma once
// One architecture = one file under arch/: which files it accepts, how it reads its configuration,
// which tensors it needs. The shared forward pass interprets the block spec. Thread: constants.

#include <initializer_list>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/model/config.h"

namespace vitrine::engine {

class ModelFile;

/// Where a tensor goes. Those with several owners are cut when they are read: AttnQkv into Q, K and
/// V, FfnGateUp into gate and up, the stacked experts into one matrix each.
enum class Slot {
    TokenEmbedding,
    PositionEmbedding,
    OutputNorm,
    OutputNormBias,
    Output,
    RopeFreqs,
    RopeFactorsShort,
    RopeFactorsLong,
    AttnNorm,
    AttnNormBias,
    AttnQ,
    AttnK,
    AttnV,
    AttnQkv,
    AttnQBias,
    AttnKBias,
    AttnVBias,
    AttnQkvBias,
    AttnQNorm,
    AttnKNorm,
    AttnOut,
    AttnOutBias,
    AttnPostNorm,
    FfnNorm,
    FfnNormBias,
    FfnGate,
    FfnUp,
    FfnDown,
    FfnGateUp,
    FfnGateBias,
    FfnUpBias,
    FfnDownBias,
    FfnPostNorm,
    Router,
    FfnGateExperts,
    FfnUpExperts,
    FfnDownExperts,
};

struct TensorSpec {
    Slot slot;
    const char* name;  ///< GGUF name; layer tensors without the prefix "blk.N."
    bool perLayer;
    bool required;
    /// Before experts were stacked: each in a tensor of its own, "<this>.E.weight". Null = never.
    const char* perExpertName = nullptr;
};

struct Architecture {
    const char* name;  ///< general.architecture
    Result<ModelConfig> (*readConfig)(const ModelFile& file);
    std::vector<TensorSpec> (*tensors)(const ModelConfig& config);
};

/// All architectures. Generated from engine/model/arch/CMakeLists.txt.
const std::vector<const Architecture*>& architectures();

/// Finds the architecture of a file. Fails: Format (no general.architecture), Unsupported (named,
/// with what is supported).
Result<const Architecture*> findArchitecture(const ModelFile& file);

// ---- tensor lists that architectures are put together from ----

std::vector<TensorSpec> joined(std::initializer_list<std::vector<TensorSpec>> lists);
std::vector<TensorSpec> embeddingTensors();  ///< embedding, output norm, output where not tied
std::vector<TensorSpec> ropeTensors();       ///< divisors of frequencies, where there are any
std::vector<TensorSpec> attentionTensors();  ///< Q, K, V, output
std::vector<TensorSpec> preNormTensors();    ///< attn_norm, ffn_norm
std::vector<TensorSpec> postNormTensors();   ///< post_attention_norm, post_ffw_norm
std::vector<TensorSpec> qkNormTensors();     ///< attn_q_norm, attn_k_norm
std::vector<TensorSpec> gatedTensors();      ///< gate, up, down
std::vector<TensorSpec> expertTensors();     ///< router and stacked experts
std::vector<TensorSpec> qkvBiases(bool required);

}  // namespace vitrine::engine
