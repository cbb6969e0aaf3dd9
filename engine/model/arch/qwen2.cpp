// qwen2: Qwen2 and Qwen2.5. As llama, with biases on Q, K and V and RoPE pairs (i, i + d/2).
// Source: GGUF specification; transformers' Qwen2ForCausalLM.

#include "engine/model/architecture.h"
#include "engine/model/config_reader.h"

namespace vitrine::engine {

namespace {

Result<ModelConfig> readConfig(const ModelFile& file) {
    return readCommonConfig(file, "qwen2");
}

std::vector<TensorSpec> tensors(const ModelConfig&) {
    return joined({embeddingTensors(), ropeTensors(), preNormTensors(), attentionTensors(),
                   qkvBiases(true), gatedTensors()});
}

}  // namespace

extern const Architecture qwen2Spec{"qwen2", readConfig, tensors};

}  // namespace vitrine::engine
