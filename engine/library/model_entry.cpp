#include "engine/library/model_entry.h"

#include <algorithm>
#include <cctype>
#include <exception>
#include <fstream>
#include <nlohmann/json.hpp>

#include "engine/io/model_file.h"
#include "engine/library/gguf_header.h"
#include "engine/model/architecture.h"
#include "engine/model/model.h"

namespace vitrine::engine {
namespace {

constexpr uint64_t kMaxConfigBytes = 16 << 20;

ModelKind kindOf(const GgufHeader& header) {
    const auto is = [&](const char* key, std::string_view value) {
        const std::string* text = header.string(key);
        return text != nullptr && *text == value;
    };
    if (is("general.type", "mmproj") || is("general.architecture", "clip"))
        return ModelKind::Projector;
    if (is("general.type", "adapter")) return ModelKind::Adapter;
    if (is("general.type", "imatrix")) return ModelKind::Imatrix;
    if (is("general.architecture", "controlvector")) return ModelKind::Other;
    if (is("general.type", "vocab") || !header.hasTensors()) return ModelKind::VocabOnly;
    return ModelKind::Model;
}

/// "Q4_K_M" of general.file_type, as people name files; empty for a number that is not known.
/// Source: llama.cpp include/llama.h, llama_ftype.
std::string fileTypeName(const ModelFile& file) {
    static constexpr const char* kNames[] = {
        "F32",   "F16",     "Q4_0",   "Q4_1",   "",       "",        "",       "Q8_0",   "Q5_0",
        "Q5_1",  "Q2_K",    "Q3_K_S", "Q3_K_M", "Q3_K_L", "Q4_K_S",  "Q4_K_M", "Q5_K_S", "Q5_K_M",
        "Q6_K",  "IQ2_XXS", "IQ2_XS", "Q2_K_S", "IQ3_XS", "IQ3_XXS", "IQ1_S",  "IQ4_NL", "IQ3_S",
        "IQ3_M", "IQ2_S",   "IQ2_M",  "IQ4_XS", "IQ1_M",  "BF16"};
    const int64_t type = file.integer("general.file_type").value_or(-1);
    return type >= 0 && type < static_cast<int64_t>(std::size(kNames)) ? kNames[type] : "";
}

/// What the architecture says of the configuration; empty when it can run.
std::string whyNotRunnable(const ModelFile& file) {
    const Result<const Architecture*> architecture = findArchitecture(file);
    if (!architecture) return architecture.error().message;
    const Result<ModelConfig> config = (*architecture)->readConfig(file);
    return config ? std::string() : config.error().message;
}

void readFacts(const ModelFile& file, ModelEntry& entry) {
    entry.format = file.formatName();
    const std::string* title = file.string("general.name");
    if (title != nullptr) entry.title = *title;
    const std::string* architecture = file.string("general.architecture");
    if (architecture == nullptr) return;
    entry.architecture = *architecture;
    entry.trainedContext =
        std::max<int64_t>(0, file.integer(*architecture + ".context_length").value_or(0));
}

void summarizeGguf(const ModelCandidate& candidate, ModelEntry& entry) {
    auto header = GgufHeader::open(candidate.path);
    if (!header) {
        entry.problem = header.error().message;
        return;
    }
    for (size_t i = 1; i < candidate.shards.size(); ++i) {
        const auto shard = GgufHeader::open(candidate.shards[i]);
        if (shard) {
            (*header)->addShard(**shard);
        } else if (entry.problem.empty()) {
            entry.problem = shard.error().message;
        }
    }
    readFacts(**header, entry);
    // A first shard may hold the metadata alone.
    if (candidate.nShards == 1 || (*header)->hasTensors()) entry.kind = kindOf(**header);
    entry.nParameters = (*header)->nParameters();
    entry.quantisation = fileTypeName(**header);
    if (entry.quantisation.empty()) entry.quantisation = (*header)->quantisation();
    if ((*header)->isIncomplete()) entry.kind = ModelKind::Partial;
    if (!candidate.missingShards.empty()) {
        entry.problem = "Of the " + std::to_string(candidate.nShards) +
                        " parts of this model these are missing: " + candidate.missingShards +
                        "; put them beside the others.";
        return;
    }
    if (entry.kind != ModelKind::Model || !entry.problem.empty()) return;
    if (!(*header)->unknownType().empty()) {
        entry.problem = "Its weights are stored as " + (*header)->unknownType() +
                        ", which this program cannot read; download the model in another "
                        "quantisation, for example Q4_K_M or Q8_0.";
        return;
    }
    entry.problem = whyNotRunnable(**header);
}

/// What config.json says itself, for folders that cannot be opened.
void readConfigJson(const std::string& folder, ModelEntry& entry) {
    std::ifstream in(folder + "/config.json", std::ios::binary);
    std::string text(kMaxConfigBytes, '\0');
    in.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<size_t>(std::max<std::streamsize>(0, in.gcount())));
    const auto root = nlohmann::json::parse(text, nullptr, false);
    if (!root.is_object()) return;
    const auto config = root.contains("text_config") && root["text_config"].is_object()
                            ? root["text_config"]
                            : root;
    const auto textOf = [&](const char* key) {
        const auto it = config.find(key);
        return it != config.end() && it->is_string() ? it->get<std::string>() : std::string();
    };
    entry.architecture = textOf("model_type");
    entry.quantisation = textOf("torch_dtype").empty() ? textOf("dtype") : textOf("torch_dtype");
    for (const char* key : {"max_position_embeddings", "n_positions", "n_ctx"})
        if (const auto it = config.find(key);
            it != config.end() && it->is_number_integer() && entry.trainedContext == 0)
            entry.trainedContext = std::max<int64_t>(0, it->get<int64_t>());
}

void summarizeFolder(const ModelCandidate& candidate, ModelEntry& entry) {
    entry.format = "safetensors";
    readConfigJson(candidate.path, entry);
    const auto file = openModelFile(candidate.path);
    if (!file) {
        entry.problem = file.error().message;
        return;
    }
    readFacts(**file, entry);
    for (const TensorInfo& tensor : (*file)->tensors())
        entry.nParameters +=
            static_cast<uint64_t>(tensor.nCols()) * static_cast<uint64_t>(tensor.nRows());
    entry.quantisation = describeQuantisation(**file);
    entry.problem = whyNotRunnable(**file);
}

void summarize(const ModelCandidate& candidate, ModelEntry& entry) {
    switch (candidate.type) {
        case ModelCandidate::Type::Gguf: summarizeGguf(candidate, entry); break;
        case ModelCandidate::Type::Folder: summarizeFolder(candidate, entry); break;
        case ModelCandidate::Type::AdapterFolder: entry.kind = ModelKind::Adapter; break;
        case ModelCandidate::Type::Imatrix: entry.kind = ModelKind::Imatrix; break;
        case ModelCandidate::Type::Partial: entry.kind = ModelKind::Partial; break;
        case ModelCandidate::Type::LaterShard: entry.kind = ModelKind::LaterShard; break;
    }
}

}  // namespace

std::string fileStem(const std::string& path) {
    std::string name = path.substr(path.find_last_of('/') + 1);
    constexpr std::string_view kEnding = ".gguf";
    if (name.size() > kEnding.size()) {
        std::string ending = name.substr(name.size() - kEnding.size());
        std::transform(ending.begin(), ending.end(), ending.begin(),
                       [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
        if (ending == kEnding) name.resize(name.size() - kEnding.size());
    }
    return name;
}

ModelEntry summarizeModel(const ModelCandidate& candidate) {
    ModelEntry entry;
    entry.path = candidate.path;
    entry.store = candidate.store;
    entry.detail = candidate.detail;
    entry.nShards = candidate.nShards;
    entry.missingShards = candidate.missingShards;
    try {
        summarize(candidate, entry);
    } catch (const std::bad_alloc&) {
        entry.problem =
            "There is not enough memory to read the model's metadata; close other programs and "
            "try again.";
    } catch (const std::exception& e) {
        entry.problem = "Opening " + candidate.path + " failed: " + e.what() + ".";
    }
    entry.isSupported = entry.kind == ModelKind::Model && entry.problem.empty();
    entry.name = !candidate.name.empty() ? candidate.name
                 : !entry.title.empty()  ? entry.title
                                         : fileStem(candidate.path);
    return entry;
}

}  // namespace vitrine::engine
