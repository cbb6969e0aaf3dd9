#pragma once
// Looks for models in folders and stores on a thread of its own and hands them over as they are
// found. Thread: all functions on one thread (the window's); the poke comes from the scanner's.

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "engine/library/folder_scan.h"
#include "engine/library/header_cache.h"
#include "engine/library/latest_job.h"
#include "engine/library/model_entry.h"
#include "engine/library/model_stores.h"

namespace vitrine::engine {

struct LibraryUpdate {
    uint64_t scanId = 0;
    std::vector<ModelEntry> entries;   ///< since the last take
    std::vector<std::string> folders;  ///< looked through since the last take, to be watched
    std::vector<ScanProblem> problems;
    size_t nFolders = 0, nHeadersRead = 0;  ///< of the whole scan so far
    bool isFinished = false;                ///< the scan is over; what it did not name is gone
};

class LibraryScanner {
public:
    /// cacheFile: see HeaderCache; empty = none. poke: called once whenever something waits to be
    /// taken.
    LibraryScanner(std::string cacheFile, std::function<void()> poke);
    /// Cancels and waits for the file being read.
    ~LibraryScanner();

    /// Begins a scan, cancelling the one that runs; returns its id. The same file met twice (links,
    /// overlapping folders) is named once, from the earlier root.
    uint64_t scan(std::vector<LibraryRoot> roots, const ScanLimits& limits = {});
    void cancel();

    /// What came since the last call, of the newest scan only.
    LibraryUpdate take();

private:
    class Run;

    std::string cacheFile_;
    std::function<void()> poke_;
    std::mutex mutex_;
    LibraryUpdate waiting_;
    uint64_t newest_ = 0;
    bool isPoked_ = false;
    bool isCacheRead_ = false;  ///< scanner's thread
    HeaderCache cache_;         ///< scanner's thread
    LatestJob job_;             ///< last: its end must come before what its job uses
};

}  // namespace vitrine::engine
