#pragma once
// What headers said before, by path, size and time of the file, so that a scan reads only what
// changed. Kept in a file between starts; models with a problem are left out of the file, because a
// newer program may run them. Thread: one at a time.

#include <cstdint>
#include <map>
#include <string>

#include "engine/library/model_entry.h"

namespace vitrine::engine {

/// What of a file must be the same for its header to be the same.
struct FileStamp {
    uint64_t sizeBytes = 0;
    int64_t modifiedNs = 0;
    int64_t parts = 1;  ///< files that were added up

    bool operator==(const FileStamp&) const = default;
};

class HeaderCache {
public:
    /// Null when the file is not known or has changed. Valid until the next call.
    const ModelEntry* find(const std::string& path, const FileStamp& stamp);
    void put(const FileStamp& stamp, const ModelEntry& entry);

    /// Forgets what was neither found nor put since the last call.
    void dropUnused();

    /// A damaged or missing file gives an empty cache. Never fails.
    void read(const std::string& file);
    /// Written beside and renamed. False when the disk refuses.
    bool write(const std::string& file);

    bool isChanged() const { return isChanged_; }

private:
    struct Slot {
        FileStamp stamp;
        ModelEntry entry;
        bool isUsed = false;
    };

    std::map<std::string, Slot> slots_;
    bool isChanged_ = false;
};

}  // namespace vitrine::engine
