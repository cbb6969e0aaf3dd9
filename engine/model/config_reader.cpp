#include "engine/model/config_reader.h"

#include <algorithm>
#include <cmath>

#include "engine/io/model_file.h"

namespace vitrine::engine {

namespace {

/// Bounds that no real model comes near; beyond them the file is damaged and sizes could overflow.
constexpr int64_t kMaxLayers = 1024;
constexpr int64_t kMaxHeads = 4096;
constexpr int64_t kMaxWidth = 1 << 20;
constexpr int64_t kMaxContext = int64_t{1} << 26;
constexpr int64_t kMaxHeadDim = 4096;
constexpr double kMaxFactor = 1e6;
constexpr double kSmallestBase = 1.01;  // its logarithm divides
constexpr int64_t kSoftmaxGating = 1;   // llama.cpp's number for "softmax over all experts"

Result<void> readSizes(const ConfigReader& reader, ModelConfig& config) {
    struct Field {
        const char* key;
        int32_t* target;
        int64_t high;
    };

    const Field fields[] = {
        {"block_count", &config.nLayers, kMaxLayers},
        {"embedding_length", &config.dim, kMaxWidth},
        {"feed_forward_length", &config.ffDim, kMaxWidth},
        {"attention.head_count", &config.nHeads, kMaxHeads},
        {"context_length", &config.trainedContext, kMaxContext},
    };
    for (const Field& field : fields) {
        auto value = reader.integer(field.key, 1, field.high);
        if (!value) return std::move(value).error();
        *field.target = *value;
    }
    config.layers.resize(static_cast<size_t>(config.nLayers));
    auto nKvHeads = reader.integer("attention.head_count_kv", 1, config.nHeads, config.nHeads);
    if (!nKvHeads) return std::move(nKvHeads).error();
    config.nKvHeads = *nKvHeads;
    if (config.nHeads % config.nKvHeads != 0)
        return reader.badKey("attention.head_count_kv", "does not divide the number of heads");

    const bool isGiven = reader.file().find(reader.fullKey("attention.key_length")) != nullptr;
    if (!isGiven && config.dim % config.nHeads != 0)
        return reader.badKey("attention.head_count", "does not divide the embedding length");
    auto headDim =
        reader.integer("attention.key_length", 1, kMaxHeadDim, config.dim / config.nHeads);
    if (!headDim) return std::move(headDim).error();
    auto valueDim = reader.integer("attention.value_length", 1, kMaxHeadDim, *headDim);
    if (!valueDim) return std::move(valueDim).error();
    if (*headDim != *valueDim)
        return makeError(Errc::Unsupported,
                         "This model's keys and values have different lengths, which Vitrine does "
                         "not do yet.");
    config.headDim = *headDim;
    if (int64_t{config.nHeads} * config.headDim > kMaxWidth)
        return reader.badKey("attention.key_length", "makes heads of an impossible width");
    if (reader.file().tensors().empty())
        return makeError(Errc::Unsupported,
                         "This file holds a vocabulary and no weights; choose the model's own "
                         "file.");
    const TensorInfo* embedding = reader.file().tensor("token_embd.weight");
    if (embedding == nullptr || embedding->nRows() < 1 || embedding->nRows() > (1 << 24))
        return makeError(Errc::Format,
                         "The tensor \"token_embd.weight\" is missing or has an impossible size; "
                         "the file is damaged or holds no language model.");
    config.vocab = static_cast<int32_t>(embedding->nRows());
    return {};
}

Result<void> readScalars(const ConfigReader& reader, ModelConfig& config) {
    const bool isLayerNorm =
        reader.file().find(reader.fullKey("attention.layer_norm_epsilon")) != nullptr;
    auto eps = reader.number(
        isLayerNorm ? "attention.layer_norm_epsilon" : "attention.layer_norm_rms_epsilon", 0.0, 1.0,
        1e-5);
    if (!eps) return std::move(eps).error();
    config.normEps = static_cast<float>(*eps);
    auto scale = reader.number("attention.scale", 0.0, kMaxFactor, 0.0);
    if (!scale) return std::move(scale).error();
    config.attentionScale = *scale > 0 ? static_cast<float>(*scale)
                                       : 1.0f / std::sqrt(static_cast<float>(config.headDim));
    auto window = reader.integer("attention.sliding_window", 0, kMaxContext, 0);
    if (!window) return std::move(window).error();
    for (LayerSpec& layer : config.layers) layer.window = *window;
    return {};
}

Result<void> readYarn(const ConfigReader& reader, double factor, RopeAngles& angles) {
    if (factor < 1.0) return reader.badKey("rope.scaling.factor", "is below 1");

    struct Field {
        const char* key;
        double* target;
        double low;
    };

    const Field fields[] = {
        {"rope.scaling.yarn_beta_fast", &angles.yarnBetaFast, 1e-3},
        {"rope.scaling.yarn_beta_slow", &angles.yarnBetaSlow, 1e-3},
        {"rope.scaling.yarn_ext_factor", &angles.yarnShare, 0.0},
    };
    for (const Field& field : fields) {
        auto value = reader.number(field.key, field.low, kMaxFactor, *field.target);
        if (!value) return std::move(value).error();
        *field.target = *value;
    }
    auto magnitude = reader.number("rope.scaling.yarn_attn_factor", 1e-3, kMaxFactor, 1.0);
    if (!magnitude) return std::move(magnitude).error();
    angles.magnitude *= *magnitude;
    angles.yarnFactor = factor;
    return {};
}

Result<void> readRope(const ConfigReader& reader, ModelConfig& config) {
    auto ropeDim = reader.integer("rope.dimension_count", 2, config.headDim, config.headDim);
    if (!ropeDim) return std::move(ropeDim).error();
    if (*ropeDim % 2 != 0) return reader.badKey("rope.dimension_count", "is odd");
    config.rope.dim = *ropeDim;
    RopeAngles& angles = config.rope.full;
    auto base = reader.number("rope.freq_base", kSmallestBase, 1e15, 10000.0);
    if (!base) return std::move(base).error();
    angles.base = *base;

    auto factor = reader.number("rope.scaling.factor", 0.0, kMaxFactor, 0.0);
    if (factor && *factor == 0.0) factor = reader.number("rope.scale_linear", 0.0, kMaxFactor, 0.0);
    if (!factor) return std::move(factor).error();
    if (*factor == 0.0) factor = 1.0;
    auto magnitude = reader.number("rope.scaling.attn_factor", 1e-3, kMaxFactor, 1.0);
    if (!magnitude) return std::move(magnitude).error();
    angles.magnitude = *magnitude;
    auto original = reader.integer("rope.scaling.original_context_length", 1, kMaxContext,
                                   config.trainedContext);
    if (!original) return std::move(original).error();
    config.rope.originalContext = *original;

    const std::string* given = reader.file().string(reader.fullKey("rope.scaling.type"));
    const std::string kind = given != nullptr ? *given : "linear";
    if (kind == "yarn") return readYarn(reader, *factor, angles);
    // LongRoPE's scaling is in its two tensors and the magnitude.
    config.rope.needsFactors = kind == "longrope";
    if (kind == "none" || kind == "longrope") return {};
    if (kind != "linear") {
        return makeError(Errc::Unsupported, "This model scales RoPE by \"" + kind.substr(0, 64) +
                                                "\", which Vitrine does not do yet; choose a model "
                                                "without it.");
    }
    if (*factor < 1e-3) return reader.badKey("rope.scaling.factor", "is too small");
    angles.linearFactor = *factor;
    return {};
}

Result<void> readExperts(const ConfigReader& reader, ModelConfig& config) {
    auto count = reader.integer("expert_count", 0, kernels::ExpertsArgs::kMaxExperts, 0);
    if (!count) return std::move(count).error();
    if (*count == 0) return {};
    auto used = reader.integer("expert_used_count", 1, *count);
    if (!used) return std::move(used).error();
    auto ffDim = reader.integer("expert_feed_forward_length", 1, kMaxWidth, config.ffDim);
    if (!ffDim) return std::move(ffDim).error();
    auto scale = reader.number("expert_weights_scale", 0.0, kMaxFactor, 0.0);
    if (!scale) return std::move(scale).error();
    auto shared = reader.integer("expert_shared_count", 0, kMaxLayers, 0);
    if (!shared) return std::move(shared).error();
    if (*shared > 0)
        return makeError(Errc::Unsupported,
                         "This mixture of experts has shared experts, which Vitrine does not do "
                         "yet.");
    auto gating = reader.integer("expert_gating_func", 0, 255, kSoftmaxGating);
    if (!gating) return std::move(gating).error();
    if (*gating != kSoftmaxGating)
        return makeError(Errc::Unsupported,
                         "This mixture of experts chooses by another function than softmax "
                         "(key \"expert_gating_func\"), which Vitrine does not do yet.");
    config.experts.count = *count;
    config.experts.used = *used;
    config.experts.ffDim = *ffDim;
    config.experts.renormalise = reader.boolean("expert_weights_norm", true);
    if (*scale != 0.0) config.experts.weightScale = static_cast<float>(*scale);
    config.block.feedForward = FeedForward::Experts;
    return {};
}

}  // namespace

Error ConfigReader::badKey(std::string_view key, const std::string& why) const {
    return makeError(Errc::Format, "The model file's key \"" + fullKey(key) + "\" " + why +
                                       "; the file is damaged or was converted wrongly.");
}

Result<int32_t> ConfigReader::integer(std::string_view key, int64_t low, int64_t high,
                                      int64_t fallback) const {
    const std::string name = fullKey(key);
    std::optional<int64_t> value = file_.integer(name);
    if (const std::vector<int64_t>* perLayer = file_.integers(name);
        perLayer != nullptr && !perLayer->empty()) {
        for (int64_t other : *perLayer) {
            if (other != perLayer->front())
                return makeError(Errc::Unsupported,
                                 "This model's \"" + name +
                                     "\" differs from layer to layer, which Vitrine does not do "
                                     "yet.");
        }
        value = perLayer->front();
    }
    if (!value) {
        if (file_.find(name) != nullptr) return badKey(key, "has the wrong type");
        if (fallback < 0) return badKey(key, "is missing");
        value = fallback;
    }
    if (*value < low || *value > high)
        return badKey(key, "has the impossible value " + std::to_string(*value));
    return static_cast<int32_t>(*value);
}

Result<double> ConfigReader::number(std::string_view key, double low, double high,
                                    double fallback) const {
    const std::string name = fullKey(key);
    const std::optional<double> value = file_.number(name);
    if (!value) {
        if (file_.find(name) != nullptr) return badKey(key, "has the wrong type");
        return fallback;
    }
    if (!(*value >= low) || !(*value <= high)) return badKey(key, "has an impossible value");
    return *value;
}

bool ConfigReader::boolean(std::string_view key, bool fallback) const {
    return file_.boolean(fullKey(key)).value_or(fallback);
}

Result<ModelConfig> readCommonConfig(const ModelFile& file, std::string_view arch,
                                     bool mayHaveExperts) {
    const ConfigReader reader(file, arch);
    ModelConfig config;
    config.architecture = arch;
    const std::string* name = file.string("general.name");
    config.name = name != nullptr ? *name : "";
    for (auto part : {readSizes, readScalars, readRope, readExperts}) {
        auto read = part(reader, config);
        if (!read) return std::move(read).error();
    }
    if (config.experts.count > 0 && !mayHaveExperts)
        return makeError(Errc::Unsupported,
                         "This model is a mixture of experts of the architecture \"" +
                             config.architecture + "\", which Vitrine runs only without experts.");
    auto windows = readWindowPattern(file, 0, config);
    if (!windows) return std::move(windows).error();
    return config;
}

Result<void> readWindowPattern(const ModelFile& file, int32_t defaultPeriod, ModelConfig& config) {
    constexpr const char* kKey = "attention.sliding_window_pattern";
    const ConfigReader reader(file, config.architecture);
    int32_t window = 0;
    for (const LayerSpec& layer : config.layers) window = std::max(window, layer.window);
    if (window == 0) return {};
    if (const std::vector<int64_t>* flags = file.integers(reader.fullKey(kKey))) {
        if (flags->size() != config.layers.size())
            return reader.badKey(kKey, "does not have one value per layer");
        for (size_t i = 0; i < flags->size(); ++i)
            config.layers[i].window = (*flags)[i] != 0 ? window : 0;
        return {};
    }
    auto period = reader.integer(kKey, 0, kMaxLayers, defaultPeriod);
    if (!period) return std::move(period).error();
    for (int32_t i = 0; i < config.nLayers; ++i) {
        const bool isWindowed = *period == 0 || i % *period < *period - 1;
        config.layers[static_cast<size_t>(i)].window = isWindowed ? window : 0;
    }
    return {};
}

Result<void> readWindowedAngles(const ModelFile& file, double defaultBase, ModelConfig& config) {
    const ConfigReader reader(file, config.architecture);
    auto base = reader.number("rope.freq_base_swa", kSmallestBase, 1e15, defaultBase);
    if (!base) return std::move(base).error();
    config.rope.hasWindowedAngles = true;
    config.rope.windowed.base = *base;
    for (LayerSpec& layer : config.layers) layer.usesWindowedAngles = layer.window > 0;
    return {};
}

void setGemmaBlock(int32_t layersOf27B, const ModelFile& file, ModelConfig& config) {
    config.block.hasPostNorm = true;
    config.block.activation = kernels::Activation::GeluTanh;
    config.embeddingScale = std::sqrt(static_cast<float>(config.dim));
    const bool isGiven = file.find(config.architecture + ".attention.scale") != nullptr;
    if (config.nLayers == layersOf27B && !isGiven)
        config.attentionScale =
            1.0f / std::sqrt(static_cast<float>(config.dim) / static_cast<float>(config.nHeads));
}

Result<float> readSoftcap(const ModelFile& file, std::string_view arch, std::string_view key) {
    auto cap = ConfigReader(file, arch).number(key, 0.0, kMaxFactor, 0.0);
    if (!cap) return std::move(cap).error();
    return static_cast<float>(*cap);
}

}  // namespace vitrine::engine
