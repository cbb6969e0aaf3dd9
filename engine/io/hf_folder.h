#pragma once
// A Hugging Face folder (config.json, safetensors, tokenizer files) as the GGUF file that
// llama.cpp's converter would make of it: the same keys, tensor names, shapes and rows, made while
// they are read. Thread: immutable after opening, any thread.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/io/hf_checkpoint.h"
#include "engine/io/hf_config.h"
#include "engine/io/hf_recipe.h"
#include "engine/io/hf_tensors.h"
#include "engine/io/meta_table.h"
#include "engine/io/model_file.h"

namespace vitrine::engine {

class HfFolder final : public ModelFile {
public:
    /// path: a folder with config.json, or a config.json. Tensors have names and shapes by the
    /// configuration and no bytes. Fails: Io, Format, Unsupported, as readHfConfig.
    static Result<std::unique_ptr<ModelFile>> openConfig(const std::string& path);

    /// folder: with config.json and weights. path: what the user gave, the folder or a file in it.
    /// Fails: as openConfig; Format (a tensor is missing, of another shape, or has no place in the
    /// architecture: named), Unsupported (its type: named).
    static Result<std::unique_ptr<ModelFile>> open(const std::string& folder,
                                                   const std::string& path);

    const std::string& path() const override { return path_; }

    std::string formatName() const override { return formatName_; }

    uint64_t fileBytes() const override { return fileBytes_; }

    std::string tokenizerPath() const override { return tokenizerPath_; }

    std::string folder() const override { return folder_; }

    bool hasWeights() const override { return checkpoint_.has_value(); }

    const MetaValue* find(std::string_view key) const override { return meta_.find(key); }

    std::span<const std::pair<std::string, MetaValue>> metadata() const override {
        return meta_.entries();
    }

    std::span<const TensorInfo> tensors() const override { return tensors_; }

    const TensorInfo* tensor(std::string_view name) const override;
    Result<void> readTensor(const TensorInfo& info, uint64_t first,
                            std::span<std::byte> dst) const override;

private:
    HfFolder() = default;

    Result<HfConfig> readConfig(const std::string& path);
    void addComputed(const HfConfig& config);
    void deriveTensors(const HfConfig& config);
    void seal();

    std::string path_, folder_, formatName_, tokenizerPath_;
    uint64_t fileBytes_ = 0;
    MetaTable meta_;
    std::optional<HfCheckpoint> checkpoint_;  ///< empty: only the configuration
    std::vector<TensorInfo> tensors_;
    std::vector<HfRecipe> recipes_;       ///< beside tensors_ where there are weights
    std::vector<uint32_t> tensorByName_;  ///< indices into tensors_, sorted
};

}  // namespace vitrine::engine
