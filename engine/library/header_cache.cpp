#include "engine/library/header_cache.h"

#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "engine/model/architecture.h"

namespace vitrine::engine {
namespace {

using nlohmann::json;

constexpr int kSchema = 1;
constexpr uintmax_t kMaxFileBytes = uintmax_t{256} << 20;

/// Another set of architectures is another program: its answers may differ.
std::string fingerprint() {
    std::string text = std::to_string(kSchema);
    for (const Architecture* architecture : architectures())
        text += std::string(" ") + architecture->name;
    return text;
}

json toJson(const FileStamp& stamp, const ModelEntry& e) {
    return {e.path,    stamp.sizeBytes,          stamp.modifiedNs, stamp.parts,   e.title,
            e.format,  e.quantisation,           e.architecture,   e.nParameters, e.trainedContext,
            e.nShards, static_cast<int>(e.kind), e.isSupported};
}

}  // namespace

const ModelEntry* HeaderCache::find(const std::string& path, const FileStamp& stamp) {
    const auto slot = slots_.find(path);
    if (slot == slots_.end() || slot->second.stamp != stamp) return nullptr;
    slot->second.isUsed = true;
    return &slot->second.entry;
}

void HeaderCache::put(const FileStamp& stamp, const ModelEntry& entry) {
    slots_[entry.path] = {stamp, entry, true};
    isChanged_ = true;
}

void HeaderCache::dropUnused() {
    for (auto it = slots_.begin(); it != slots_.end();) {
        const bool isUsed = it->second.isUsed;
        it->second.isUsed = false;
        isChanged_ |= !isUsed;
        it = isUsed ? std::next(it) : slots_.erase(it);
    }
}

void HeaderCache::read(const std::string& file) {
    std::error_code none;
    const uintmax_t size = std::filesystem::file_size(file, none);
    if (none || size > kMaxFileBytes) return;
    std::ifstream in(file, std::ios::binary);
    const json root = json::parse(in, nullptr, false);
    try {
        if (!root.is_object() || root.at("fingerprint") != fingerprint()) return;
        for (const json& row : root.at("models")) {
            ModelEntry e;
            FileStamp stamp;
            row.at(0).get_to(e.path);
            row.at(1).get_to(stamp.sizeBytes);
            row.at(2).get_to(stamp.modifiedNs);
            row.at(3).get_to(stamp.parts);
            row.at(4).get_to(e.title);
            row.at(5).get_to(e.format);
            row.at(6).get_to(e.quantisation);
            row.at(7).get_to(e.architecture);
            row.at(8).get_to(e.nParameters);
            row.at(9).get_to(e.trainedContext);
            row.at(10).get_to(e.nShards);
            const int kind = row.at(11).get<int>();
            if (kind < 0 || kind > static_cast<int>(ModelKind::LaterShard)) continue;
            e.kind = static_cast<ModelKind>(kind);
            row.at(12).get_to(e.isSupported);
            slots_.insert_or_assign(e.path, Slot{stamp, e, false});
        }
    } catch (const std::exception&) {
        slots_.clear();  // a cache of another making: read the headers again
    }
}

bool HeaderCache::write(const std::string& file) {
    std::error_code none;
    std::filesystem::create_directories(std::filesystem::path(file).parent_path(), none);
    json models = json::array();
    for (const auto& [path, slot] : slots_)
        if (slot.entry.problem.empty()) models.push_back(toJson(slot.stamp, slot.entry));
    const json root = {{"fingerprint", fingerprint()}, {"models", std::move(models)}};
    const std::string temporary = file + ".new";
    {
        std::ofstream out(temporary, std::ios::binary | std::ios::trunc);
        out << root.dump(-1, ' ', false, json::error_handler_t::replace);
        if (!out.flush()) return false;
    }
    std::filesystem::rename(temporary, file, none);
    isChanged_ = static_cast<bool>(none);
    return !none;
}

}  // namespace vitrine::engine
