// granite: llama with factors on the embedding, on each branch before it joins the residual stream,
// on the scores and on the logits (a divisor). RoPE pairs as in llama. Source: transformers'
// GraniteForCausalLM; llama.cpp's converter.

#include "engine/model/architecture.h"
#include "engine/model/config_reader.h"

namespace vitrine::engine {

namespace {

constexpr double kMaxScale = 1e6;

Result<ModelConfig> readConfig(const ModelFile& file) {
    auto config = readCommonConfig(file, "granite");
    if (!config) return config;
    config->rope.pairing = kernels::RopePairing::Interleaved;
    const ConfigReader reader(file, "granite");
    const auto read = [&](const char* key, float& target) -> Result<void> {
        auto value = reader.number(key, -kMaxScale, kMaxScale, 1.0);
        if (!value) return std::move(value).error();
        target = static_cast<float>(*value);
        return {};
    };
    float divisor = 1.0f;
    for (auto done :
         {read("embedding_scale", config->embeddingScale),
          read("residual_scale", config->block.residualScale), read("logit_scale", divisor)}) {
        if (!done) return std::move(done).error();
    }
    if (divisor == 0.0f) return reader.badKey("logit_scale", "is zero");
    config->logitScale = 1.0f / divisor;
    return config;
}

std::vector<TensorSpec> tensors(const ModelConfig&) {
    return joined(
        {embeddingTensors(), ropeTensors(), preNormTensors(), attentionTensors(), gatedTensors()});
}

}  // namespace

extern const Architecture graniteSpec{"granite", readConfig, tensors};

}  // namespace vitrine::engine
