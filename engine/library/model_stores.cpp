#include "engine/library/model_stores.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

namespace vitrine::engine {
namespace {

/// "~/x" as the shell means it, and no slash at the end. Not absolute: empty.
std::string cleaned(std::string path, const std::string& home) {
    if (path == "~" || path.starts_with("~/")) path = home + path.substr(1);
    while (path.size() > 1 && path.back() == '/') path.pop_back();
    return path.starts_with('/') ? path : std::string();
}

}  // namespace

std::vector<LibraryRoot> knownStores(const EnvironmentFn& environment) {
    std::vector<LibraryRoot> roots;
    const std::string home = cleaned(environment("HOME"), "");
    const auto add = [&](ModelStore store, const std::string& asked) {
        const std::string path = cleaned(asked, home);
        std::error_code none;
        if (path.empty() || !std::filesystem::is_directory(path, none)) return;
        const bool isThere = std::any_of(roots.begin(), roots.end(),
                                         [&](const LibraryRoot& r) { return r.path == path; });
        if (!isThere) roots.push_back({store, path});
    };
    const auto below = [](const std::string& folder, const char* rest) {
        return folder.empty() ? std::string() : folder + rest;
    };
    std::string hub = environment("HF_HUB_CACHE");
    if (hub.empty()) hub = environment("HUGGINGFACE_HUB_CACHE");
    if (hub.empty()) hub = below(environment("HF_HOME"), "/hub");
    if (hub.empty()) {
        const std::string cache = cleaned(environment("XDG_CACHE_HOME"), home);
        hub = cache.empty() ? below(home, "/.cache/huggingface/hub") : cache + "/huggingface/hub";
    }
    add(ModelStore::HuggingFace, hub);
    add(ModelStore::LmStudio, below(home, "/.lmstudio/models"));
    add(ModelStore::LmStudio, below(home, "/.cache/lm-studio/models"));
    const std::string ollama = environment("OLLAMA_MODELS");
    add(ModelStore::Ollama, ollama.empty() ? below(home, "/.ollama/models") : ollama);
    add(ModelStore::Ollama, "/usr/share/ollama/.ollama/models");
    return roots;
}

std::vector<LibraryRoot> knownStores() {
    return knownStores([](const char* name) {
        const char* value = std::getenv(name);
        return std::string(value != nullptr ? value : "");
    });
}

}  // namespace vitrine::engine
