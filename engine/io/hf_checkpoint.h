#pragma once
// The weights of a Hugging Face folder: one safetensors file, or several named by an index. Thread:
// immutable after opening, any thread.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/io/safetensors_file.h"

namespace vitrine::engine {

class HfCheckpoint {
public:
    /// Opens model.safetensors, or the shards of model.safetensors.index.json. Fails: Io, Format
    /// (damaged, a shard or a tensor of the index missing: named), Unsupported (other weights
    /// only, named).
    static Result<HfCheckpoint> open(const std::string& folder);

    uint64_t fileBytes() const;

    size_t nFiles() const { return files_.size(); }

    size_t size() const { return places_.size(); }

    const StoredTensor& tensor(size_t index) const;

    /// The position of a tensor, or size(). Never fails.
    size_t find(std::string_view name) const;

    /// Bytes [first, first+dst.size()) of a tensor. Fails: Io. Requires: inside the tensor.
    Result<void> read(size_t index, uint64_t first, std::span<std::byte> dst) const;

private:
    struct Place {
        uint32_t file, tensor;
    };

    Result<void> add(const std::string& path);
    Result<void> sort();
    Result<void> openShards(const std::string& folder, const std::string& indexPath);

    std::vector<SafetensorsFile> files_;
    std::vector<Place> places_;
    std::vector<uint32_t> byName_;  ///< indices into places_, sorted
};

}  // namespace vitrine::engine
