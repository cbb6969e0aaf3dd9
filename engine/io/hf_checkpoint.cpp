#include "engine/io/hf_checkpoint.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>

#include "engine/io/foreign_format.h"
#include "engine/io/header_cursor.h"
#include "engine/io/json_value.h"
#include "engine/io/name_index.h"

namespace vitrine::engine {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kMaxIndexBytes = uint64_t{64} << 20;
constexpr size_t kMaxShards = 4096;

bool isThere(const std::string& path) {
    std::error_code error;
    return fs::is_regular_file(path, error);
}

/// A file name inside the folder and nothing else.
bool isPlainName(const std::string& name) {
    return name.ends_with(".safetensors") && name.size() <= 255 && name.front() != '.' &&
           name.find_first_of(std::string_view("/\\\0", 3)) == std::string::npos;
}

/// What other weights the folder has, and the next step.
Error noSafetensors(const std::string& folder) {
    std::string other, gguf;
    bool hasShards = false;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error)) {
        const std::string name = entry.path().filename().string();
        if (name.ends_with(".gguf") && (gguf.empty() || name < gguf)) gguf = name;
        hasShards |= name.starts_with("model-") && name.ends_with(".safetensors");
        for (const char* ending : {".bin", ".pth", ".pt", ".h5", ".msgpack", ".onnx"}) {
            if (name.ends_with(ending) && (other.empty() || name < other)) other = name;
        }
    }
    if (!gguf.empty())
        return makeError(Errc::Unsupported, "This folder's weights are in a GGUF file; open " +
                                                quotedName(gguf) + " in it.");
    if (hasShards)
        return makeError(Errc::Io,
                         "This folder holds parts of a model without their list, "
                         "model.safetensors.index.json; download that file too.");
    if (!other.empty())
        return makeError(Errc::Unsupported,
                         "The weights in this folder are in another format than safetensors (" +
                             quotedName(other) +
                             "), which Vitrine does not read; take a version with "
                             "model.safetensors, or a GGUF of the model.");
    return makeError(Errc::Io,
                     "This folder has a config.json and no weights; download model.safetensors "
                     "into it.");
}

}  // namespace

Result<HfCheckpoint> HfCheckpoint::open(const std::string& folder) {
    HfCheckpoint checkpoint;
    const std::string single = folder + "/model.safetensors";
    const std::string index = folder + "/model.safetensors.index.json";
    Result<void> added;
    if (isThere(single)) {
        added = checkpoint.add(single);
        if (added) added = checkpoint.sort();
    } else if (isThere(index)) {
        added = checkpoint.openShards(folder, index);
    } else {
        return noSafetensors(folder);
    }
    if (!added) return std::move(added).error();
    return checkpoint;
}

Result<void> HfCheckpoint::add(const std::string& path) {
    auto file = RandomAccessFile::open(path);
    if (!file) return std::move(file).error();
    const std::string name = path.substr(path.find_last_of('/') + 1);
    std::array<std::byte, 512> buffer;
    const auto head = std::span(buffer).first(
        static_cast<size_t>(std::min<uint64_t>(buffer.size(), file->sizeBytes())));
    if (auto r = file->readAt(0, head); !r) return std::move(r).error();
    if (!looksLikeSafetensors(head)) {
        Error error = describeForeignFile(head);
        error.message = name + ": " + error.message;
        return error;
    }
    auto opened = SafetensorsFile::open(std::move(*file));
    if (!opened) {
        Error error = std::move(opened).error();
        error.message = name + ": " + error.message;
        return error;
    }
    const auto fileIndex = static_cast<uint32_t>(files_.size());
    for (size_t i = 0; i < opened->tensors().size(); ++i)
        places_.push_back({fileIndex, static_cast<uint32_t>(i)});
    files_.push_back(std::move(*opened));
    return {};
}

Result<void> HfCheckpoint::sort() {
    const size_t twice = sortByName(byName_, places_.size(),
                                    [&](size_t i) -> std::string_view { return tensor(i).name; });
    if (twice == places_.size()) return {};
    return makeError(Errc::Format, "The tensor " + quotedName(tensor(twice).name) +
                                       " is in two files of this folder; download the model "
                                       "again.");
}

Result<void> HfCheckpoint::openShards(const std::string& folder, const std::string& indexPath) {
    auto index = JsonValue::read(indexPath, kMaxIndexBytes);
    if (!index) return std::move(index).error();
    const JsonValue map = (*index)["weight_map"];
    if (!map.isObject() || map.size() == 0)
        return makeError(Errc::Format,
                         "The file model.safetensors.index.json has no \"weight_map\"; download "
                         "it again.");
    std::set<std::string> shards;
    for (const std::string& name : map.keys()) {
        const std::string shard = map[name].text().value_or("");
        if (shard.empty() || !isPlainName(shard))
            return makeError(Errc::Format, "The file model.safetensors.index.json puts " +
                                               quotedName(name) + " into " + quotedName(shard) +
                                               ", which is not a file of this folder; download it "
                                               "again.");
        shards.insert(shard);
        if (shards.size() > kMaxShards)
            return makeError(Errc::Format,
                             "The file model.safetensors.index.json names more than 4096 files; "
                             "download it again.");
    }
    std::string missing;
    size_t nMissing = 0;
    for (const std::string& shard : shards) {
        if (isThere(folder + "/" + shard)) continue;
        if (++nMissing <= 3) missing += (missing.empty() ? "" : ", ") + quotedName(shard);
    }
    if (nMissing > 0)
        return makeError(Errc::Io, std::to_string(nMissing) + " of the model's " +
                                       std::to_string(shards.size()) + " files are missing (" +
                                       missing + (nMissing > 3 ? ", …" : "") +
                                       "); download them into the same folder.");
    for (const std::string& shard : shards) {
        if (auto r = add(folder + "/" + shard); !r) return r;
    }
    if (auto r = sort(); !r) return r;
    for (const std::string& name : map.keys()) {
        const size_t found = find(name);
        const std::string shard = map[name].text().value_or("");
        if (found < size() && files_[places_[found].file].path() == folder + "/" + shard) continue;
        return makeError(Errc::Format, "The tensor " + quotedName(name) + " is not in " +
                                           quotedName(shard) +
                                           ", where model.safetensors.index.json puts it; "
                                           "download both again.");
    }
    return {};
}

uint64_t HfCheckpoint::fileBytes() const {
    uint64_t sum = 0;
    for (const SafetensorsFile& file : files_) sum += file.fileBytes();
    return sum;
}

const StoredTensor& HfCheckpoint::tensor(size_t index) const {
    const Place place = places_[index];
    return files_[place.file].tensors()[place.tensor];
}

size_t HfCheckpoint::find(std::string_view name) const {
    return findByName(byName_, name, [&](size_t i) -> std::string_view { return tensor(i).name; });
}

Result<void> HfCheckpoint::read(size_t index, uint64_t first, std::span<std::byte> dst) const {
    return files_[places_[index].file].read(tensor(index), first, dst);
}

}  // namespace vitrine::engine
