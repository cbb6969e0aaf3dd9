#include "engine/model/architecture.h"

#include <cmath>

#include "engine/io/model_file.h"

namespace vitrine::engine {

namespace {

/// Bounds that no real model comes near; beyond them the file is damaged and sizes could overflow.
constexpr int64_t kMaxLayers = 1024;
constexpr int64_t kMaxHeads = 4096;
constexpr int64_t kMaxWidth = 1 << 20;
constexpr int64_t kMaxContext = int64_t{1} << 26;

Error badKey(const std::string& key, const std::string& why) {
    return makeError(Errc::Format, "The model file's key \"" + key + "\" " + why +
                                       "; the file is damaged or was converted wrongly.");
}

/// An integer key in [low, high]; `fallback` < 0 means that it must be there.
Result<int32_t> boundedInteger(const ModelFile& file, const std::string& key, int64_t low,
                               int64_t high, int64_t fallback) {
    std::optional<int64_t> value = file.integer(key);
    if (!value) {
        if (file.find(key) != nullptr) return badKey(key, "has the wrong type");
        if (fallback < 0) return badKey(key, "is missing");
        value = fallback;
    }
    if (*value < low || *value > high)
        return badKey(key, "has the impossible value " + std::to_string(*value));
    return static_cast<int32_t>(*value);
}

Result<void> readRope(const ModelFile& file, const std::string& prefix, ModelConfig& config) {
    auto ropeDim =
        boundedInteger(file, prefix + "rope.dimension_count", 2, config.headDim, config.headDim);
    if (!ropeDim) return std::move(ropeDim).error();
    if (*ropeDim % 2 != 0) return badKey(prefix + "rope.dimension_count", "is odd");
    config.rope.dim = *ropeDim;
    config.rope.base = file.number(prefix + "rope.freq_base").value_or(10000.0);
    if (!(config.rope.base > 0) || !std::isfinite(config.rope.base))
        return badKey(prefix + "rope.freq_base", "is not a positive number");

    const std::string* scaling = file.string(prefix + "rope.scaling.type");
    const std::string kind = scaling != nullptr ? *scaling : "linear";
    double factor = file.number(prefix + "rope.scaling.factor").value_or(0.0);
    if (factor == 0.0) factor = file.number(prefix + "rope.scale_linear").value_or(1.0);
    if (kind == "none") factor = 1.0;
    if (kind != "none" && kind != "linear") {
        return makeError(Errc::Unsupported, "This model scales RoPE by \"" + kind +
                                                "\", which Vitrine does not do yet; choose a model "
                                                "without it.");
    }
    if (!(factor > 0) || !std::isfinite(factor))
        return badKey(prefix + "rope.scaling.factor", "is not a positive number");
    config.rope.linearFactor = factor;
    return {};
}

}  // namespace

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

Result<ModelConfig> readCommonConfig(const ModelFile& file, std::string_view arch) {
    const std::string prefix = std::string(arch) + ".";
    ModelConfig config;
    config.architecture = arch;
    const std::string* name = file.string("general.name");
    config.name = name != nullptr ? *name : "";

    struct Field {
        const char* key;
        int32_t* target;
        int64_t low, high, fallback;
    };

    const Field fields[] = {
        {"block_count", &config.nLayers, 1, kMaxLayers, -1},
        {"embedding_length", &config.dim, 1, kMaxWidth, -1},
        {"feed_forward_length", &config.ffDim, 1, kMaxWidth, -1},
        {"attention.head_count", &config.nHeads, 1, kMaxHeads, -1},
        {"context_length", &config.trainedContext, 1, kMaxContext, -1},
    };
    for (const Field& field : fields) {
        auto value =
            boundedInteger(file, prefix + field.key, field.low, field.high, field.fallback);
        if (!value) return std::move(value).error();
        *field.target = *value;
    }
    auto nKvHeads =
        boundedInteger(file, prefix + "attention.head_count_kv", 1, config.nHeads, config.nHeads);
    if (!nKvHeads) return std::move(nKvHeads).error();
    config.nKvHeads = *nKvHeads;
    if (config.nHeads % config.nKvHeads != 0)
        return badKey(prefix + "attention.head_count_kv", "does not divide the number of heads");

    auto headDim =
        boundedInteger(file, prefix + "attention.key_length", 1, 4096, config.dim / config.nHeads);
    if (!headDim) return std::move(headDim).error();
    auto valueDim = boundedInteger(file, prefix + "attention.value_length", 1, 4096, *headDim);
    if (!valueDim) return std::move(valueDim).error();
    if (*headDim != *valueDim)
        return makeError(Errc::Unsupported,
                         "This model's keys and values have different lengths, which Vitrine does "
                         "not do yet.");
    if (file.find(prefix + "attention.key_length") == nullptr && config.dim % config.nHeads != 0)
        return badKey(prefix + "attention.head_count", "does not divide the embedding length");
    config.headDim = *headDim;
    config.attentionScale = 1.0f / std::sqrt(static_cast<float>(config.headDim));

    const double eps = file.number(prefix + "attention.layer_norm_rms_epsilon").value_or(1e-5);
    if (!(eps >= 0) || eps > 1.0)
        return badKey(prefix + "attention.layer_norm_rms_epsilon", "is not a small number");
    config.rmsEps = static_cast<float>(eps);

    if (file.integer(prefix + "expert_count").value_or(0) > 0)
        return makeError(Errc::Unsupported,
                         "This model is a mixture of experts, which Vitrine does not run yet.");
    auto window = boundedInteger(file, prefix + "attention.sliding_window", 0, kMaxContext, 0);
    if (!window) return std::move(window).error();
    config.block.window = *window;

    const TensorInfo* embedding = file.tensor("token_embd.weight");
    if (embedding == nullptr || embedding->nRows() < 1 || embedding->nRows() > (1 << 24))
        return makeError(Errc::Format,
                         "The tensor \"token_embd.weight\" is missing or has an impossible size; "
                         "the file is damaged or holds no language model.");
    config.vocab = static_cast<int32_t>(embedding->nRows());
    auto rope = readRope(file, prefix, config);
    if (!rope) return std::move(rope).error();
    return config;
}

std::vector<TensorSpec> commonTensors(bool qkvBias) {
    std::vector<TensorSpec> specs{
        {Slot::TokenEmbedding, "token_embd.weight", false, true, true},
        {Slot::OutputNorm, "output_norm.weight", false, false, true},
        {Slot::Output, "output.weight", false, true, false},
        {Slot::RopeFreqs, "rope_freqs.weight", false, false, false},
        {Slot::AttnNorm, "attn_norm.weight", true, false, true},
        {Slot::AttnQ, "attn_q.weight", true, true, true},
        {Slot::AttnK, "attn_k.weight", true, true, true},
        {Slot::AttnV, "attn_v.weight", true, true, true},
        {Slot::AttnOut, "attn_output.weight", true, true, true},
        {Slot::FfnNorm, "ffn_norm.weight", true, false, true},
        {Slot::FfnGate, "ffn_gate.weight", true, true, true},
        {Slot::FfnUp, "ffn_up.weight", true, true, true},
        {Slot::FfnDown, "ffn_down.weight", true, true, true},
    };
    if (qkvBias) {
        specs.push_back({Slot::AttnQBias, "attn_q.bias", true, false, true});
        specs.push_back({Slot::AttnKBias, "attn_k.bias", true, false, true});
        specs.push_back({Slot::AttnVBias, "attn_v.bias", true, false, true});
    }
    return specs;
}

}  // namespace vitrine::engine
