// gemma3: as gemma2 with norms of Q and K per head instead of the soft-cap on scores, five windowed
// layers to each full one, and RoPE of base 10000, unscaled, in the windowed ones. Source: Gemma
// Team 2025, "Gemma 3"; transformers' Gemma3ForCausalLM; llama.cpp for the scale of the 27B.

#include "engine/model/architecture.h"
#include "engine/model/config_reader.h"

namespace vitrine::engine {

namespace {

constexpr int32_t kLayersOf27B = 62;

Result<ModelConfig> readConfig(const ModelFile& file) {
    auto config = readCommonConfig(file, "gemma3");
    if (!config) return config;
    auto windows = readWindowPattern(file, 6, *config);
    if (!windows) return std::move(windows).error();
    auto angles = readWindowedAngles(file, 10000.0, *config);
    if (!angles) return std::move(angles).error();
    auto logitSoftcap = readSoftcap(file, "gemma3", "final_logit_softcapping");
    if (!logitSoftcap) return std::move(logitSoftcap).error();
    setGemmaBlock(kLayersOf27B, file, *config);
    config->block.qkNorm = QkNorm::PerHead;
    config->logitSoftcap = *logitSoftcap;
    return config;
}

std::vector<TensorSpec> tensors(const ModelConfig&) {
    return joined({embeddingTensors(), ropeTensors(), preNormTensors(), postNormTensors(),
                   attentionTensors(), qkNormTensors(), gatedTensors()});
}

}  // namespace

extern const Architecture gemma3Spec{"gemma3", readConfig, tensors};

}  // namespace vitrine::engine
