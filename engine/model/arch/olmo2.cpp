// olmo2: OLMo 2, and OLMo 3 under the same name: norms only after attention and feed-forward, norms
// of Q and K over the whole projection. OLMo 3 has a window in three of four layers, whose RoPE is
// not scaled. Source: OLMo Team 2024, "2 OLMo 2 Furious"; transformers' Olmo2ForCausalLM.

#include "engine/model/architecture.h"
#include "engine/model/config_reader.h"

namespace vitrine::engine {

namespace {

Result<ModelConfig> readConfig(const ModelFile& file) {
    auto config = readCommonConfig(file, "olmo2");
    if (!config) return config;
    auto windows = readWindowPattern(file, 4, *config);
    if (!windows) return std::move(windows).error();
    auto angles = readWindowedAngles(file, config->rope.full.base, *config);
    if (!angles) return std::move(angles).error();
    config->block.hasPreNorm = false;
    config->block.hasPostNorm = true;
    config->block.qkNorm = QkNorm::Projection;
    return config;
}

std::vector<TensorSpec> tensors(const ModelConfig&) {
    return joined({embeddingTensors(), ropeTensors(), postNormTensors(), attentionTensors(),
                   qkNormTensors(), gatedTensors()});
}

}  // namespace

extern const Architecture olmo2Spec{"olmo2", readConfig, tensors};

}  // namespace vitrine::engine
