#pragma once
// A regular file opened for reading at given offsets. Reads go through pread and never through a
// mapping, so that a file that shrinks or sits on a failing disk gives an Error and not a signal.
// Thread: immutable after opening, any thread.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "engine/base/result.h"

namespace vitrine::engine {

class RandomAccessFile {
public:
    /// Fails: Io (missing, no permission, a folder, not a regular file).
    static Result<RandomAccessFile> open(const std::string& path);

    RandomAccessFile(RandomAccessFile&& other) noexcept;
    RandomAccessFile& operator=(RandomAccessFile&& other) noexcept;
    ~RandomAccessFile();

    const std::string& path() const noexcept { return path_; }

    uint64_t sizeBytes() const noexcept { return sizeBytes_; }  ///< when it was opened

    /// Fills dst with the bytes from `offset` on. Fails: Io (read error, the file became shorter).
    Result<void> readAt(uint64_t offset, std::span<std::byte> dst) const;

private:
    RandomAccessFile(int fd, uint64_t sizeBytes, std::string path);

    int fd_ = -1;
    uint64_t sizeBytes_ = 0;
    std::string path_;
};

}  // namespace vitrine::engine
