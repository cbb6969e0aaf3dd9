#include "engine/io/hf_folder.h"

#include <filesystem>

#include "engine/base/check.h"
#include "engine/io/hf_extras.h"
#include "engine/io/hf_mapping.h"
#include "engine/io/name_index.h"

namespace vitrine::engine {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kMaxConfigBytes = uint64_t{4} << 20;

bool isFile(const std::string& path) {
    std::error_code error;
    return fs::is_regular_file(path, error);
}

bool isFolder(const std::string& path) {
    std::error_code error;
    return fs::is_directory(path, error);
}

/// What people call the model: the folder's name, or that of the repository in Hugging Face's
/// cache (models--OWNER--NAME/snapshots/REVISION).
std::string modelName(const std::string& folder) {
    std::error_code error;
    const fs::path path = fs::absolute(folder, error).lexically_normal();
    const fs::path own = path.has_filename() ? path : path.parent_path();
    if (own.parent_path().filename() == "snapshots") {
        const std::string repository = own.parent_path().parent_path().filename().string();
        if (repository.starts_with("models--")) {
            const size_t last = repository.rfind("--");
            return repository.substr(last + 2);
        }
    }
    return own.filename().string();
}

kernels::DType dtypeNamed(const std::string& name) {
    if (name == "float32") return kernels::DType::F32;
    return name == "float16" ? kernels::DType::F16 : kernels::DType::BF16;
}

}  // namespace

Result<HfConfig> HfFolder::readConfig(const std::string& path) {
    auto json = JsonValue::read(path, kMaxConfigBytes);
    if (!json) return std::move(json).error();
    auto config = readHfConfig(*json);
    if (!config) return config;
    std::string name = config->name.substr(config->name.find_last_of('/') + 1);
    if (name.empty() || name == ".") name = modelName(folder_);
    addConfigKeys(*config, meta_);
    meta_.add("general.name", std::move(name));
    // The tokenizer's settings come before the ids of the configuration, as in the converter.
    if (auto r = addFolderKeys(folder_, meta_); !r) return std::move(r).error();
    addTokenIds(*config, meta_);
    tokenizerPath_ = findTokenizer(folder_);
    return config;
}

void HfFolder::deriveTensors(const HfConfig& config) {
    const kernels::DType dtype = dtypeNamed(config.dtype);
    for (const HfRule& rule : tensorRules(config)) {
        // Optional ones are exceptions, the head of an untied model apart.
        if (!rule.isRequired && !rule.isPlain) continue;
        tensors_.push_back(ruleInfo(config, rule, dtype));
    }
}

void HfFolder::addComputed(const HfConfig& config) {
    const auto addVector = [&](const char* name, std::vector<float> values) {
        if (values.empty()) return;
        TensorInfo& info = tensors_.emplace_back();
        info.name = name;
        info.nDims = 1;
        info.shape[0] = static_cast<int64_t>(values.size());
        info.sizeBytes = values.size() * sizeof(float);
        recipes_.emplace_back().values = std::move(values);
    };
    if (config.rope.type == "llama3") addVector("rope_freqs.weight", llama3Divisors(config));
    addVector("rope_factors_long.weight", config.rope.longFactors);
    addVector("rope_factors_short.weight", config.rope.shortFactors);
}

void HfFolder::seal() {
    sortByName(tensorByName_, tensors_.size(),
               [&](size_t i) -> std::string_view { return tensors_[i].name; });
}

Result<std::unique_ptr<ModelFile>> HfFolder::openConfig(const std::string& path) {
    std::unique_ptr<HfFolder> model(new HfFolder);
    model->path_ = path;
    model->folder_ = isFolder(path) ? path : fs::path(path).parent_path().string();
    if (model->folder_.empty()) model->folder_ = ".";
    const std::string file = isFolder(path) ? path + "/config.json" : path;
    if (isFolder(path) && !isFile(file)) return describeForeignFolder(path);
    model->formatName_ = "Hugging Face config.json";
    auto config = model->readConfig(file);
    if (!config) return std::move(config).error();
    model->deriveTensors(*config);
    model->addComputed(*config);
    model->seal();
    return std::unique_ptr<ModelFile>(std::move(model));
}

Result<std::unique_ptr<ModelFile>> HfFolder::open(const std::string& folder,
                                                  const std::string& path) {
    if (!isFile(folder + "/config.json")) return describeForeignFolder(folder);
    std::unique_ptr<HfFolder> model(new HfFolder);
    model->path_ = path;
    model->folder_ = folder;
    auto config = model->readConfig(folder + "/config.json");
    if (!config) return std::move(config).error();
    auto checkpoint = HfCheckpoint::open(folder);
    if (!checkpoint) return std::move(checkpoint).error();
    auto mapping = mapTensors(*config, *checkpoint);
    if (!mapping) return std::move(mapping).error();
    model->tensors_ = std::move(mapping->tensors);
    model->recipes_ = std::move(mapping->recipes);
    model->checkpoint_ = std::move(*checkpoint);
    model->fileBytes_ = model->checkpoint_->fileBytes();
    model->formatName_ = "Hugging Face safetensors";
    model->addComputed(*config);
    model->seal();
    return std::unique_ptr<ModelFile>(std::move(model));
}

const TensorInfo* HfFolder::tensor(std::string_view name) const {
    const size_t i = findByName(tensorByName_, name,
                                [&](size_t k) -> std::string_view { return tensors_[k].name; });
    return i < tensors_.size() ? &tensors_[i] : nullptr;
}

Result<void> HfFolder::readTensor(const TensorInfo& info, uint64_t first,
                                  std::span<std::byte> dst) const {
    VITRINE_CHECK(first <= info.sizeBytes && dst.size() <= info.sizeBytes - first);
    if (!checkpoint_)
        return makeError(Errc::InvalidArgument,
                         "Only the configuration was opened, not the weights; open the model's "
                         "folder.");
    const TensorInfo* own = tensor(info.name);
    VITRINE_CHECK(own != nullptr);
    return readByRecipe(*checkpoint_, recipes_[static_cast<size_t>(own - tensors_.data())], *own,
                        first, dst);
}

}  // namespace vitrine::engine
