#include "engine/library/ollama_store.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

namespace vitrine::engine {
namespace {

namespace fs = std::filesystem;

constexpr uintmax_t kMaxManifestBytes = 1 << 20;
constexpr int kMaxDepth = 8;
constexpr size_t kMaxManifests = 20'000;

/// "llama3.2:1b" of registry.ollama.ai/library/llama3.2/1b; "hf.co/org/model:tag" of others.
std::string nameOf(const fs::path& relative) {
    std::vector<std::string> parts;
    for (const fs::path& part : relative) parts.push_back(part.string());
    if (parts.size() < 2) return relative.string();
    const std::string tag = parts.back();
    parts.pop_back();
    if (parts.front() == "registry.ollama.ai") parts.erase(parts.begin());
    if (parts.size() > 1 && parts.front() == "library") parts.erase(parts.begin());
    std::string name;
    for (const std::string& part : parts) name += (name.empty() ? "" : "/") + part;
    return name + ":" + tag;
}

/// "sha256-…" of a digest "sha256:…"; empty for anything that is not one.
std::string blobName(const std::string& digest) {
    const size_t colon = digest.find(':');
    if (colon == std::string::npos || colon == 0 || colon > 16 || digest.size() > 200) return {};
    const std::string kind = digest.substr(0, colon), hex = digest.substr(colon + 1);
    const auto all = [](const std::string& text, const char* allowed) {
        return !text.empty() && text.find_first_not_of(allowed) == std::string::npos;
    };
    if (!all(kind, "abcdefghijklmnopqrstuvwxyz0123456789") || !all(hex, "0123456789abcdef"))
        return {};
    return kind + "-" + hex;
}

bool hasGgufMagic(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    char magic[4] = {};
    return in.read(magic, 4) && std::memcmp(magic, "GGUF", 4) == 0;
}

struct Layer {
    std::vector<std::string> names;
    std::string mediaType;
};

/// Layers by blob name, in the order of manifests by name.
void readManifest(const fs::path& path, const std::string& name,
                  std::map<std::string, Layer>& layers) {
    std::error_code none;
    const uintmax_t size = fs::file_size(path, none);
    if (none || size > kMaxManifestBytes) return;
    std::ifstream in(path, std::ios::binary);
    const auto root = nlohmann::json::parse(in, nullptr, false);
    if (!root.is_object() || !root.contains("layers") || !root["layers"].is_array()) return;
    for (const auto& layer : root["layers"]) {
        if (!layer.is_object()) continue;
        const auto media = layer.find("mediaType"), digest = layer.find("digest");
        if (media == layer.end() || digest == layer.end() || !media->is_string() ||
            !digest->is_string())
            continue;
        const auto type = media->get<std::string>();
        if (!type.ends_with(".model") && !type.ends_with(".projector") &&
            !type.ends_with(".adapter"))
            continue;
        const std::string blob = blobName(digest->get<std::string>());
        if (blob.empty()) continue;
        Layer& known = layers[blob];
        known.mediaType = type;
        known.names.push_back(name);
    }
}

std::map<std::string, Layer> readManifests(const fs::path& top,
                                           const std::atomic<bool>& isCancelled) {
    std::map<std::string, Layer> layers;
    std::vector<fs::path> files;
    std::error_code failed;
    fs::recursive_directory_iterator it(top, fs::directory_options::skip_permission_denied, failed);
    for (const fs::recursive_directory_iterator end; !failed && it != end; it.increment(failed)) {
        if (isCancelled || files.size() >= kMaxManifests) break;
        std::error_code none;
        if (it.depth() > kMaxDepth) it.disable_recursion_pending();
        if (it->is_regular_file(none)) files.push_back(it->path());
    }
    std::sort(files.begin(), files.end());
    for (const fs::path& file : files) {
        if (isCancelled) break;
        readManifest(file, nameOf(file.lexically_relative(top)), layers);
    }
    return layers;
}

}  // namespace

std::vector<ModelCandidate> listOllamaStore(const std::string& path, size_t maxCandidates,
                                            const std::atomic<bool>& isCancelled) {
    std::vector<ModelCandidate> found;
    const fs::path blobs = fs::path(path) / "blobs";
    const auto layers = readManifests(fs::path(path) / "manifests", isCancelled);
    const auto add = [&](const fs::path& blob, std::string name, std::string detail) {
        ModelCandidate& candidate = found.emplace_back();
        candidate.path = blob.string();
        candidate.name = std::move(name);
        candidate.detail = std::move(detail);
        candidate.store = ModelStore::Ollama;
        return &candidate;
    };
    for (const auto& [blob, layer] : layers) {
        if (found.size() >= maxCandidates) return found;
        // An older store writes "sha256:…".
        std::string older = blob;
        older[older.find('-')] = ':';
        std::error_code none;
        const bool isOlder = fs::exists(blobs / older, none);
        std::string others;
        for (size_t i = 1; i < layer.names.size(); ++i)
            others += (others.empty() ? "" : ", ") + layer.names[i];
        ModelCandidate* c = add(blobs / (isOlder ? older : blob), layer.names.front(), others);
        if (!fs::exists(c->path, none)) c->type = ModelCandidate::Type::Partial;
    }
    std::error_code failed;
    fs::directory_iterator it(blobs, failed);
    for (const fs::directory_iterator end; !failed && it != end; it.increment(failed)) {
        if (isCancelled || found.size() >= maxCandidates) break;
        std::string name = it->path().filename().string();
        // "…-partial" grows; "…-partial-3" are notes beside it.
        const bool isPartial = name.ends_with("-partial");
        if (!isPartial && name.find("-partial-") != std::string::npos) continue;
        const size_t colon = name.find(':');
        if (colon != std::string::npos) name[colon] = '-';
        std::error_code none;
        if (layers.contains(name) || !it->is_regular_file(none)) continue;
        if (isPartial)
            add(it->path(), name, {})->type = ModelCandidate::Type::Partial;
        else if (hasGgufMagic(it->path()))
            add(it->path(), {}, name.substr(0, 19));
    }
    return found;
}

}  // namespace vitrine::engine
