// qwen3: RMS norms of Q and K per head before RoPE, heads wider than dim/nHeads, no biases. Source:
// transformers' Qwen3ForCausalLM.

#include "engine/model/architecture.h"
#include "engine/model/config_reader.h"

namespace vitrine::engine {

namespace {

Result<ModelConfig> readConfig(const ModelFile& file) {
    auto config = readCommonConfig(file, "qwen3");
    if (config) config->block.qkNorm = QkNorm::PerHead;
    return config;
}

std::vector<TensorSpec> tensors(const ModelConfig&) {
    return joined({embeddingTensors(), ropeTensors(), preNormTensors(), attentionTensors(),
                   qkNormTensors(), gatedTensors()});
}

}  // namespace

extern const Architecture qwen3Spec{"qwen3", readConfig, tensors};

}  // namespace vitrine::engine
