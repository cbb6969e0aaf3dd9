#include "engine/io/hf_folder.h"

#include <filesystem>

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

TensorInfo infoOf(std::string name, kernels::DType dtype, std::vector<int64_t> shape) {
    TensorInfo info;
    info.name = std::move(name);
    info.dtype = dtype;
    info.nDims = static_cast<int>(shape.size());
    std::copy(shape.begin(), shape.end(), info.shape.begin());
    info.sizeBytes = static_cast<uint64_t>(info.nRows()) * kernels::rowBytes(dtype, info.nCols());
    return info;
}

}  // namespace

Result<HfConfig> HfFolder::readConfig(const std::string& path) {
    auto json = JsonValue::read(path, kMaxConfigBytes);
    if (!json) return std::move(json).error();
    auto config = readHfConfig(*json);
    if (!config) return config;
    std::string name = config->name.substr(config->name.find_last_of('/') + 1);
    if (name.empty() || name == ".") name = modelName(folder_);
    meta_.add("general.name", std::move(name));
    addConfigKeys(*config, meta_);
    return config;
}

void HfFolder::deriveTensors(const HfConfig& config) {
    const kernels::DType dtype = dtypeNamed(config.dtype);
    for (HfRule& rule : tensorRules(config)) {
        // Optional ones are exceptions, the head of an untied model apart.
        if (!rule.isRequired && !rule.isPlain) continue;
        const bool isWide = rule.nRows == 0 || rule.treatment == HfTreatment::Wide;
        std::vector<int64_t> shape{rule.nCols};
        if (rule.nRows > 0) shape.push_back(rule.nRows);
        if (rule.treatment == HfTreatment::Experts) shape.push_back(config.nExperts);
        tensors_.push_back(
            infoOf(std::move(rule.gguf), isWide ? kernels::DType::F32 : dtype, shape));
    }
}

void HfFolder::addComputed(const HfConfig& config) {
    const auto addVector = [&](const char* name, size_t count) {
        if (count > 0)
            tensors_.push_back(infoOf(name, kernels::DType::F32, {static_cast<int64_t>(count)}));
    };
    if (config.rope.type == "llama3") addVector("rope_freqs.weight", llama3Divisors(config).size());
    addVector("rope_factors_long.weight", config.rope.longFactors.size());
    addVector("rope_factors_short.weight", config.rope.shortFactors.size());
}

Result<std::unique_ptr<ModelFile>> HfFolder::openConfig(const std::string& path) {
    std::unique_ptr<HfFolder> model(new HfFolder);
    model->path_ = path;
    model->folder_ = isFolder(path) ? path : fs::path(path).parent_path().string();
    if (model->folder_.empty()) model->folder_ = ".";
    const std::string file = isFolder(path) ? path + "/config.json" : path;
    if (isFolder(path) && !isFile(file)) {
        return makeError(Errc::Io,
                         "The folder " + path +
                             " has no config.json, so it is not a Hugging Face model; choose a "
                             "model's folder, or a .gguf file.");
    }
    model->formatName_ = "Hugging Face config.json";
    auto config = model->readConfig(file);
    if (!config) return std::move(config).error();
    model->deriveTensors(*config);
    model->addComputed(*config);
    sortByName(model->tensorByName_, model->tensors_.size(),
               [&](size_t i) -> std::string_view { return model->tensors_[i].name; });
    return std::unique_ptr<ModelFile>(std::move(model));
}

const TensorInfo* HfFolder::tensor(std::string_view name) const {
    const size_t i = findByName(tensorByName_, name,
                                [&](size_t k) -> std::string_view { return tensors_[k].name; });
    return i < tensors_.size() ? &tensors_[i] : nullptr;
}

Result<void> HfFolder::readTensor(const TensorInfo&, uint64_t, std::span<std::byte>) const {
    return makeError(Errc::InvalidArgument,
                     "Only the configuration was opened, not the weights; open the model's "
                     "folder.");
}

}  // namespace vitrine::engine
