// qwen2: Qwen2 and Qwen2.5. As llama, with biases on Q, K and V and RoPE pairs (i, i + d/2).
// Source: GGUF specification; transformers' Qwen2ForCausalLM.

#include "engine/model/architecture.h"

namespace vitrine::engine {

namespace {

Result<ModelConfig> readConfig(const ModelFile& file) {
    auto config = readCommonConfig(file, "qwen2");
    if (config) {
        config->rope.pairing = kernels::RopePairing::Halves;
        config->block.hasQkvBias = true;
    }
    return config;
}

const std::vector<TensorSpec>& tensors() {
    static const std::vector<TensorSpec> specs = commonTensors(true);
    return specs;
}

}  // namespace

extern const Architecture qwen2Spec{"qwen2", readConfig, tensors};

}  // namespace vitrine::engine
