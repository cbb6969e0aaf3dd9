#pragma once
// A model in several GGUF files, NAME-00001-of-00003.gguf and so on: the first has the metadata,
// each has its part of the tensors. Any of them opens all. Source: llama.cpp, gguf-split.cpp.
// Thread: immutable after opening, any thread.

#include <memory>
#include <string>
#include <vector>

#include "engine/io/model_file.h"
#include "engine/io/random_access_file.h"

namespace vitrine::engine {

class SplitGguf final : public ModelFile {
public:
    /// file: begins with "GGUF"; one that is not split is returned as it is. Fails: as
    /// GgufFile::open; Io (parts are missing: named), Format (a part that does not belong here,
    /// a tensor that is in two parts).
    static Result<std::unique_ptr<ModelFile>> open(RandomAccessFile file);

    const std::string& path() const override { return path_; }

    std::string formatName() const override;
    uint64_t fileBytes() const override;

    const MetaValue* find(std::string_view key) const override { return parts_[0]->find(key); }

    std::span<const std::pair<std::string, MetaValue>> metadata() const override {
        return parts_[0]->metadata();
    }

    std::span<const TensorInfo> tensors() const override { return tensors_; }

    const TensorInfo* tensor(std::string_view name) const override;
    Result<void> readTensor(const TensorInfo& info, uint64_t first,
                            std::span<std::byte> dst) const override;

private:
    SplitGguf() = default;

    Result<void> join();

    std::string path_;                               ///< what was opened
    std::vector<std::unique_ptr<ModelFile>> parts_;  ///< in order
    std::vector<TensorInfo> tensors_;                ///< of all parts, in order
    std::vector<uint32_t> partOf_;                   ///< beside tensors_
    std::vector<uint32_t> tensorByName_;             ///< indices into tensors_, sorted
};

}  // namespace vitrine::engine
