// llama: Llama 1–3.x, SmolLM2, TinyLlama, Mistral (a window in all layers where the file says so)
// and Mixtral (experts), all of which converters write under this name. RoPE pairs are (2i, 2i+1),
// since Q and K rows are re-ordered at conversion; llama-3.1's frequency scaling is the tensor
// rope_freqs.weight, which divides the frequencies. Source: GGUF specification; llama.cpp's
// converter for LlamaForCausalLM and MixtralForCausalLM.

#include "engine/model/architecture.h"
#include "engine/model/config_reader.h"

namespace vitrine::engine {

namespace {

Result<ModelConfig> readConfig(const ModelFile& file) {
    auto config = readCommonConfig(file, "llama", true);
    if (config) config->rope.pairing = kernels::RopePairing::Interleaved;
    return config;
}

std::vector<TensorSpec> tensors(const ModelConfig& config) {
    const bool hasExperts = config.block.feedForward == FeedForward::Experts;
    // Llama checkpoints with attention_bias or mlp_bias.
    const std::vector<TensorSpec> biases{
        {Slot::AttnOutBias, "attn_output.bias", true, false},
        {Slot::FfnGateBias, "ffn_gate.bias", true, false},
        {Slot::FfnUpBias, "ffn_up.bias", true, false},
        {Slot::FfnDownBias, "ffn_down.bias", true, false},
    };
    return joined({embeddingTensors(), ropeTensors(), preNormTensors(), attentionTensors(),
                   qkvBiases(false), hasExperts ? expertTensors() : gatedTensors(),
                   hasExperts ? std::vector<TensorSpec>{} : biases});
}

}  // namespace

extern const Architecture llamaSpec{"llama", readConfig, tensors};

}  // namespace vitrine::engine
