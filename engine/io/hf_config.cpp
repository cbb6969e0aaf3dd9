#include "engine/io/hf_config.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "engine/io/header_cursor.h"
#include "engine/io/hf_reader.h"

namespace vitrine::engine {
namespace {

/// Bounds that no real model comes near; sizes multiplied from them stay below 2^63.
constexpr int64_t kMaxLayers = 1024;
constexpr int64_t kMaxHeads = 4096;
constexpr int64_t kMaxHeadDim = 4096;
constexpr int64_t kMaxWidth = 1 << 20;
constexpr int64_t kMaxVocab = 1 << 24;
constexpr int64_t kMaxContext = kHfMaxContext;
constexpr int64_t kMaxExperts = 4096;

/// The values of a configuration class of transformers. 0: nHeads for nKvHeads, dim / nHeads for
/// headDim, none for window. Source: transformers 5.24, models/*/configuration_*.py.
struct Family {
    const char* modelType;
    HfFamily family;
    const char* arch;
    int64_t vocab, dim, ffDim, nLayers, nHeads, nKvHeads, headDim, context;
    double normEps, ropeBase;
    bool isTied;
    int64_t window;
    const char* activation;
};

constexpr std::array kFamilies{
    Family{"llama", HfFamily::Llama, "llama", 32000, 4096, 11008, 32, 32, 0, 0, 2048, 1e-6, 1e4,
           false, 0, "silu"},
    Family{"mistral", HfFamily::Mistral, "llama", 32000, 4096, 14336, 32, 32, 8, 0, 131072, 1e-6,
           1e4, false, 4096, "silu"},
    Family{"mixtral", HfFamily::Mixtral, "llama", 32000, 4096, 14336, 32, 32, 8, 0, 131072, 1e-5,
           1e6, false, 0, "silu"},
    Family{"qwen2", HfFamily::Qwen2, "qwen2", 151936, 4096, 22016, 32, 32, 32, 0, 32768, 1e-6, 1e4,
           false, 4096, "silu"},
    Family{"qwen3", HfFamily::Qwen3, "qwen3", 151936, 4096, 22016, 32, 32, 32, 128, 32768, 1e-6,
           1e4, false, 4096, "silu"},
    Family{"qwen3_moe", HfFamily::Qwen3Moe, "qwen3moe", 151936, 2048, 6144, 24, 32, 4, 0, 32768,
           1e-6, 1e4, false, 4096, "silu"},
    Family{"gemma2", HfFamily::Gemma2, "gemma2", 256000, 2304, 9216, 26, 8, 4, 256, 8192, 1e-6, 1e4,
           true, 4096, "gelu_pytorch_tanh"},
    Family{"gemma3_text", HfFamily::Gemma3, "gemma3", 262208, 2304, 9216, 26, 8, 4, 256, 131072,
           1e-6, 1e6, true, 4096, "gelu_pytorch_tanh"},
    Family{"phi3", HfFamily::Phi3, "phi3", 32064, 3072, 8192, 32, 32, 0, 0, 4096, 1e-5, 1e4, false,
           0, "silu"},
    Family{"gpt2", HfFamily::Gpt2, "gpt2", 50257, 768, 3072, 12, 12, 0, 0, 1024, 1e-5, 1e4, true, 0,
           "gelu_new"},
    Family{"olmo2", HfFamily::Olmo2, "olmo2", 50304, 4096, 11008, 32, 32, 0, 0, 2048, 1e-5, 1e4,
           false, 0, "silu"},
    Family{"granite", HfFamily::Granite, "granite", 32000, 4096, 11008, 32, 32, 0, 0, 2048, 1e-6,
           1e4, false, 0, "silu"},
};

std::string knownTypes() {
    std::string all;
    for (const Family& family : kFamilies)
        all += (all.empty() ? "" : ", ") + std::string(family.modelType);
    return all;
}

/// Which family it is; null with the reason noted. `reader` is moved into the text part of a
/// multimodal model.
const Family* findFamily(HfReader& reader) {
    const std::string type = reader.text({"model_type"});
    const std::string first = reader.root()["architectures"].at(0).text().value_or("");
    if (type == "gemma3" && reader.root()["text_config"].isObject()) {
        reader = HfReader(reader.root()["text_config"]);
        for (const Family& family : kFamilies) {
            if (family.family == HfFamily::Gemma3) return &family;
        }
    }
    for (const Family& family : kFamilies) {
        if (type != family.modelType) continue;
        const bool generates =
            first.empty() || first.ends_with("ForCausalLM") || first.ends_with("LMHeadModel");
        if (generates) return &family;
        reader.unsupported("This folder holds a " + quotedName(first) +
                           ", which does not generate text; choose a model of the kind "
                           "…ForCausalLM.");
        return nullptr;
    }
    if (type.empty()) {
        reader.note(makeError(Errc::Format,
                              "The config.json of this folder does not say which model it is (key "
                              "\"model_type\"); choose the folder of a language model."));
        return nullptr;
    }
    reader.unsupported("The architecture " + quotedName(first.empty() ? type : first) +
                       " (model_type " + quotedName(type) + ") is not supported; Vitrine runs " +
                       knownTypes() + ".");
    return nullptr;
}

void readSizes(const Family& family, HfReader& in, HfConfig& c) {
    c.nLayers = in.integer({"num_hidden_layers", "n_layer"}, 1, kMaxLayers, family.nLayers);
    c.dim = in.integer({"hidden_size", "n_embd"}, 1, kMaxWidth, family.dim);
    const int64_t ffDefault = family.family == HfFamily::Gpt2 ? 4 * c.dim : family.ffDim;
    c.ffDim = in.integer({"intermediate_size", "n_inner"}, 1, kMaxWidth, ffDefault);
    c.nHeads = in.integer({"num_attention_heads", "n_head"}, 1, kMaxHeads, family.nHeads);
    c.nKvHeads = in.integer({"num_key_value_heads"}, 1, kMaxHeads,
                            family.nKvHeads > 0 ? std::min(family.nKvHeads, c.nHeads) : c.nHeads);
    c.context = in.integer({"max_position_embeddings", "n_positions", "n_ctx"}, 1, kMaxContext,
                           family.context);
    c.vocab = in.integer({"vocab_size"}, 1, kMaxVocab, family.vocab);
    if (c.nHeads % c.nKvHeads != 0)
        in.wrong<int>("num_key_value_heads", "does not divide the number of heads", 0);
    c.headDim = in.integer({"head_dim"}, 1, kMaxHeadDim, family.headDim);
    c.isHeadDimGiven = c.headDim > 0;
    if (!c.isHeadDimGiven) {
        if (c.dim % c.nHeads != 0)
            in.wrong<int>("num_attention_heads", "does not divide the hidden size", 0);
        c.headDim = std::max<int64_t>(c.dim / c.nHeads, 1);
    }
    const JsonValue rope = in.get({"rope_parameters", "rope_scaling"});
    HfReader ropeReader(rope);
    const double share = in.number({"partial_rotary_factor"}, 1e-3, 1.0,
                                   ropeReader.number({"partial_rotary_factor"}, 1e-3, 1.0, 1.0));
    if (ropeReader.failed()) in.note(ropeReader.error());
    c.ropeDim = std::max<int64_t>(static_cast<int64_t>(static_cast<double>(c.headDim) * share), 1);
}

void readExperts(const Family& family, HfReader& in, HfConfig& c) {
    if (family.family == HfFamily::Mixtral) {
        c.nExperts = in.integer({"num_local_experts"}, 1, kMaxExperts, 8);
        c.nExpertsUsed = in.integer({"num_experts_per_tok"}, 1, c.nExperts, 2);
        c.expertFfDim = c.ffDim;
    }
    if (family.family != HfFamily::Qwen3Moe) return;
    c.nExperts = in.integer({"num_experts", "num_local_experts"}, 1, kMaxExperts, 128);
    c.nExpertsUsed = in.integer({"num_experts_per_tok"}, 1, c.nExperts, 8);
    c.expertFfDim = in.integer({"moe_intermediate_size"}, 1, kMaxWidth, 768);
    c.renormalisesExperts = in.boolean("norm_topk_prob", false);
    const bool hasDenseLayers = in.integer({"decoder_sparse_step"}, 1, kMaxLayers, 1) != 1 ||
                                in.root()["mlp_only_layers"].size() > 0;
    if (hasDenseLayers)
        in.unsupported(
            "This mixture of experts has layers without experts (keys \"decoder_sparse_step\" and "
            "\"mlp_only_layers\"), which Vitrine does not do yet; choose another model.");
}

/// The window, and which layers have it where that is not what the architecture always does.
void readWindows(const Family& family, HfReader& in, HfConfig& c) {
    const bool isQwen = family.family == HfFamily::Qwen2 || family.family == HfFamily::Qwen3 ||
                        family.family == HfFamily::Qwen3Moe;
    const bool isGemma = family.family == HfFamily::Gemma2 || family.family == HfFamily::Gemma3;
    // A null is a choice here: no window.
    const std::vector<std::string> keys = in.root().keys();
    const bool isNull = std::find(keys.begin(), keys.end(), "sliding_window") != keys.end() &&
                        in.root()["sliding_window"].isNull();
    c.window = isNull ? 0 : in.integer({"sliding_window"}, 0, kMaxContext, family.window);
    if (isQwen && !in.boolean("use_sliding_window", false)) c.window = 0;
    if (c.window == 0) return;
    if (family.family == HfFamily::Gemma3)
        c.windowPeriod =
            in.integer({"sliding_window_pattern", "_sliding_window_pattern"}, 1, kMaxLayers, 6);
    const int64_t period = family.family == HfFamily::Gemma2 ? 2 : c.windowPeriod;
    const int64_t firstWindowed =
        isQwen ? in.integer({"max_window_layers"}, 0, kMaxContext, 28) : 0;
    const JsonValue types = in.root()["layer_types"];
    if (types.isArray() && types.size() != static_cast<size_t>(c.nLayers)) {
        in.wrong<int>("layer_types", "does not have one entry per layer", 0);
        return;
    }
    const bool hasTypes = types.isArray() && (isQwen || isGemma);
    std::vector<int64_t> usual, windowed;
    for (int64_t i = 0; i < c.nLayers; ++i) {
        usual.push_back(period == 0 || i % period < period - 1 ? 1 : 0);
        const std::string type = types.at(static_cast<size_t>(i)).text().value_or("");
        if (hasTypes && type != "sliding_attention" && type != "full_attention")
            in.unsupported("This model has layers of the kind " + quotedName(type) +
                           ", which Vitrine does not do; choose another model.");
        windowed.push_back(hasTypes ? (type == "sliding_attention" ? 1 : 0)
                           : isQwen ? (i >= firstWindowed ? 1 : 0)
                                    : usual.back());
    }
    if (windowed != usual) c.windowedLayers = std::move(windowed);
}

void checkActivation(const Family& family, HfReader& in) {
    const bool isGemma = family.family == HfFamily::Gemma2 || family.family == HfFamily::Gemma3;
    const std::string given =
        isGemma ? in.text({"hidden_activation"}) : in.text({"hidden_act", "activation_function"});
    const std::string_view own = family.activation;
    const bool isTanh = given == "gelu_new" || given == "gelu_pytorch_tanh";
    if (given.empty() || given == own || (isTanh && own != "silu") ||
        (given == "swish" && own == "silu"))
        return;
    in.unsupported("This model's activation is " + quotedName(given) + " where Vitrine does " +
                   std::string(own) + " for this architecture; choose another model.");
}

void checkVariants(const Family& family, HfReader& in) {
    checkActivation(family, in);
    const JsonValue quantisation = in.root()["quantization_config"];
    if (!quantisation.isNull()) {
        const std::string method =
            quantisation["quant_method"].text().value_or("a method that is not named");
        in.unsupported("The weights in this folder are quantised with " + quotedName(method) +
                       ", which Vitrine does not read; take the original model, or a GGUF of it.");
    }
    if (in.boolean("scale_attn_by_inverse_layer_idx", false) ||
        !in.boolean("scale_attn_weights", true))
        in.unsupported(
            "This gpt2 model scales its attention by layer (key "
            "\"scale_attn_by_inverse_layer_idx\"), which Vitrine does not do; choose another "
            "model.");
    if (in.boolean("use_bidirectional_attention", false))
        in.unsupported(
            "This model's attention looks both ways (key \"use_bidirectional_attention\"), so it "
            "does not generate text; choose another model.");
}

void readScales(const Family& family, HfReader& in, HfConfig& c) {
    constexpr double kMost = 1e6;
    const double cap = family.family == HfFamily::Gemma2 ? 50.0 : 0.0;
    const std::vector<std::string> keys = in.root().keys();
    const auto isGivenNull = [&](const char* key) {
        return std::find(keys.begin(), keys.end(), key) != keys.end() && in.root()[key].isNull();
    };
    c.attentionCap = isGivenNull("attn_logit_softcapping")
                         ? 0.0
                         : in.number({"attn_logit_softcapping"}, 0.0, kMost, cap);
    c.logitCap = isGivenNull("final_logit_softcapping")
                     ? 0.0
                     : in.number({"final_logit_softcapping"}, 0.0, kMost, cap > 0 ? 30.0 : 0.0);
    c.queryScalar = in.number({"query_pre_attn_scalar"}, 1e-3, kMost, 256.0);
    c.attentionScale = in.number({"attention_multiplier"}, -kMost, kMost, 1.0);
    c.embeddingScale = in.number({"embedding_multiplier"}, -kMost, kMost, 1.0);
    c.residualScale = in.number({"residual_multiplier"}, -kMost, kMost, 1.0);
    c.logitScale = in.number({"logits_scaling"}, -kMost, kMost, 1.0);
    c.normEps = in.number({"rms_norm_eps", "layer_norm_epsilon"}, 0.0, 1.0, family.normEps);
}

int64_t firstId(const JsonValue& value) {
    return value.isArray() ? value.at(0).integer().value_or(-1) : value.integer().value_or(-1);
}

}  // namespace

Result<HfConfig> readHfConfig(const JsonValue& config) {
    if (!config.isObject())
        return makeError(Errc::Format,
                         "The config.json of this folder is not a JSON object; download it again.");
    HfReader in(config);
    const HfReader outer(config);
    const Family* family = findFamily(in);
    if (family == nullptr) return in.error();
    HfConfig c;
    c.family = family->family;
    c.arch = family->arch;
    c.modelType = family->modelType;
    c.name = outer.text({"_name_or_path"});
    c.dtype = in.text({"dtype", "torch_dtype"});
    if (c.dtype.empty()) c.dtype = outer.text({"dtype", "torch_dtype"});
    checkVariants(*family, in);
    readSizes(*family, in, c);
    readExperts(*family, in, c);
    readWindows(*family, in, c);
    readScales(*family, in, c);
    readHfRope(family->family, family->ropeBase, in, c);
    c.isTied = in.boolean("tie_word_embeddings", family->isTied);
    for (const auto& [key, id] :
         {std::pair{"bos_token_id", &c.bosId}, std::pair{"eos_token_id", &c.eosId},
          std::pair{"pad_token_id", &c.padId}}) {
        *id = firstId(in.root()[key]);
        if (*id < 0) *id = firstId(outer.root()[key]);
    }
    if (in.failed()) return in.error();
    return c;
}

}  // namespace vitrine::engine
