#include "engine/plan/shape_reader.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "engine/io/model_file.h"
#include "engine/model/architecture.h"
#include "engine/model/model.h"

namespace vitrine::engine {

namespace {

constexpr int64_t kMaxNumber = int64_t{1} << 40;
constexpr uint64_t kMaxConfigBytes = 16u << 20;

/// Metadata by key, under the architecture's prefix.
class Keys {
public:
    Keys(const ModelFile& file, const std::string& arch) : file_(file), prefix_(arch + ".") {}

    /// A number, or the largest of a list with one per layer. `fallback` < 0: must be there.
    Result<int64_t> integer(const char* key, int64_t fallback) const {
        const std::string name = prefix_ + key;
        std::optional<int64_t> value = file_.integer(name);
        if (const auto* list = file_.integers(name); list != nullptr && !list->empty())
            value = *std::max_element(list->begin(), list->end());
        if (!value && fallback >= 0 && file_.find(name) == nullptr) return fallback;
        if (!value)
            return makeError(Errc::Format, "The key \"" + name +
                                               "\" is missing or no number, so this model cannot "
                                               "be planned for.");
        if (*value < 0 || *value > kMaxNumber)
            return makeError(Errc::Format, "The key \"" + name + "\" has the impossible value " +
                                               std::to_string(*value) + "; the file is damaged.");
        return *value;
    }

    const std::vector<int64_t>* list(const char* key) const {
        return file_.integers(prefix_ + key);
    }

private:
    const ModelFile& file_;
    std::string prefix_;
};

void readLayers(const Keys& keys, int64_t window, ModelShape& shape) {
    const auto* heads = keys.list("attention.head_count_kv");
    const auto* pattern = keys.list("attention.sliding_window_pattern");
    const auto nLayers = static_cast<size_t>(shape.nLayers);
    const bool hasHeads = heads != nullptr && heads->size() == nLayers;
    if (!hasHeads && window == 0) return;
    const int64_t period = keys.integer("attention.sliding_window_pattern", 0).has_value()
                               ? *keys.integer("attention.sliding_window_pattern", 0)
                               : 0;
    for (size_t i = 0; i < nLayers; ++i) {
        LayerShape layer{hasHeads ? (*heads)[i] : shape.nKvHeads, window};
        if (pattern != nullptr && pattern->size() == nLayers) {
            if ((*pattern)[i] == 0) layer.window = 0;
        } else if (period > 0 && static_cast<int64_t>(i) % period == period - 1) {
            layer.window = 0;
        }
        shape.layers.push_back(layer);
    }
}

/// Sizes by their keys, of an architecture that this program does not know.
Result<ModelShape> shapeByKeys(const ModelFile& file, const std::string& arch) {
    const Keys keys(file, arch);
    ModelShape s;
    s.architecture = arch;

    struct Field {
        const char* key;
        int64_t* target;
        int64_t fallback;
    };

    int64_t window = 0, latentKey = 0, latentValue = 0;
    const Field first[] = {{"block_count", &s.nLayers, -1},
                           {"embedding_length", &s.dim, -1},
                           {"attention.head_count", &s.nHeads, -1},
                           {"feed_forward_length", &s.ffDim, 0},
                           {"context_length", &s.trainedContext, 0},
                           {"attention.sliding_window", &window, 0},
                           {"attention.kv_lora_rank", &s.kvRank, 0},
                           {"attention.q_lora_rank", &s.qRank, 0},
                           {"attention.key_length_mla", &latentKey, 0},
                           {"attention.value_length_mla", &latentValue, 0},
                           {"expert_count", &s.nExperts, 0},
                           {"expert_used_count", &s.nExpertsUsed, 0},
                           {"expert_feed_forward_length", &s.expertFfDim, 0},
                           {"expert_shared_count", &s.nSharedExperts, 0},
                           {"leading_dense_block_count", &s.nDenseLayers, 0}};
    for (const Field& field : first) {
        auto value = keys.integer(field.key, field.fallback);
        if (!value) return std::move(value).error();
        *field.target = *value;
    }
    const int64_t plain = s.nHeads > 0 ? s.dim / s.nHeads : 0;
    const Field second[] = {{"attention.head_count_kv", &s.nKvHeads, s.nHeads},
                            {"attention.key_length", &s.keyDim, plain},
                            {"attention.value_length", &s.valueDim, plain},
                            {"rope.dimension_count", &s.ropeDim, 0}};
    for (const Field& field : second) {
        auto value = keys.integer(field.key, field.fallback);
        if (!value) return std::move(value).error();
        *field.target = *value;
    }
    if (!s.isLatent()) s.ropeDim = 0;
    if (s.isLatent() && latentKey > 0) {
        s.keyDim = latentKey;
        s.valueDim = latentValue;
    }
    if (s.nExperts > 0 && s.expertFfDim == 0) s.expertFfDim = s.ffDim;
    if (s.nLayers <= 4096) readLayers(keys, window, s);
    return s;
}

void countTensors(const ModelFile& file, PlannedModel& model) {
    Checked bytes, parameters;
    for (const TensorInfo& tensor : file.tensors()) {
        bytes += Checked::of(tensor.sizeBytes);
        parameters += Checked(tensor.nCols()) * Checked(tensor.nRows());
    }
    if (file.tensors().empty()) return;
    model.weightBytes = bytes.exact();
    model.nParameters = parameters.exact();
    ModelShape& s = model.shape;
    s.isTied = file.tensor("output.weight") == nullptr;
    s.hasQkvBias = file.tensor("blk.0.attn_q.bias") != nullptr ||
                   file.tensor("blk.0.attn_qkv.bias") != nullptr;
    s.hasOutBias = file.tensor("blk.0.attn_output.bias") != nullptr;
    s.hasFfBias = file.tensor("blk.0.ffn_up.bias") != nullptr;
    s.hasNormBias = file.tensor("output_norm.bias") != nullptr;
    if (const TensorInfo* norm = file.tensor("blk.0.attn_q_norm.weight")) {
        s.hasQkNorm = true;
        s.isQkNormWide = norm->nCols() > s.keyDim;
    }
    if (file.tensor("blk.0.post_ffw_norm.weight") != nullptr &&
        file.tensor("blk.0.ffn_norm.weight") != nullptr)
        s.nNormsPerLayer = 4;
    if (const TensorInfo* positions = file.tensor("position_embd.weight"))
        s.nPositions = positions->nRows();
    if (const TensorInfo* up = file.tensor("blk.0.ffn_up.weight"))
        s.isGated = file.tensor("blk.0.ffn_gate.weight") != nullptr || up->nRows() == 2 * s.ffDim;
    if (const TensorInfo* embedding = file.tensor("token_embd.weight"))
        s.vocab = embedding->nRows();
}

Result<std::string> readSmallFile(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    std::string text;
    if (in) {
        char buffer[1 << 14];
        while (text.size() <= kMaxConfigBytes && (in.read(buffer, sizeof buffer), in.gcount() > 0))
            text.append(buffer, static_cast<size_t>(in.gcount()));
    }
    if (!in.is_open() || in.bad())
        return makeError(Errc::Io, path + " cannot be read; check the path.");
    if (text.size() > kMaxConfigBytes)
        return makeError(Errc::Format, path + " is too long for a config.json.");
    return text;
}

}  // namespace

Checked PlannedModel::parameters() const {
    if (nParameters) return Checked::of(*nParameters);
    return countParameters(shape).total(shape.isTied);
}

Checked PlannedModel::weights() const {
    return weightBytes ? Checked::of(*weightBytes) : weightSize.bytesOf(parameters());
}

ModelShape shapeOf(const ModelConfig& c) {
    ModelShape s;
    s.name = c.name;
    s.architecture = c.architecture;
    s.nLayers = c.nLayers;
    s.dim = c.dim;
    s.nHeads = c.nHeads;
    s.nKvHeads = c.nKvHeads;
    s.keyDim = s.valueDim = c.headDim;
    s.ffDim = c.ffDim;
    s.vocab = c.vocab;
    s.trainedContext = c.trainedContext;
    s.isGated = c.block.feedForward != FeedForward::Plain;
    s.nExperts = c.experts.count;
    s.nExpertsUsed = c.experts.used;
    s.expertFfDim = c.experts.ffDim;
    if (c.nWindowedLayers() > 0)
        for (const LayerSpec& layer : c.layers) s.layers.push_back({c.nKvHeads, layer.window});
    return s;
}

Result<PlannedModel> plannedModelOf(const ModelFile& file) {
    PlannedModel model;
    model.path = file.path();
    const std::string* arch = file.string("general.architecture");
    if (arch == nullptr)
        return makeError(Errc::Format,
                         "The file does not name its architecture (general.architecture), so it "
                         "cannot be planned for.");
    const Result<const Architecture*> known = findArchitecture(file);
    if (known) {
        const Result<ModelConfig> config = (*known)->readConfig(file);
        if (config)
            model.config = *config;
        else
            model.cannotRun = config.error().message;
    } else {
        model.cannotRun = known.error().message;
    }
    if (model.config) {
        model.shape = shapeOf(*model.config);
    } else {
        auto shape = shapeByKeys(file, *arch);
        if (!shape) return std::move(shape).error();
        model.shape = std::move(*shape);
    }
    if (const std::string* name = file.string("general.name")) model.shape.name = *name;
    countTensors(file, model);
    model.weightType = describeQuantisation(file);
    if (auto checked = checkShape(model.shape); !checked) return std::move(checked).error();
    return model;
}

Result<PlannedModel> readPlannedModel(const std::string& path) {
    namespace fs = std::filesystem;
    std::error_code ignored;
    const bool isFolder = fs::is_directory(path, ignored);
    const bool isJson = !isFolder && path.size() > 5 && path.ends_with(".json");
    std::optional<Error> problem;
    if (!isJson) {
        const Result<std::unique_ptr<ModelFile>> file = openModelFile(path);
        if (file) return plannedModelOf(**file);
        problem = file.error();
        if (!isFolder || !fs::exists(path + "/config.json", ignored)) return *problem;
    }
    const std::string configPath = isJson ? path : path + "/config.json";
    auto text = readSmallFile(configPath);
    if (!text) return std::move(text).error();
    auto model = plannedModelOfConfig(*text);
    if (!model) return std::move(model).error().within(configPath);
    model->path = path;
    // A configuration alone holds no weights; a folder that did not open says why.
    if (problem) model->cannotRun = problem->message;
    return model;
}

}  // namespace vitrine::engine
