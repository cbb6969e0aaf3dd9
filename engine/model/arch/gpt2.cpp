// gpt2: learned positions, layer norms with bias, one matrix for Q, K and V, a plain feed-forward
// with GELU (tanh), biases everywhere. Source: Radford et al. 2019; transformers' GPT2LMHeadModel.

#include "engine/model/architecture.h"
#include "engine/model/config_reader.h"

namespace vitrine::engine {

namespace {

Result<ModelConfig> readConfig(const ModelFile& file) {
    auto config = readCommonConfig(file, "gpt2");
    if (!config) return config;
    config->rope.dim = 0;
    config->hasPositions = true;
    config->block.norm = NormKind::Layer;
    config->block.feedForward = FeedForward::Plain;
    config->block.activation = kernels::Activation::GeluTanh;
    return config;
}

std::vector<TensorSpec> tensors(const ModelConfig&) {
    const std::vector<TensorSpec> own{
        {Slot::PositionEmbedding, "position_embd.weight", false, true},
        {Slot::OutputNormBias, "output_norm.bias", false, true},
        {Slot::AttnNormBias, "attn_norm.bias", true, true},
        {Slot::AttnQkv, "attn_qkv.weight", true, true},
        {Slot::AttnQkvBias, "attn_qkv.bias", true, true},
        {Slot::AttnOut, "attn_output.weight", true, true},
        {Slot::AttnOutBias, "attn_output.bias", true, true},
        {Slot::FfnNormBias, "ffn_norm.bias", true, true},
        {Slot::FfnUp, "ffn_up.weight", true, true},
        {Slot::FfnUpBias, "ffn_up.bias", true, true},
        {Slot::FfnDown, "ffn_down.weight", true, true},
        {Slot::FfnDownBias, "ffn_down.bias", true, true},
    };
    return joined({embeddingTensors(), preNormTensors(), own});
}

}  // namespace

extern const Architecture gpt2Spec{"gpt2", readConfig, tensors};

}  // namespace vitrine::engine
