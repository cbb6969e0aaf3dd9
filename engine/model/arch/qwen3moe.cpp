// qwen3moe: qwen3 with a mixture of experts in every layer: softmax over all, the best k, weights
// renormalised. Source: transformers' Qwen3MoeForCausalLM.

#include "engine/model/architecture.h"
#include "engine/model/config_reader.h"

namespace vitrine::engine {

namespace {

Result<ModelConfig> readConfig(const ModelFile& file) {
    auto config = readCommonConfig(file, "qwen3moe", true);
    if (!config) return config;
    config->block.qkNorm = QkNorm::PerHead;
    if (config->experts.count == 0)
        return ConfigReader(file, "qwen3moe").badKey("expert_count", "is missing");
    return config;
}

std::vector<TensorSpec> tensors(const ModelConfig&) {
    return joined({embeddingTensors(), ropeTensors(), preNormTensors(), attentionTensors(),
                   qkNormTensors(), expertTensors()});
}

}  // namespace

extern const Architecture qwen3moeSpec{"qwen3moe", readConfig, tensors};

}  // namespace vitrine::engine
