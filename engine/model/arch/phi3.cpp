// phi3: Phi-3, 3.5 and 4-mini: Q, K and V in one matrix, gate and up in one, LongRoPE where the
// context was stretched. Source: transformers' Phi3ForCausalLM; Ding et al. 2024, "LongRoPE".

#include "engine/model/architecture.h"
#include "engine/model/config_reader.h"

namespace vitrine::engine {

namespace {

Result<ModelConfig> readConfig(const ModelFile& file) {
    return readCommonConfig(file, "phi3");
}

std::vector<TensorSpec> tensors(const ModelConfig&) {
    const std::vector<TensorSpec> own{
        {Slot::AttnQkv, "attn_qkv.weight", true, true},
        {Slot::AttnOut, "attn_output.weight", true, true},
        {Slot::FfnGateUp, "ffn_up.weight", true, true},
        {Slot::FfnDown, "ffn_down.weight", true, true},
    };
    return joined({embeddingTensors(), ropeTensors(), preNormTensors(), own});
}

}  // namespace

extern const Architecture phi3Spec{"phi3", readConfig, tensors};

}  // namespace vitrine::engine
