#include "engine/io/split_gguf.h"

#include <cstdio>
#include <filesystem>

#include "engine/base/check.h"
#include "engine/io/gguf_file.h"
#include "engine/io/header_cursor.h"
#include "engine/io/name_index.h"

namespace vitrine::engine {
namespace {

/// Of the specification the count is 16 bits wide; no published model comes near this.
constexpr int64_t kMaxParts = 1024;

std::string partEnding(int64_t part, int64_t nParts) {
    char text[48];
    std::snprintf(text, sizeof text, "-%05d-of-%05d.gguf", static_cast<int>(part + 1),
                  static_cast<int>(nParts));
    return text;
}

std::string fileName(const std::string& path) {
    return path.substr(path.find_last_of('/') + 1);
}

Error wrongPart(const std::string& path, const std::string& why) {
    return makeError(Errc::Format, "The file " + fileName(path) + " " + why +
                                       "; download all parts of the model again.");
}

}  // namespace

Result<std::unique_ptr<ModelFile>> SplitGguf::open(RandomAccessFile file) {
    const std::string path = file.path();
    auto opened = GgufFile::open(std::move(file));
    if (!opened) return opened;
    const int64_t nParts = (*opened)->integer("split.count").value_or(1);
    if (nParts <= 1) return opened;
    const int64_t number = (*opened)->integer("split.no").value_or(-1);
    if (nParts > kMaxParts || number < 0 || number >= nParts)
        return wrongPart(path, "says that it is part " + std::to_string(number) +
                                   " (split.no) of " + std::to_string(nParts) + " (split.count)");
    const std::string ending = partEnding(number, nParts);
    if (!path.ends_with(ending))
        return makeError(Errc::Unsupported, "This file is part " + std::to_string(number + 1) +
                                                " of a model split "
                                                "into " +
                                                std::to_string(nParts) +
                                                " files, and its name must end in " + ending +
                                                " for the others to be found; rename it.");
    const std::string stem = path.substr(0, path.size() - ending.size());
    std::string missing;
    int64_t nMissing = 0;
    for (int64_t part = 0; part < nParts; ++part) {
        std::error_code error;
        const std::string other = stem + partEnding(part, nParts);
        if (std::filesystem::is_regular_file(other, error)) continue;
        if (++nMissing <= 3) missing += (missing.empty() ? "" : ", ") + quotedName(fileName(other));
    }
    if (nMissing > 0)
        return makeError(Errc::Io, std::to_string(nMissing) + " of the model's " +
                                       std::to_string(nParts) + " files are missing (" + missing +
                                       (nMissing > 3 ? ", …" : "") +
                                       "); download them into the same folder.");
    std::unique_ptr<SplitGguf> model(new SplitGguf);
    model->path_ = path;
    for (int64_t part = 0; part < nParts; ++part) {
        const std::string partPath = stem + partEnding(part, nParts);
        auto partFile = RandomAccessFile::open(partPath);
        if (!partFile) return std::move(partFile).error();
        auto gguf = GgufFile::open(std::move(*partFile));
        if (!gguf) {
            Error error = std::move(gguf).error();
            error.message = fileName(partPath) + ": " + error.message;
            return error;
        }
        if ((*gguf)->integer("split.no") != part || (*gguf)->integer("split.count") != nParts)
            return wrongPart(partPath, "is not the part that its name says");
        model->parts_.push_back(std::move(*gguf));
    }
    if (auto r = model->join(); !r) return std::move(r).error();
    return std::unique_ptr<ModelFile>(std::move(model));
}

Result<void> SplitGguf::join() {
    for (size_t part = 0; part < parts_.size(); ++part) {
        for (const TensorInfo& info : parts_[part]->tensors()) {
            tensors_.push_back(info);
            partOf_.push_back(static_cast<uint32_t>(part));
        }
    }
    const size_t twice = sortByName(tensorByName_, tensors_.size(),
                                    [&](size_t i) -> std::string_view { return tensors_[i].name; });
    if (twice != tensors_.size())
        return wrongPart(parts_[partOf_[twice]]->path(), "holds the tensor " +
                                                             quotedName(tensors_[twice].name) +
                                                             ", which is in another part too");
    const auto announced = integer("split.tensors.count");
    if (announced && *announced != static_cast<int64_t>(tensors_.size()))
        return wrongPart(path_, "belongs to a model of " + std::to_string(*announced) +
                                    " tensors (split.tensors.count), and its parts hold " +
                                    std::to_string(tensors_.size()));
    return {};
}

std::string SplitGguf::formatName() const {
    return parts_[0]->formatName() + " in " + std::to_string(parts_.size()) + " files";
}

uint64_t SplitGguf::fileBytes() const {
    uint64_t sum = 0;
    for (const auto& part : parts_) sum += part->fileBytes();
    return sum;
}

const TensorInfo* SplitGguf::tensor(std::string_view name) const {
    const size_t i = findByName(tensorByName_, name,
                                [&](size_t k) -> std::string_view { return tensors_[k].name; });
    return i < tensors_.size() ? &tensors_[i] : nullptr;
}

Result<void> SplitGguf::readTensor(const TensorInfo& info, uint64_t first,
                                   std::span<std::byte> dst) const {
    const TensorInfo* own = tensor(info.name);
    VITRINE_CHECK(own != nullptr);
    return parts_[partOf_[static_cast<size_t>(own - tensors_.data())]]->readTensor(*own, first,
                                                                                   dst);
}

}  // namespace vitrine::engine
