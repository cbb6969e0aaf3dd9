#include "engine/library/folder_scan.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <dirent.h>
#include <fstream>
#include <map>
#include <optional>
#include <string_view>
#include <sys/stat.h>
#include <system_error>

#include "engine/library/ollama_store.h"

namespace vitrine::engine {
namespace {

std::string lower(std::string_view text) {
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return out;
}

std::string errnoText(int code) {
    return std::generic_category().message(code);
}

/// "org/name" of "models--org--name".
std::string repositoryName(std::string_view folder) {
    std::string name(folder.substr(std::string_view("models--").size()));
    const size_t joint = name.find("--");
    if (joint != std::string::npos) name.replace(joint, 2, "/");
    return name;
}

bool isUnfinishedName(const std::string& name) {
    for (const char* ending :
         {".part", ".partial", ".incomplete", ".crdownload", ".download", ".aria2", ".gguf.tmp"})
        if (name.ends_with(ending)) return true;
    return false;
}

bool isImatrixName(const std::string& name) {
    return name.ends_with(".imatrix") || (name.starts_with("imatrix") && name.ends_with(".dat")) ||
           name.ends_with("-imatrix.dat") || name.ends_with(".imatrix.dat");
}

struct ShardName {
    std::string stem;
    int32_t number = 0, count = 0;
};

/// "x-00002-of-00005.gguf" → {"x", 2, 5}. Source: ggml docs/gguf.md, "Naming convention".
std::optional<ShardName> shardName(const std::string& name) {
    constexpr size_t kTail = std::string_view("-00000-of-00000.gguf").size();
    if (name.size() <= kTail) return std::nullopt;
    const std::string tail = name.substr(name.size() - kTail);
    const auto digits = [&](size_t at) -> int32_t {
        int32_t value = 0;
        for (size_t i = at; i < at + 5; ++i) {
            if (tail[i] < '0' || tail[i] > '9') return -1;
            value = value * 10 + (tail[i] - '0');
        }
        return value;
    };
    if (tail[0] != '-' || tail.compare(6, 4, "-of-") != 0) return std::nullopt;
    const int32_t number = digits(1), count = digits(10);
    if (number < 1 || count < 2 || number > count) return std::nullopt;
    return ShardName{name.substr(0, name.size() - kTail), number, count};
}

/// Pseudo file systems are endless and hold no models.
bool isPseudo(const std::string& path) {
    return path == "/proc" || path == "/sys" || path == "/dev";
}

}  // namespace

bool FolderScan::isOver() const {
    return isCancelled_ || nCandidates_ >= limits_.nCandidates || nFolders_ >= limits_.nFolders;
}

/// Notes the folder as entered; false when it was already, or is none.
bool FolderScan::enter(const std::string& path) {
    struct stat info {};

    if (isPseudo(path) || ::stat(path.c_str(), &info) != 0 || !S_ISDIR(info.st_mode)) return false;
    return entered_.emplace(uint64_t{info.st_dev}, uint64_t{info.st_ino}).second;
}

std::vector<FolderScan::Entry> FolderScan::list(const std::string& path) {
    std::vector<Entry> entries;
    DIR* folder = ::opendir(path.c_str());
    if (folder == nullptr) {
        sinks_.onProblem({path, errnoText(errno)});
        return entries;
    }
    while (!isCancelled_) {
        errno = 0;
        const dirent* item = ::readdir(folder);
        if (item == nullptr) {
            if (errno != 0) sinks_.onProblem({path, errnoText(errno)});
            break;
        }
        Entry entry;
        entry.name = item->d_name;
        if (entry.name.starts_with('.')) continue;
        entry.path = path == "/" ? path + entry.name : path + '/' + entry.name;
        bool isFolder = item->d_type == DT_DIR, isFile = item->d_type == DT_REG;
        if (item->d_type == DT_LNK || item->d_type == DT_UNKNOWN) {
            struct stat info {};

            entry.isDeadLink = ::stat(entry.path.c_str(), &info) != 0;
            isFolder = !entry.isDeadLink && S_ISDIR(info.st_mode);
            isFile = !entry.isDeadLink && S_ISREG(info.st_mode);
        }
        entry.isFolder = isFolder;
        entry.isFile = isFile;
        entries.push_back(std::move(entry));
        if (entries.size() >= limits_.nEntriesPerFolder) {
            sinks_.onProblem({path, "too many entries"});
            break;
        }
    }
    ::closedir(folder);
    std::sort(entries.begin(), entries.end(),
              [](const Entry& a, const Entry& b) { return a.name < b.name; });
    return entries;
}

void FolderScan::scan(const LibraryRoot& root) {
    root_ = root;
    while (root_.path.size() > 1 && root_.path.back() == '/') root_.path.pop_back();

    struct stat info {};

    if (::stat(root_.path.c_str(), &info) != 0) {
        sinks_.onProblem({root_.path, errnoText(errno)});
        return;
    }
    walk({root_.path, 0, {}, false});
}

void FolderScan::walk(const Place& top) {
    std::vector<Place> waiting{top};
    while (!waiting.empty() && !isOver()) {
        const Place place = std::move(waiting.back());
        waiting.pop_back();
        if (!enter(place.path)) continue;
        ++nFolders_;
        sinks_.onFolder(place.path);
        visit(place, waiting);
    }
    const bool isFull = !isCancelled_ && isOver();
    if (isFull && !isLimitSaid_) sinks_.onProblem({root_.path, "too many folders or models"});
    isLimitSaid_ |= isFull;
}

void FolderScan::visit(const Place& place, std::vector<Place>& waiting) {
    const std::vector<Entry> entries = list(place.path);
    if (visitLayout(place, entries, waiting)) return;
    findFolderModel(place, entries);
    findFiles(place, entries);
    if (place.depth >= limits_.depth) return;
    // Last in, first out: the first name is visited first.
    for (auto it = entries.rbegin(); it != entries.rend(); ++it)
        if (it->isFolder) waiting.push_back({it->path, place.depth + 1, place.repository, false});
}

bool FolderScan::visitLayout(const Place& place, const std::vector<Entry>& entries,
                             std::vector<Place>& waiting) {
    const auto hasFolder = [&](const char* name) {
        return std::any_of(entries.begin(), entries.end(),
                           [&](const Entry& e) { return e.isFolder && e.name == name; });
    };
    const std::string name = place.path.substr(place.path.find_last_of('/') + 1);
    if (name.starts_with("models--") && hasFolder("snapshots")) {
        visitHubRepository(place, waiting);
        return true;
    }
    if ((name.starts_with("datasets--") || name.starts_with("spaces--")) && hasFolder("snapshots"))
        return true;
    if (hasFolder("blobs") && hasFolder("manifests")) {
        visitOllama(place.path);
        return true;
    }
    return false;
}

/// Layout: refs/main holds a commit, snapshots/COMMIT/ has links into blobs/. Source:
/// huggingface_hub documentation, "Understand caching".
void FolderScan::visitHubRepository(const Place& place, std::vector<Place>& waiting) {
    const std::string repository =
        repositoryName(place.path.substr(place.path.find_last_of('/') + 1));
    std::string main;
    std::ifstream(place.path + "/refs/main") >> main;
    for (const Entry& blob : list(place.path + "/blobs"))
        if (blob.isFile && isUnfinishedName(blob.name)) {
            ModelCandidate candidate;
            candidate.type = ModelCandidate::Type::Partial;
            candidate.path = blob.path;
            candidate.name = repository;
            report({place.path, place.depth, repository, true}, std::move(candidate));
        }
    // The revision that people mean last, so that it is taken off first: files that several
    // revisions share are listed once, from there.
    std::vector<Entry> snapshots = list(place.path + "/snapshots");
    std::stable_partition(snapshots.begin(), snapshots.end(),
                          [&](const Entry& e) { return e.name != main; });
    for (const Entry& snapshot : snapshots)
        if (snapshot.isFolder)
            waiting.push_back({snapshot.path, place.depth + 2, repository, true});
}

void FolderScan::visitOllama(const std::string& path) {
    sinks_.onFolder(path + "/blobs");
    for (ModelCandidate& candidate :
         listOllamaStore(path, limits_.nCandidates - nCandidates_, isCancelled_))
        report({path, 0, {}, false}, std::move(candidate));
}

void FolderScan::findFolderModel(const Place& place, const std::vector<Entry>& entries) {
    bool hasConfig = false, hasWeights = false, hasPickle = false, hasAdapter = false;
    for (const Entry& entry : entries) {
        if (!entry.isFile && !entry.isDeadLink) continue;
        hasConfig |= entry.isFile && entry.name == "config.json";
        hasAdapter |= entry.isFile && entry.name == "adapter_config.json";
        hasWeights |= entry.name.ends_with(".safetensors");
        hasPickle |= entry.name.starts_with("pytorch_model") && entry.name.ends_with(".bin");
    }
    if (!hasAdapter && (!hasConfig || (!hasWeights && !hasPickle))) return;
    ModelCandidate candidate;
    candidate.type =
        hasAdapter ? ModelCandidate::Type::AdapterFolder : ModelCandidate::Type::Folder;
    candidate.path = place.path;
    candidate.name = place.isRepositoryTop ? place.repository
                                           : place.path.substr(place.path.find_last_of('/') + 1);
    report(place, std::move(candidate));
}

void FolderScan::findFiles(const Place& place, const std::vector<Entry>& entries) {
    std::vector<const Entry*> shards;
    for (const Entry& entry : entries) {
        if (isOver()) return;
        if (!entry.isFile && !entry.isDeadLink) continue;
        const std::string name = lower(entry.name);
        const bool isGguf = name.ends_with(".gguf");
        ModelCandidate candidate;
        candidate.path = entry.path;
        candidate.name = fileStem(entry.name);
        if (isUnfinishedName(name)) {
            // Other programs' unfinished downloads are not ours to count.
            if (name.find(".gguf") == std::string::npos &&
                name.find(".safetensors") == std::string::npos)
                continue;
            candidate.type = ModelCandidate::Type::Partial;
        } else if (isImatrixName(name)) {
            candidate.type = ModelCandidate::Type::Imatrix;
        } else if (!isGguf) {
            continue;
        } else if (entry.isDeadLink) {
            candidate.type = ModelCandidate::Type::Partial;
        } else if (shardName(name)) {
            shards.push_back(&entry);
            continue;
        }
        report(place, std::move(candidate));
    }
    if (!shards.empty()) findSplits(place, shards);
}

void FolderScan::findSplits(const Place& place, const std::vector<const Entry*>& files) {
    std::map<std::pair<std::string, int32_t>, std::map<int32_t, const Entry*>> splits;
    for (const Entry* file : files) {
        const auto name = shardName(lower(file->name));
        splits[{name->stem, name->count}].emplace(name->number, file);
    }
    for (const auto& [key, parts] : splits) {
        const Entry& first = *parts.begin()->second;
        ModelCandidate candidate;
        candidate.path = first.path;
        candidate.name = fileStem(first.name);
        candidate.name.resize(key.first.size());
        candidate.nShards = key.second;
        int32_t nNamed = 0;
        for (int32_t i = 1; i <= key.second; ++i) {
            const auto part = parts.find(i);
            if (part != parts.end()) {
                candidate.shards.push_back(part->second->path);
            } else if (++nNamed <= 10) {
                candidate.missingShards +=
                    (candidate.missingShards.empty() ? "" : ", ") + std::to_string(i);
            } else if (nNamed == 11) {
                candidate.missingShards += ", …";
            }
        }
        report(place, candidate);
        for (auto part = std::next(parts.begin()); part != parts.end(); ++part) {
            ModelCandidate later;
            later.type = ModelCandidate::Type::LaterShard;
            later.path = part->second->path;
            later.name = fileStem(part->second->name);
            report(place, std::move(later));
        }
    }
}

/// Fills in the store, and where below the root it lies unless the store has a name for that.
void FolderScan::report(const Place& place, ModelCandidate candidate) {
    if (isOver()) return;
    ++nCandidates_;
    if (candidate.store == ModelStore::Folder)
        candidate.store = place.repository.empty() ? root_.store : ModelStore::HuggingFace;
    if (candidate.detail.empty() && candidate.store != ModelStore::Ollama) {
        const bool isBelow = place.path.size() > root_.path.size() + 1;
        candidate.detail = !place.repository.empty() ? place.repository
                           : isBelow                 ? place.path.substr(root_.path.size() + 1)
                                                     : std::string();
    }
    sinks_.onCandidate(std::move(candidate));
}

}  // namespace vitrine::engine
