// llama: Llama 1–3.x, SmolLM2, TinyLlama and others that converters write under this name. RoPE
// pairs are (2i, 2i+1), since Q and K rows are re-ordered at conversion; llama-3.1's frequency
// scaling is the tensor rope_freqs.weight, which divides the frequencies. Source: GGUF
// specification; llama.cpp's converter for LlamaForCausalLM.

#include "engine/model/architecture.h"

namespace vitrine::engine {

namespace {

Result<ModelConfig> readConfig(const ModelFile& file) {
    auto config = readCommonConfig(file, "llama");
    if (config) config->rope.pairing = kernels::RopePairing::Interleaved;
    return config;
}

const std::vector<TensorSpec>& tensors() {
    static const std::vector<TensorSpec> specs = commonTensors(false);
    return specs;
}

}  // namespace

extern const Architecture llamaSpec{"llama", readConfig, tensors};

}  // namespace vitrine::engine
