// The configuration as GGUF keys. Source: llama.cpp 82bb485, convert_hf_to_gguf.py; gguf-py
// constants.py. Beyond it: the window of mistral, gemma3's period, layers that choose by
// themselves.

#include <cmath>

#include "engine/io/hf_config.h"

namespace vitrine::engine {
namespace {

bool isGemma(HfFamily family) {
    return family == HfFamily::Gemma2 || family == HfFamily::Gemma3;
}

/// LongRoPE's magnitude. Source: Ding et al. 2024, "LongRoPE"; transformers,
/// _compute_longrope_parameters.
double longRopeMagnitude(const HfConfig& c) {
    if (c.rope.magnitude > 0) return c.rope.magnitude;
    const double original = static_cast<double>(c.rope.originalContext);
    const double ratio = static_cast<double>(c.context) / original;
    return ratio > 1.0 && original > 1.0 ? std::sqrt(1.0 + std::log(ratio) / std::log(original))
                                         : 1.0;
}

void addRopeKeys(const HfConfig& c, const std::string& p, MetaTable& table) {
    const HfRope& rope = c.rope;
    if (c.family == HfFamily::Gpt2) return;
    table.addFloat(p + "rope.freq_base", rope.base);
    if (c.arch == "llama" || c.family == HfFamily::Granite || c.ropeDim != c.headDim ||
        c.family == HfFamily::Phi3)
        table.add(p + "rope.dimension_count", c.ropeDim);
    if (c.family == HfFamily::Gemma3) table.addFloat(p + "rope.freq_base_swa", rope.windowedBase);
    if (c.family == HfFamily::Phi3)
        table.add(p + "rope.scaling.original_context_length", rope.originalContext);
    if (rope.type == "longrope") {
        table.add(p + "rope.scaling.original_context_length", rope.originalContext);
        table.addFloat(p + "rope.scaling.attn_factor", longRopeMagnitude(c));
        return;
    }
    // Llama 3's bands are in the tensor rope_freqs.weight.
    if (rope.type.empty() || rope.type == "llama3") return;
    table.add(p + "rope.scaling.type", rope.type);
    table.addFloat(p + "rope.scaling.factor", rope.factor);
    if (rope.type != "yarn") return;
    table.add(p + "rope.scaling.original_context_length", rope.originalContext);
    if (rope.betaFast > 0) table.addFloat(p + "rope.scaling.yarn_beta_fast", rope.betaFast);
    if (rope.betaSlow > 0) table.addFloat(p + "rope.scaling.yarn_beta_slow", rope.betaSlow);
    // GGUF's factor multiplies YaRN's own magnitude, config.json's replaces it.
    const double own = rope.factor > 1.0 ? 1.0 + 0.1 * std::log(rope.factor) : 1.0;
    if (rope.magnitude > 0)
        table.addFloat(p + "rope.scaling.yarn_attn_factor", rope.magnitude / own);
}

void addAttentionKeys(const HfConfig& c, const std::string& p, MetaTable& table) {
    table.add(p + "attention.head_count", c.nHeads);
    if (c.family != HfFamily::Gpt2) table.add(p + "attention.head_count_kv", c.nKvHeads);
    table.addFloat(p + (c.family == HfFamily::Gpt2 ? "attention.layer_norm_epsilon"
                                                   : "attention.layer_norm_rms_epsilon"),
                   c.normEps);
    if (c.isHeadDimGiven) {
        table.add(p + "attention.key_length", c.headDim);
        table.add(p + "attention.value_length", c.headDim);
    }
    if (c.window > 0 || c.family == HfFamily::Phi3)
        table.add(p + "attention.sliding_window", c.window);
    if (!c.windowedLayers.empty())
        table.add(p + "attention.sliding_window_pattern", c.windowedLayers);
    else if (c.windowPeriod > 0)
        table.add(p + "attention.sliding_window_pattern", c.windowPeriod);
    if (c.attentionCap > 0) table.addFloat(p + "attn_logit_softcapping", c.attentionCap);
    if (c.logitCap > 0) table.addFloat(p + "final_logit_softcapping", c.logitCap);
    if (c.family == HfFamily::Granite) {
        table.addFloat(p + "attention.scale", c.attentionScale);
        table.addFloat(p + "embedding_scale", c.embeddingScale);
        table.addFloat(p + "residual_scale", c.residualScale);
        table.addFloat(p + "logit_scale", c.logitScale);
    }
    // Files of the usual scale do not carry it; readers guess the 27B's from its layers.
    const bool isUsual = c.queryScalar == static_cast<double>(c.headDim);
    if (isGemma(c.family) && (!isUsual || c.nLayers == 46 || c.nLayers == 62))
        table.addFloat(p + "attention.scale", 1.0 / std::sqrt(c.queryScalar));
}

}  // namespace

void addConfigKeys(const HfConfig& c, MetaTable& table) {
    const std::string p = c.arch + ".";
    table.add("general.architecture", c.arch);
    table.add("general.type", std::string("model"));
    table.add(p + "context_length", c.context);
    table.add(p + "embedding_length", c.dim);
    table.add(p + "block_count", c.nLayers);
    table.add(p + "feed_forward_length", c.ffDim);
    addAttentionKeys(c, p, table);
    addRopeKeys(c, p, table);
    table.add(p + "vocab_size", c.vocab);
    if (c.nExperts > 0) {
        table.add(p + "expert_count", c.nExperts);
        table.add(p + "expert_used_count", c.nExpertsUsed);
        if (c.family == HfFamily::Qwen3Moe) {
            table.add(p + "expert_feed_forward_length", c.expertFfDim);
            if (!c.renormalisesExperts) table.add(p + "expert_weights_norm", false);
        }
    }
}

void addTokenIds(const HfConfig& c, MetaTable& table) {
    if (c.bosId >= 0) table.add("tokenizer.ggml.bos_token_id", c.bosId);
    if (c.eosId >= 0) table.add("tokenizer.ggml.eos_token_id", c.eosId);
    if (c.padId >= 0) table.add("tokenizer.ggml.padding_token_id", c.padId);
}

}  // namespace vitrine::engine
