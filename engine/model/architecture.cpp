#include "engine/model/architecture.h"

#include "engine/io/model_file.h"

namespace vitrine::engine {

Result<const Architecture*> findArchitecture(const ModelFile& file) {
    const std::string* name = file.string("general.architecture");
    if (name == nullptr)
        return makeError(Errc::Format,
                         "The file does not say which architecture it holds (key "
                         "\"general.architecture\"), so it is not a language model.");
    std::string known;
    for (const Architecture* arch : architectures()) {
        if (*name == arch->name) return arch;
        known += (known.empty() ? "" : ", ") + std::string(arch->name);
    }
    return makeError(Errc::Unsupported, "The architecture \"" + name->substr(0, 64) +
                                            "\" is not supported; Vitrine runs " + known + ".");
}

std::vector<TensorSpec> joined(std::initializer_list<std::vector<TensorSpec>> lists) {
    std::vector<TensorSpec> all;
    for (const auto& list : lists) all.insert(all.end(), list.begin(), list.end());
    return all;
}

std::vector<TensorSpec> embeddingTensors() {
    return {
        {Slot::TokenEmbedding, "token_embd.weight", false, true},
        {Slot::OutputNorm, "output_norm.weight", false, true},
        {Slot::Output, "output.weight", false, false},
    };
}

std::vector<TensorSpec> ropeTensors() {
    return {
        {Slot::RopeFreqs, "rope_freqs.weight", false, false},
        {Slot::RopeFactorsShort, "rope_factors_short.weight", false, false},
        {Slot::RopeFactorsLong, "rope_factors_long.weight", false, false},
    };
}

std::vector<TensorSpec> attentionTensors() {
    return {
        {Slot::AttnQ, "attn_q.weight", true, true},
        {Slot::AttnK, "attn_k.weight", true, true},
        {Slot::AttnV, "attn_v.weight", true, true},
        {Slot::AttnOut, "attn_output.weight", true, true},
    };
}

std::vector<TensorSpec> preNormTensors() {
    return {
        {Slot::AttnNorm, "attn_norm.weight", true, true},
        {Slot::FfnNorm, "ffn_norm.weight", true, true},
    };
}

std::vector<TensorSpec> postNormTensors() {
    return {
        {Slot::AttnPostNorm, "post_attention_norm.weight", true, true},
        {Slot::FfnPostNorm, "post_ffw_norm.weight", true, true},
    };
}

std::vector<TensorSpec> qkNormTensors() {
    return {
        {Slot::AttnQNorm, "attn_q_norm.weight", true, true},
        {Slot::AttnKNorm, "attn_k_norm.weight", true, true},
    };
}

std::vector<TensorSpec> gatedTensors() {
    return {
        {Slot::FfnGate, "ffn_gate.weight", true, true},
        {Slot::FfnUp, "ffn_up.weight", true, true},
        {Slot::FfnDown, "ffn_down.weight", true, true},
    };
}

std::vector<TensorSpec> expertTensors() {
    return {
        {Slot::Router, "ffn_gate_inp.weight", true, true},
        {Slot::FfnGateExperts, "ffn_gate_exps.weight", true, true, "ffn_gate"},
        {Slot::FfnUpExperts, "ffn_up_exps.weight", true, true, "ffn_up"},
        {Slot::FfnDownExperts, "ffn_down_exps.weight", true, true, "ffn_down"},
    };
}

std::vector<TensorSpec> qkvBiases(bool required) {
    return {
        {Slot::AttnQBias, "attn_q.bias", true, required},
        {Slot::AttnKBias, "attn_k.bias", true, required},
        {Slot::AttnVBias, "attn_v.bias", true, required},
    };
}

}  // namespace vitrine::engine
