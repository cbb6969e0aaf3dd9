#include "engine/io/hf_tensors.h"

#include <cmath>
#include <numbers>

namespace vitrine::engine {
namespace {

using enum HfTreatment;

class Rules {
public:
    explicit Rules(const HfConfig& c) : c_(c), isGemma_(c.arch.starts_with("gemma")) {}

    std::vector<HfRule> all() {
        const bool isGpt2 = c_.family == HfFamily::Gpt2;
        rules_.push_back({"token_embd.weight", isGpt2 ? "wte.weight" : "embed_tokens.weight",
                          AsStored, c_.vocab, c_.dim});
        if (isGpt2)
            rules_.push_back({"position_embd.weight", "wpe.weight", Wide, c_.context, c_.dim});
        for (layer_ = 0; layer_ < c_.nLayers; ++layer_) {
            if (isGpt2) {
                addGpt2Layer();
            } else {
                addNorms();
                addAttention();
                addFeedForward();
            }
        }
        rules_.push_back(
            {"output_norm.weight", isGpt2 ? "ln_f.weight" : "norm.weight", norm(), 0, c_.dim});
        if (isGpt2) rules_.push_back({"output_norm.bias", "ln_f.bias", Vector, 0, c_.dim});
        // Without a head of its own a model uses its embedding, whatever the configuration says.
        if (!c_.isTied)
            rules_.push_back(
                {"output.weight", "lm_head.weight", AsStored, c_.vocab, c_.dim, false, true});
        return std::move(rules_);
    }

private:
    HfTreatment norm() const { return isGemma_ ? NormPlusOne : Vector; }

    bool reordersHeads() const { return c_.arch == "llama" || c_.family == HfFamily::Granite; }

    void add(const char* gguf, const std::string& hf, HfTreatment treatment, int64_t nRows,
             int64_t nCols, bool isRequired = true) {
        const std::string number = std::to_string(layer_);
        rules_.push_back({"blk." + number + "." + gguf,
                          (c_.family == HfFamily::Gpt2 ? "h." : "layers.") + number + "." + hf,
                          treatment, nRows, nCols, isRequired});
    }

    void addNorms() {
        const int64_t d = c_.dim;
        if (isGemma_) {
            add("attn_norm.weight", "input_layernorm.weight", norm(), 0, d);
            add("post_attention_norm.weight", "post_attention_layernorm.weight", norm(), 0, d);
            add("ffn_norm.weight", "pre_feedforward_layernorm.weight", norm(), 0, d);
            add("post_ffw_norm.weight", "post_feedforward_layernorm.weight", norm(), 0, d);
        } else if (c_.family == HfFamily::Olmo2) {
            add("post_attention_norm.weight", "post_attention_layernorm.weight", norm(), 0, d);
            add("post_ffw_norm.weight", "post_feedforward_layernorm.weight", norm(), 0, d);
        } else {
            add("attn_norm.weight", "input_layernorm.weight", norm(), 0, d);
            add("ffn_norm.weight", "post_attention_layernorm.weight", norm(), 0, d);
        }
    }

    void addAttention() {
        const int64_t q = c_.nHeads * c_.headDim, kv = c_.nKvHeads * c_.headDim;
        add("attn_output.weight", "self_attn.o_proj.weight", AsStored, c_.dim, q);
        if (c_.family == HfFamily::Phi3) {
            add("attn_qkv.weight", "self_attn.qkv_proj.weight", AsStored, q + 2 * kv, c_.dim);
            return;
        }
        const HfTreatment query = reordersHeads() ? Query : AsStored;
        const HfTreatment key = reordersHeads() ? Key : AsStored;
        add("attn_q.weight", "self_attn.q_proj.weight", query, q, c_.dim);
        add("attn_k.weight", "self_attn.k_proj.weight", key, kv, c_.dim);
        add("attn_v.weight", "self_attn.v_proj.weight", AsStored, kv, c_.dim);
        if (c_.family == HfFamily::Qwen2 || c_.arch == "llama") {
            const bool isRequired = c_.family == HfFamily::Qwen2;
            add("attn_q.bias", "self_attn.q_proj.bias", reordersHeads() ? Query : Vector, 0, q,
                isRequired);
            add("attn_k.bias", "self_attn.k_proj.bias", reordersHeads() ? Key : Vector, 0, kv,
                isRequired);
            add("attn_v.bias", "self_attn.v_proj.bias", Vector, 0, kv, isRequired);
        }
        if (c_.arch == "llama")
            add("attn_output.bias", "self_attn.o_proj.bias", Vector, 0, c_.dim, false);
        const bool hasHeadNorms = c_.family == HfFamily::Qwen3 || c_.family == HfFamily::Qwen3Moe ||
                                  c_.family == HfFamily::Gemma3;
        if (hasHeadNorms || c_.family == HfFamily::Olmo2) {
            add("attn_q_norm.weight", "self_attn.q_norm.weight", norm(), 0,
                hasHeadNorms ? c_.headDim : q);
            add("attn_k_norm.weight", "self_attn.k_norm.weight", norm(), 0,
                hasHeadNorms ? c_.headDim : kv);
        }
    }

    void addFeedForward() {
        const int64_t d = c_.dim, ff = c_.ffDim;
        if (c_.nExperts > 0) {
            addExperts();
            return;
        }
        add("ffn_down.weight", "mlp.down_proj.weight", AsStored, d, ff);
        if (c_.family == HfFamily::Phi3) {
            add("ffn_up.weight", "mlp.gate_up_proj.weight", AsStored, 2 * ff, d);
            return;
        }
        add("ffn_gate.weight", "mlp.gate_proj.weight", AsStored, ff, d);
        add("ffn_up.weight", "mlp.up_proj.weight", AsStored, ff, d);
        if (c_.arch != "llama") return;
        add("ffn_gate.bias", "mlp.gate_proj.bias", Vector, 0, ff, false);
        add("ffn_up.bias", "mlp.up_proj.bias", Vector, 0, ff, false);
        add("ffn_down.bias", "mlp.down_proj.bias", Vector, 0, d, false);
    }

    void addExperts() {
        const int64_t d = c_.dim, ff = c_.expertFfDim;
        const bool isMixtral = c_.family == HfFamily::Mixtral;
        const std::string block = isMixtral ? "block_sparse_moe." : "mlp.";
        const auto expert = [&](const char* mixtral, const char* qwen) {
            return block + "experts.{}." + (isMixtral ? mixtral : qwen) + ".weight";
        };
        add("ffn_gate_inp.weight", block + "gate.weight", Wide, c_.nExperts, d);
        add("ffn_gate_exps.weight", expert("w1", "gate_proj"), Experts, ff, d);
        add("ffn_up_exps.weight", expert("w3", "up_proj"), Experts, ff, d);
        add("ffn_down_exps.weight", expert("w2", "down_proj"), Experts, d, ff);
    }

    void addGpt2Layer() {
        const int64_t d = c_.dim, ff = c_.ffDim;
        add("attn_norm.weight", "ln_1.weight", Vector, 0, d);
        add("attn_norm.bias", "ln_1.bias", Vector, 0, d);
        add("attn_qkv.weight", "attn.c_attn.weight", Transposed, 3 * d, d);
        add("attn_qkv.bias", "attn.c_attn.bias", Vector, 0, 3 * d);
        add("attn_output.weight", "attn.c_proj.weight", Transposed, d, d);
        add("attn_output.bias", "attn.c_proj.bias", Vector, 0, d);
        add("ffn_norm.weight", "ln_2.weight", Vector, 0, d);
        add("ffn_norm.bias", "ln_2.bias", Vector, 0, d);
        add("ffn_up.weight", "mlp.c_fc.weight", Transposed, ff, d);
        add("ffn_up.bias", "mlp.c_fc.bias", Vector, 0, ff);
        add("ffn_down.weight", "mlp.c_proj.weight", Transposed, d, ff);
        add("ffn_down.bias", "mlp.c_proj.bias", Vector, 0, d);
    }

    const HfConfig& c_;
    const bool isGemma_;
    int64_t layer_ = 0;
    std::vector<HfRule> rules_;
};

}  // namespace

std::vector<HfRule> tensorRules(const HfConfig& config) {
    return Rules(config).all();
}

bool isNegligible(const HfConfig& config, const std::string& name) {
    if (name.ends_with("lm_head.weight")) return config.isTied;
    if (name.ends_with(".rotary_emb.inv_freq")) return true;
    if (config.family == HfFamily::Gpt2)
        return name.ends_with(".attn.bias") || name.ends_with(".attn.masked_bias");
    if (config.family != HfFamily::Gemma3) return false;
    return name.find("vision_tower.") != std::string::npos ||
           name.find("multi_modal_projector.") != std::string::npos;
}

std::vector<float> llama3Divisors(const HfConfig& config) {
    const HfRope& rope = config.rope;
    const double context = static_cast<double>(rope.originalContext);
    const double longest = context / rope.lowFactor, shortest = context / rope.highFactor;
    std::vector<float> divisors;
    for (int64_t i = 0; i < config.ropeDim / 2; ++i) {
        const double exponent = static_cast<double>(2 * i) / static_cast<double>(config.ropeDim);
        const double wavelength = 2 * std::numbers::pi * std::pow(rope.base, exponent);
        double divisor = 1.0;
        if (wavelength > longest) {
            divisor = rope.factor;
        } else if (wavelength >= shortest) {
            const double smooth =
                (context / wavelength - rope.lowFactor) / (rope.highFactor - rope.lowFactor);
            divisor = 1.0 / ((1.0 - smooth) / rope.factor + smooth);
        }
        divisors.push_back(static_cast<float>(divisor));
    }
    return divisors;
}

}  // namespace vitrine::engine
