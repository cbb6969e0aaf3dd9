// Sizes from a Hugging Face config.json, of any model that has heads and layers. Defaults are those
// of the transformers library where a key is absent.

#include <algorithm>
#include <initializer_list>
#include <nlohmann/json.hpp>

#include "engine/plan/shape_reader.h"

namespace vitrine::engine {

namespace {

using nlohmann::json;

constexpr int64_t kMaxNumber = int64_t{1} << 40;
constexpr size_t kMaxDepth = 64;

/// Typed look-ups under several spellings; the first mistake is kept.
class Config {
public:
    explicit Config(const json& object) : object_(object) {}

    const json* find(std::initializer_list<const char*> names) const {
        for (const char* name : names) {
            const auto it = object_.find(name);
            if (it != object_.end() && !it->is_null()) return &*it;
        }
        return nullptr;
    }

    /// `fallback` < 0: must be there.
    int64_t integer(std::initializer_list<const char*> names, int64_t fallback) {
        const json* value = find(names);
        const std::string name = *names.begin();
        if (value == nullptr) {
            if (fallback < 0)
                reject("The configuration does not say \"" + name +
                       "\", so this model cannot be planned for.");
            return std::max<int64_t>(fallback, 0);
        }
        const double number = value->is_number() ? value->get<double>() : -1;
        if (!(number >= 0) || number > static_cast<double>(kMaxNumber) ||
            number != static_cast<double>(static_cast<int64_t>(number))) {
            reject("The configuration's \"" + name + "\" is " + value->dump().substr(0, 40) +
                   ", which is no possible size; correct config.json.");
            return 0;
        }
        return static_cast<int64_t>(number);
    }

    bool boolean(std::initializer_list<const char*> names, bool fallback) const {
        const json* value = find(names);
        return value != nullptr && value->is_boolean() ? value->get<bool>() : fallback;
    }

    std::string text(std::initializer_list<const char*> names) const {
        const json* value = find(names);
        return value != nullptr && value->is_string() ? value->get<std::string>() : std::string();
    }

    void reject(std::string sentence) {
        if (error_.empty()) error_ = std::move(sentence);
    }

    const std::string& error() const { return error_; }

private:
    const json& object_;
    std::string error_;
};

bool startsWith(const std::string& text, const char* head) {
    return text.rfind(head, 0) == 0;
}

void readHeads(Config& c, const std::string& type, ModelShape& s) {
    s.nHeads = c.integer({"num_attention_heads", "n_head", "n_heads"}, -1);
    const bool isMultiQuery = c.boolean({"multi_query"}, false);
    s.nKvHeads = c.integer({"num_key_value_heads", "num_kv_heads", "n_head_kv"},
                           isMultiQuery ? 1 : s.nHeads);
    int64_t plain = s.nHeads > 0 ? s.dim / s.nHeads : 0;
    if (startsWith(type, "gemma")) plain = 256;
    if (startsWith(type, "qwen3")) plain = 128;
    s.keyDim = s.valueDim = c.integer({"head_dim", "attention_head_dim"}, plain);
    s.kvRank = c.integer({"kv_lora_rank"}, 0);
    if (!s.isLatent()) return;
    s.ropeDim = c.integer({"qk_rope_head_dim"}, -1);
    s.keyDim = c.integer({"qk_nope_head_dim"}, -1) + s.ropeDim;
    s.valueDim = c.integer({"v_head_dim"}, -1);
    s.qRank = c.integer({"q_lora_rank"}, 0);
}

void readExperts(Config& c, ModelShape& s) {
    s.nExperts = c.integer({"num_local_experts", "n_routed_experts", "num_experts"}, 0);
    if (s.nExperts <= 1) {
        s.nExperts = 0;
        return;
    }
    s.nExpertsUsed =
        c.integer({"num_experts_per_tok", "num_experts_per_token", "top_k_experts"}, 2);
    s.expertFfDim = c.integer({"moe_intermediate_size", "expert_ffn_hidden_size"}, s.ffDim);
    s.nSharedExperts = c.integer({"n_shared_experts", "num_shared_experts"}, 0);
    const int64_t shared = c.integer({"shared_expert_intermediate_size"}, 0);
    if (shared > 0 && s.expertFfDim > 0) s.nSharedExperts = shared / s.expertFfDim;
    s.nDenseLayers = c.integer({"first_k_dense_replace"}, 0);
    s.hasExpertBias = c.text({"topk_method"}) == "noaux_tc";
}

/// Which layers keep a window only, and which keep no KV at all.
void readWindows(Config& c, const std::string& type, ModelShape& s) {
    int64_t window = c.integer({"sliding_window", "attention_window_size"}, 0);
    const bool isQwen = startsWith(type, "qwen");
    if (!c.boolean({"use_sliding_window"}, !isQwen)) window = 0;
    const json* types = c.find({"layer_types"});
    if (types != nullptr && types->is_array()) {
        if (static_cast<int64_t>(types->size()) != s.nLayers) {
            c.reject(
                "The configuration's \"layer_types\" does not have one entry per layer; "
                "correct config.json.");
            return;
        }
        const int64_t chunk = c.integer({"attention_chunk_size"}, window);
        for (const json& entry : *types) {
            const std::string kind = entry.is_string() ? entry.get<std::string>() : "";
            LayerShape layer{s.nKvHeads, 0};
            if (kind == "sliding_attention") layer.window = window;
            if (kind == "chunked_attention") layer.window = chunk;
            if (kind == "linear_attention" || kind == "mamba" || kind == "conv") layer.nKvHeads = 0;
            s.layers.push_back(layer);
        }
        return;
    }
    if (window == 0) return;
    int64_t fallback = 0;
    if (type == "gemma2") fallback = 2;
    if (startsWith(type, "gemma3")) fallback = 6;
    if (startsWith(type, "cohere2")) fallback = 4;
    if (startsWith(type, "gpt_oss")) fallback = 2;
    const int64_t period =
        c.integer({"sliding_window_pattern", "_sliding_window_pattern"}, fallback);
    const int64_t firstWindowed = isQwen ? c.integer({"max_window_layers"}, 28) : 0;
    for (int64_t i = 0; i < s.nLayers; ++i) {
        const bool isFull = i < firstWindowed || (period > 0 && i % period == period - 1);
        s.layers.push_back({s.nKvHeads, isFull ? 0 : window});
    }
}

void readDetails(Config& c, const std::string& type, ModelShape& s) {
    const bool isGpt2 = type == "gpt2", isGemma = startsWith(type, "gemma");
    s.isTied = c.boolean({"tie_word_embeddings"}, isGpt2 || isGemma || startsWith(type, "cohere"));
    s.isGated = !(isGpt2 || type == "gpt_neox" || type == "starcoder2" || type == "phi" ||
                  type == "opt" || type == "bloom" || type == "falcon");
    const bool hasBias = c.boolean({"attention_bias", "use_bias"}, isGpt2 || type == "starcoder2");
    s.hasQkvBias = hasBias || c.boolean({"qkv_bias"}, type == "qwen2" || type == "qwen2_moe");
    s.hasOutBias = hasBias;
    s.hasFfBias = c.boolean({"mlp_bias", "use_bias"}, isGpt2 || type == "starcoder2");
    s.hasNormBias = isGpt2 || type == "starcoder2" || type == "gpt_neox" || type == "phi";
    s.isQkNormWide = startsWith(type, "olmo2") || startsWith(type, "olmo3");
    s.hasQkNorm = s.isQkNormWide || startsWith(type, "qwen3") || startsWith(type, "gemma3");
    if (type == "gemma2" || startsWith(type, "gemma3")) s.nNormsPerLayer = 4;
    if (isGpt2) s.nPositions = s.trainedContext;
}

void readWeightSize(const Config& top, const Config& text, PlannedModel& model) {
    std::string type = text.text({"torch_dtype", "dtype"});
    if (type.empty()) type = top.text({"torch_dtype", "dtype"});
    model.weightType = type == "float32" ? "f32" : type == "float16" ? "f16" : "bf16";
    model.weightSize = {type == "float32" ? 4 : 2, 1};
    const json* quant = top.find({"quantization_config"});
    if (quant == nullptr || !quant->is_object()) return;
    const Config q(*quant);
    if (q.text({"quant_method"}) == "fp8") {
        model.weightType = "fp8";
        model.weightSize = {1, 1};
    }
}

}  // namespace

Result<PlannedModel> plannedModelOfConfig(std::string_view text) {
    bool isTooDeep = false;
    const auto guard = [&isTooDeep](int depth, json::parse_event_t, json&) {
        isTooDeep = isTooDeep || static_cast<size_t>(depth) > kMaxDepth;
        return !isTooDeep;
    };
    const json root = json::parse(text.begin(), text.end(), guard, false);
    if (root.is_discarded() || isTooDeep || !root.is_object())
        return makeError(Errc::Format,
                         "This is no configuration of a model: config.json holds one JSON object.");
    // Models that also see or hear keep the language model's part apart.
    const json* part = &root;
    for (const char* name : {"text_config", "llm_config", "language_config"}) {
        const auto it = root.find(name);
        if (it != root.end() && it->is_object() && it->contains("num_hidden_layers")) part = &*it;
    }
    Config top(root), c(*part);
    PlannedModel model;
    ModelShape& s = model.shape;
    s.architecture = c.text({"model_type"});
    if (s.architecture.empty()) s.architecture = top.text({"model_type"});
    s.name = top.text({"_name_or_path"});
    const std::string type = s.architecture;
    s.nLayers = c.integer({"num_hidden_layers", "n_layer", "n_layers", "num_layers"}, -1);
    s.dim = c.integer({"hidden_size", "n_embd", "d_model"}, -1);
    s.vocab = c.integer({"vocab_size"}, top.integer({"vocab_size"}, 0));
    s.ffDim = c.integer({"intermediate_size", "n_inner", "ffn_dim", "d_ff"}, 4 * s.dim);
    s.trainedContext =
        c.integer({"max_position_embeddings", "n_positions", "n_ctx", "max_seq_len"}, 0);
    readHeads(c, type, s);
    readExperts(c, s);
    if (s.nLayers <= 4096) readWindows(c, type, s);
    readDetails(c, type, s);
    readWeightSize(top, c, model);
    for (const Config* config : {&top, &c})
        if (!config->error().empty()) return makeError(Errc::Format, config->error());
    if (auto checked = checkShape(s); !checked) return std::move(checked).error();
    model.cannotRun = "a configuration alone holds no weights";
    return model;
}

}  // namespace vitrine::engine
