#include "engine/io/model_file.h"

#include <algorithm>
#include <cstring>
#include <exception>
#include <filesystem>
#include <new>
#include <utility>

#include "engine/io/foreign_format.h"
#include "engine/io/hf_folder.h"
#include "engine/io/random_access_file.h"
#include "engine/io/split_gguf.h"

namespace vitrine::engine {
namespace {

template <class T>
const T* valueAs(const ModelFile& file, std::string_view key) {
    const MetaValue* value = file.find(key);
    return value != nullptr ? std::get_if<T>(value) : nullptr;
}

template <class T>
std::optional<T> copied(const T* value) {
    return value != nullptr ? std::optional<T>(*value) : std::nullopt;
}

/// The folder that a file stands in, if that is a model's; else empty.
std::string modelFolderOf(const std::string& path) {
    std::error_code error;
    std::string folder = std::filesystem::path(path).parent_path().string();
    if (folder.empty()) folder = ".";
    return std::filesystem::is_regular_file(folder + "/config.json", error) ? folder : "";
}

Result<std::unique_ptr<ModelFile>> openByMagic(const std::string& path) {
    std::error_code error;
    if (std::filesystem::is_directory(path, error)) return HfFolder::open(path, path);
    auto file = RandomAccessFile::open(path);
    if (!file) return std::move(file).error();
    std::array<std::byte, 512> buffer;
    const auto head = std::span(buffer).first(
        static_cast<size_t>(std::min<uint64_t>(buffer.size(), file->sizeBytes())));
    if (auto r = file->readAt(0, head); !r) return std::move(r).error();
    if (head.size() >= 4 && std::memcmp(head.data(), "GGUF", 4) == 0) {
        return SplitGguf::open(std::move(*file));
    }
    // Any file of a folder's model opens the folder.
    const std::string name = std::filesystem::path(path).filename().string();
    const bool isPart = looksLikeSafetensors(head) || name == "config.json" ||
                        name == "model.safetensors.index.json";
    if (name.starts_with("adapter_model."))
        return makeError(Errc::Unsupported,
                         "This file is an adapter (LoRA), not a model; open its base model.");
    if (const std::string folder = modelFolderOf(path); isPart && !folder.empty())
        return HfFolder::open(folder, path);
    return describeForeignFile(head);
}

Result<std::unique_ptr<ModelFile>> openConfiguration(const std::string& path) {
    std::error_code error;
    if (path.ends_with(".json") || std::filesystem::is_directory(path, error))
        return HfFolder::openConfig(path);
    return openByMagic(path);
}

/// Runs `open` and turns what foreign code throws into an error.
template <class Open>
Result<std::unique_ptr<ModelFile>> guarded(const std::string& path, Open open) {
    try {
        auto file = open(path);
        if (!file) return std::move(file).error().within("opening " + path);
        return file;
    } catch (const std::bad_alloc&) {
        return makeError(Errc::OutOfMemory,
                         "There is not enough memory to read the model's metadata; close other "
                         "programs and try again.");
    } catch (const std::exception& e) {
        return makeError(Errc::Io, "Opening " + path + " failed: " + e.what() + ".");
    }
}

}  // namespace

std::optional<int64_t> ModelFile::integer(std::string_view key) const {
    return copied(valueAs<int64_t>(*this, key));
}

std::optional<double> ModelFile::number(std::string_view key) const {
    if (const auto* i = valueAs<int64_t>(*this, key)) return static_cast<double>(*i);
    if (const auto* u = valueAs<uint64_t>(*this, key)) return static_cast<double>(*u);
    return copied(valueAs<double>(*this, key));
}

std::optional<bool> ModelFile::boolean(std::string_view key) const {
    return copied(valueAs<bool>(*this, key));
}

const std::string* ModelFile::string(std::string_view key) const {
    return valueAs<std::string>(*this, key);
}

const std::vector<std::string>* ModelFile::strings(std::string_view key) const {
    return valueAs<std::vector<std::string>>(*this, key);
}

const std::vector<int64_t>* ModelFile::integers(std::string_view key) const {
    return valueAs<std::vector<int64_t>>(*this, key);
}

const std::vector<float>* ModelFile::floats(std::string_view key) const {
    return valueAs<std::vector<float>>(*this, key);
}

Result<std::unique_ptr<ModelFile>> openModelFile(const std::string& path) {
    return guarded(path, openByMagic);
}

Result<std::unique_ptr<ModelFile>> openModelConfig(const std::string& path) {
    return guarded(path, openConfiguration);
}

}  // namespace vitrine::engine
