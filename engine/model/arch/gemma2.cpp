// gemma2: norms before and after attention and feed-forward, GELU in the gate, soft-caps on scores
// and logits, a window in every other layer beginning with the first, embedding × √dim. Norm
// weights are stored with their 1 added. Source: Gemma Team 2024, "Gemma 2"; transformers'
// Gemma2ForCausalLM; llama.cpp for the scale of the 27B, which GGUF does not carry.

#include "engine/model/architecture.h"
#include "engine/model/config_reader.h"

namespace vitrine::engine {

namespace {

constexpr int32_t kLayersOf27B = 46;

Result<ModelConfig> readConfig(const ModelFile& file) {
    auto config = readCommonConfig(file, "gemma2");
    if (!config) return config;
    auto windows = readWindowPattern(file, 2, *config);
    if (!windows) return std::move(windows).error();
    auto softcap = readSoftcap(file, "gemma2", "attn_logit_softcapping");
    if (!softcap) return std::move(softcap).error();
    auto logitSoftcap = readSoftcap(file, "gemma2", "final_logit_softcapping");
    if (!logitSoftcap) return std::move(logitSoftcap).error();
    setGemmaBlock(kLayersOf27B, file, *config);
    config->block.softcap = *softcap;
    config->logitSoftcap = *logitSoftcap;
    return config;
}

std::vector<TensorSpec> tensors(const ModelConfig&) {
    return joined({embeddingTensors(), ropeTensors(), preNormTensors(), postNormTensors(),
                   attentionTensors(), gatedTensors()});
}

}  // namespace

extern const Architecture gemma2Spec{"gemma2", readConfig, tensors};

}  // namespace vitrine::engine
