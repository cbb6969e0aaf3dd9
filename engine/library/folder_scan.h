#pragma once
// Walks through a folder and finds what looks like models: GGUF files (splits joined), Hugging Face
// folders, and the layouts of the Hugging Face cache and of Ollama wherever they are met. Symbolic
// links are followed, each folder is entered once. Thread: one scan per object, one thread.

#include <atomic>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "engine/library/model_entry.h"
#include "engine/library/model_stores.h"

namespace vitrine::engine {

struct ScanLimits {
    int32_t depth = 32;  ///< folders inside folders
    size_t nFolders = 100'000;
    size_t nCandidates = 50'000;
    size_t nEntriesPerFolder = 200'000;
};

/// A folder that was not (wholly) looked through.
struct ScanProblem {
    std::string path;
    std::string why;  ///< a few words: "Permission denied"
};

class FolderScan {
public:
    struct Sinks {
        std::function<void(ModelCandidate&&)> onCandidate;
        std::function<void(const std::string& path)> onFolder;
        std::function<void(ScanProblem&&)> onProblem;
    };

    /// isCancelled outlives this object and is read for every entry.
    FolderScan(const ScanLimits& limits, const std::atomic<bool>& isCancelled, Sinks sinks)
        : limits_(limits), isCancelled_(isCancelled), sinks_(std::move(sinks)) {}

    /// Never fails: what cannot be read becomes a problem. Folders seen in an earlier call are not
    /// entered again.
    void scan(const LibraryRoot& root);

    size_t nFolders() const { return nFolders_; }

private:
    struct Entry {
        std::string name, path;
        bool isFolder = false, isFile = false, isDeadLink = false;
    };

    struct Place {
        std::string path;
        int32_t depth = 0;
        std::string repository;  ///< "org/name" inside a snapshot of the Hugging Face cache
        bool isRepositoryTop = false;
    };

    bool isOver() const;
    bool enter(const std::string& path);
    std::vector<Entry> list(const std::string& path);
    void walk(const Place& top);
    void visit(const Place& place, std::vector<Place>& waiting);
    bool visitLayout(const Place& place, const std::vector<Entry>& entries,
                     std::vector<Place>& waiting);
    void visitHubRepository(const Place& place, std::vector<Place>& waiting);
    void visitOllama(const std::string& path);
    void findFiles(const Place& place, const std::vector<Entry>& entries);
    void findSplits(const Place& place, const std::vector<const Entry*>& files);
    void findFolderModel(const Place& place, const std::vector<Entry>& entries);
    void report(const Place& place, ModelCandidate candidate);

    ScanLimits limits_;
    const std::atomic<bool>& isCancelled_;
    Sinks sinks_;
    LibraryRoot root_;
    size_t nFolders_ = 0, nCandidates_ = 0;
    bool isLimitSaid_ = false;
    std::set<std::pair<uint64_t, uint64_t>> entered_;  ///< device and inode of folders
};

}  // namespace vitrine::engine
