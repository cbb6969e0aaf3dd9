#pragma once
// A model file that is only metadata in memory, for tests of what reads metadata. Thread: one
// owner.

#include <string>
#include <utility>
#include <vector>

#include "engine/io/model_file.h"

namespace vitrine::test {

class MemoryModelFile final : public engine::ModelFile {
public:
    MemoryModelFile& set(std::string key, engine::MetaValue value) {
        for (auto& entry : metadata_)
            if (entry.first == key) {
                entry.second = std::move(value);
                return *this;
            }
        metadata_.emplace_back(std::move(key), std::move(value));
        return *this;
    }

    void remove(std::string_view key) {
        std::erase_if(metadata_, [&](const auto& entry) { return entry.first == key; });
    }

    const std::string& path() const override { return path_; }

    std::string formatName() const override { return "memory"; }

    uint64_t fileBytes() const override { return 0; }

    const engine::MetaValue* find(std::string_view key) const override {
        for (const auto& entry : metadata_)
            if (entry.first == key) return &entry.second;
        return nullptr;
    }

    std::span<const std::pair<std::string, engine::MetaValue>> metadata() const override {
        return metadata_;
    }

    std::span<const engine::TensorInfo> tensors() const override { return {}; }

    const engine::TensorInfo* tensor(std::string_view) const override { return nullptr; }

    engine::Result<void> readTensor(const engine::TensorInfo&, uint64_t,
                                    std::span<std::byte>) const override {
        return engine::makeError(engine::Errc::Io, "no tensors here");
    }

private:
    std::string path_ = "memory";
    std::vector<std::pair<std::string, engine::MetaValue>> metadata_;
};

}  // namespace vitrine::test
