#include "engine/library/library_scanner.h"

#include <algorithm>
#include <exception>
#include <filesystem>
#include <optional>
#include <set>
#include <sys/stat.h>

namespace vitrine::engine {
namespace {

struct FileFacts {
    FileStamp stamp;
    uint64_t device = 0, inode = 0;  ///< of the first file
};

bool addFile(const std::string& path, FileFacts& facts) {
    struct stat info {};

    if (::stat(path.c_str(), &info) != 0) return false;
    if (facts.inode == 0) {
        facts.device = info.st_dev;
        facts.inode = info.st_ino;
        facts.stamp.parts = 0;
    }
    ++facts.stamp.parts;
    facts.stamp.sizeBytes += static_cast<uint64_t>(std::max<off_t>(info.st_size, 0));
    facts.stamp.modifiedNs =
        std::max(facts.stamp.modifiedNs,
                 int64_t{info.st_mtim.tv_sec} * 1'000'000'000 + info.st_mtim.tv_nsec);
    return true;
}

/// The files of a Hugging Face folder that make the model what it is, weights first.
std::vector<std::string> filesOfFolder(const std::string& folder) {
    std::vector<std::string> weights, others;
    std::error_code failed;
    std::filesystem::directory_iterator it(folder, failed);
    for (const std::filesystem::directory_iterator end; !failed && it != end;
         it.increment(failed)) {
        const std::string name = it->path().filename().string();
        if (name.ends_with(".safetensors") || name.ends_with(".bin"))
            weights.push_back(it->path().string());
        else if (name.ends_with(".json"))
            others.push_back(it->path().string());
    }
    std::sort(weights.begin(), weights.end());
    weights.insert(weights.end(), others.begin(), others.end());
    return weights;
}

std::optional<FileFacts> factsOf(const ModelCandidate& candidate) {
    FileFacts facts;
    using Type = ModelCandidate::Type;
    if (candidate.type == Type::Folder || candidate.type == Type::AdapterFolder) {
        for (const std::string& file : filesOfFolder(candidate.path)) addFile(file, facts);
    } else if (!candidate.shards.empty()) {
        for (const std::string& file : candidate.shards) addFile(file, facts);
    } else {
        addFile(candidate.path, facts);
    }
    return facts.inode != 0 ? std::optional(facts) : std::nullopt;
}

}  // namespace

/// One scan, on the scanner's thread.
class LibraryScanner::Run {
public:
    Run(LibraryScanner& owner, uint64_t id, const std::atomic<bool>& isCancelled)
        : owner_(owner), id_(id), isCancelled_(isCancelled) {}

    void go(const std::vector<LibraryRoot>& roots, const ScanLimits& limits) {
        FolderScan scan(limits, isCancelled_,
                        {[this](ModelCandidate&& c) { take(std::move(c)); },
                         [this](const std::string& path) {
                             push([&](LibraryUpdate& u) {
                                 ++u.nFolders;
                                 u.folders.push_back(path);
                             });
                         },
                         [this](ScanProblem&& problem) {
                             push([&](LibraryUpdate& u) { u.problems.push_back(problem); });
                         }});
        for (const LibraryRoot& root : roots) scan.scan(root);
    }

    void finish() {
        push([](LibraryUpdate& u) { u.isFinished = true; });
    }

private:
    void take(ModelCandidate candidate) {
        if (isCancelled_) return;
        const std::optional<FileFacts> facts = factsOf(candidate);
        // Several revisions of a cache, links and overlapping folders name the same file.
        if (facts && !seen_.emplace(facts->device, facts->inode).second) return;
        ModelEntry entry;
        const ModelEntry* known = facts && candidate.missingShards.empty()
                                      ? owner_.cache_.find(candidate.path, facts->stamp)
                                      : nullptr;
        if (known != nullptr) {
            entry = *known;
            entry.store = candidate.store;
            entry.detail = candidate.detail;
            entry.name = !candidate.name.empty() ? candidate.name
                         : !entry.title.empty()  ? entry.title
                                                 : fileStem(candidate.path);
        } else {
            entry = summarizeModel(candidate);
        }
        if (facts) {
            entry.sizeBytes = facts->stamp.sizeBytes;
            entry.modifiedS = facts->stamp.modifiedNs / 1'000'000'000;
            if (known == nullptr) owner_.cache_.put(facts->stamp, entry);
        }
        push([&](LibraryUpdate& u) {
            u.nHeadersRead += known == nullptr ? 1 : 0;
            u.entries.push_back(std::move(entry));
        });
    }

    /// Into the waiting update, unless a newer scan has begun.
    template <class Change>
    void push(Change change) {
        bool isFirst = false;
        {
            const std::lock_guard lock(owner_.mutex_);
            if (owner_.newest_ != id_) return;
            change(owner_.waiting_);
            isFirst = !owner_.isPoked_;
            owner_.isPoked_ = true;
        }
        if (isFirst && owner_.poke_) owner_.poke_();
    }

    LibraryScanner& owner_;
    uint64_t id_;
    const std::atomic<bool>& isCancelled_;
    std::set<std::pair<uint64_t, uint64_t>> seen_;
};

LibraryScanner::LibraryScanner(std::string cacheFile, std::function<void()> poke)
    : cacheFile_(std::move(cacheFile)), poke_(std::move(poke)) {}

LibraryScanner::~LibraryScanner() = default;

uint64_t LibraryScanner::scan(std::vector<LibraryRoot> roots, const ScanLimits& limits) {
    uint64_t id = 0;
    {
        const std::lock_guard lock(mutex_);
        id = ++newest_;
        waiting_ = {};
        waiting_.scanId = id;
        isPoked_ = false;
    }
    job_.start([this, id, limits, roots = std::move(roots)](const std::atomic<bool>& isCancelled) {
        try {
            if (!isCacheRead_ && !cacheFile_.empty()) cache_.read(cacheFile_);
            isCacheRead_ = true;
            Run run(*this, id, isCancelled);
            run.go(roots, limits);
            if (isCancelled) return;
            cache_.dropUnused();
            if (cache_.isChanged() && !cacheFile_.empty()) cache_.write(cacheFile_);
            run.finish();
        } catch (const std::exception& e) {
            const std::lock_guard lock(mutex_);
            if (newest_ != id) return;
            waiting_.problems.push_back({roots.empty() ? "" : roots.front().path, e.what()});
            waiting_.isFinished = true;
        }
    });
    return id;
}

void LibraryScanner::cancel() {
    job_.cancel();
}

LibraryUpdate LibraryScanner::take() {
    const std::lock_guard lock(mutex_);
    LibraryUpdate taken = std::move(waiting_);
    waiting_ = {};
    waiting_.scanId = taken.scanId;
    waiting_.nFolders = taken.nFolders;
    waiting_.nHeadersRead = taken.nHeadersRead;
    isPoked_ = false;
    return taken;
}

}  // namespace vitrine::engine
