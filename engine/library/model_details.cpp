#include "engine/library/model_details.h"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "engine/io/model_file.h"
#include "engine/model/architecture.h"
#include "engine/model/model.h"
#include "engine/text/tokenizer.h"

namespace vitrine::engine {
namespace {

constexpr size_t kMaxTextBytes = 64 << 10;
constexpr size_t kMaxShownElements = 16;
constexpr size_t kMaxSpecial = 64;
constexpr uintmax_t kMaxTemplateFileBytes = 16 << 20;

std::string numberText(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.9g", value);
    return text;
}

std::string elementText(int64_t value) {
    return std::to_string(value);
}

std::string elementText(float value) {
    return numberText(static_cast<double>(value));
}

std::string elementText(const std::string& value) {
    constexpr size_t kMax = 40;
    return "\"" + (value.size() <= kMax ? value : value.substr(0, kMax) + "…") + "\"";
}

struct Describe {
    MetadataRow& row;

    void set(const char* type, std::string value) const {
        row.type = type;
        row.value = std::move(value);
    }

    void operator()(bool v) const { set("yes or no", v ? "true" : "false"); }

    void operator()(int64_t v) const { set("integer", std::to_string(v)); }

    void operator()(uint64_t v) const { set("integer", std::to_string(v)); }

    void operator()(double v) const { set("number", numberText(v)); }

    void operator()(const std::string& v) const {
        set("text", v.size() <= kMaxTextBytes ? v : v.substr(0, kMaxTextBytes) + "…");
    }

    template <class T>
    void operator()(const std::vector<T>& v) const {
        row.type = "list of " + std::to_string(v.size());
        for (size_t i = 0; i < std::min(v.size(), kMaxShownElements); ++i)
            row.value += (i == 0 ? "" : ", ") + elementText(v[i]);
        if (v.size() > kMaxShownElements) row.value += ", …";
    }
};

void readMetadata(const ModelFile& file, ModelDetails& details) {
    for (const auto& [key, value] : file.metadata()) {
        MetadataRow& row = details.metadata.emplace_back();
        row.key = key;
        std::visit(Describe{row}, value);
    }
}

void readTensors(const ModelFile& file, ModelDetails& details) {
    details.tensors.reserve(file.tensors().size());
    for (const TensorInfo& tensor : file.tensors()) {
        details.tensors.push_back({tensor.name, kernels::dtypeInfo(tensor.dtype).name, tensor.nDims,
                                   tensor.shape, tensor.sizeBytes});
        details.nParameters +=
            static_cast<uint64_t>(tensor.nCols()) * static_cast<uint64_t>(tensor.nRows());
        details.weightBytes += tensor.sizeBytes;
    }
    details.quantisation = describeQuantisation(file);
}

void readConfig(const ModelFile& file, ModelDetails& details) {
    if (const std::string* name = file.string("general.architecture")) details.architecture = *name;
    const Result<const Architecture*> architecture = findArchitecture(file);
    if (!architecture) {
        details.reasons.push_back(architecture.error().message);
        return;
    }
    const Result<ModelConfig> config = (*architecture)->readConfig(file);
    if (!config) {
        details.reasons.push_back(config.error().message);
        return;
    }
    details.nLayers = config->nLayers;
    details.nHeads = config->nHeads;
    details.nKvHeads = config->nKvHeads;
    details.headDim = config->headDim;
    details.dim = config->dim;
    details.ffDim = config->ffDim;
    details.vocab = config->vocab;
    details.trainedContext = config->trainedContext;
}

void readTokenizer(const ModelFile& file, ModelDetails& details) {
    TokenizerFacts& facts = details.tokenizer;
    const Result<std::unique_ptr<Tokenizer>> tokenizer = makeTokenizer(file);
    if (!tokenizer) {
        facts.problem = tokenizer.error().message;
        details.reasons.push_back(facts.problem);
        return;
    }
    const Tokenizer& t = **tokenizer;
    facts.kind = t.kind();
    facts.vocabSize = t.vocabSize();
    facts.addsBos = t.addsBos();
    const auto add = [&](const char* role, TokenId id) {
        if (id.isValid() && facts.special.size() < kMaxSpecial)
            facts.special.push_back({role, id.value, t.piece(id, false)});
    };
    add("BOS", t.bos());
    add("EOS", t.eos());
    for (int32_t i = 0; i < facts.vocabSize; ++i) {
        const TokenId id(i);
        if (t.isControl(id)) ++facts.nControl;
        if (t.endsGeneration(id) && id != t.eos()) add("ends an answer", id);
    }
}

void addTemplate(ModelDetails& details, std::string name, std::string source, std::string text) {
    if (text.size() > kMaxTextBytes * 4) text.resize(kMaxTextBytes * 4);
    details.templates.push_back({std::move(name), std::move(source), std::move(text)});
}

std::string readText(const std::string& path) {
    std::error_code none;
    const uintmax_t size = std::filesystem::file_size(path, none);
    if (none || size > kMaxTemplateFileBytes) return {};
    std::ifstream in(path, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(in), {});
}

/// Files beside safetensors: the template of its own first, then the tokenizer's settings.
void readFolderTemplates(const std::string& folder, ModelDetails& details) {
    const std::string own = readText(folder + "/chat_template.jinja");
    if (!own.empty()) addTemplate(details, "default", "chat_template.jinja", own);
    const auto root =
        nlohmann::json::parse(readText(folder + "/tokenizer_config.json"), nullptr, false);
    if (!root.is_object() || !root.contains("chat_template")) return;
    const auto& value = root["chat_template"];
    if (value.is_string())
        addTemplate(details, "default", "tokenizer_config.json", value.get<std::string>());
    if (!value.is_array()) return;
    for (const auto& named : value)
        if (named.is_object() && named.contains("template") && named["template"].is_string())
            addTemplate(details, named.value("name", std::string("default")),
                        "tokenizer_config.json", named["template"].get<std::string>());
}

void readTemplates(const ModelFile& file, ModelDetails& details) {
    constexpr std::string_view kKey = "tokenizer.chat_template";
    if (!file.folder().empty()) {
        readFolderTemplates(file.folder(), details);
        if (!details.templates.empty()) return;
    }
    for (const auto& [key, value] : file.metadata()) {
        const auto* text = std::get_if<std::string>(&value);
        if (text == nullptr || !key.starts_with(kKey)) continue;
        const std::string rest = key.substr(kKey.size());
        if (rest.empty())
            addTemplate(details, "default", key, *text);
        else if (rest.front() == '.')
            addTemplate(details, rest.substr(1), key, *text);
    }
}

void readAll(ModelDetails& details, const std::atomic<bool>& isCancelled) {
    const auto file = openModelFile(details.path);
    if (!file) {
        details.problem = file.error().message;
        return;
    }
    details.format = (*file)->formatName();
    details.fileBytes = (*file)->fileBytes();
    if (const std::string* title = (*file)->string("general.name")) details.title = *title;
    readMetadata(**file, details);
    readTensors(**file, details);
    readConfig(**file, details);
    readTemplates(**file, details);
    if (!isCancelled) readTokenizer(**file, details);
}

}  // namespace

ModelDetails readModelDetails(const std::string& path, const std::atomic<bool>& isCancelled) {
    ModelDetails details;
    details.path = path;
    try {
        readAll(details, isCancelled);
    } catch (const std::bad_alloc&) {
        details.problem =
            "There is not enough memory to read the model's metadata; close other programs and "
            "try again.";
    } catch (const std::exception& e) {
        details.problem = "Opening " + path + " failed: " + e.what() + ".";
    }
    return details;
}

void DetailsReader::read(const std::string& path) {
    {
        const std::lock_guard lock(mutex_);
        wanted_ = path;
        ready_ = nullptr;
    }
    job_.start([this, path](const std::atomic<bool>& isCancelled) {
        auto details = std::make_shared<const ModelDetails>(readModelDetails(path, isCancelled));
        {
            const std::lock_guard lock(mutex_);
            if (isCancelled || wanted_ != path) return;
            ready_ = std::move(details);
        }
        if (poke_) poke_();
    });
}

void DetailsReader::cancel() {
    {
        const std::lock_guard lock(mutex_);
        wanted_.clear();
        ready_ = nullptr;
    }
    job_.cancel();
}

std::shared_ptr<const ModelDetails> DetailsReader::take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(ready_, nullptr);
}

}  // namespace vitrine::engine
