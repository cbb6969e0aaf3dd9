#pragma once
// Walks through a file's header from front to back through a window of about 1 MiB: bulk reads, no
// per-element I/O, and no more memory than the longest single item. Nothing is allocated for a
// claim that the rest of the file cannot hold. After the first failure every call fails and the
// first error stays. Thread: one at a time.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/error.h"
#include "engine/io/random_access_file.h"

namespace vitrine::engine {

static_assert(std::endian::native == std::endian::little, "files are read as they lie in memory");

class HeaderCursor {
public:
    /// file: outlives this object.
    explicit HeaderCursor(const RandomAccessFile& file) : file_(&file) {}

    uint64_t offset() const noexcept { return windowStart_ + pos_; }  ///< of the next byte

    uint64_t remaining() const noexcept { return file_->sizeBytes() - offset(); }

    /// What is being read, for messages ("the key \"general.name\"").
    void setSubject(std::string subject) { subject_ = std::move(subject); }

    /// The next n bytes, valid until the next call; null when the file ends before (failure noted).
    const std::byte* take(uint64_t n);

    template <class T>
    bool read(T& value) {
        const std::byte* p = take(sizeof(T));
        if (p == nullptr) return false;
        std::memcpy(&value, p, sizeof(T));
        return true;
    }

    /// A u64 length and that many bytes. Notes a failure when longer than maxBytes.
    bool readString(std::string& value, uint64_t maxBytes);

    /// True when `count` items of at least minBytes each can lie in the rest of the file; else a
    /// failure is noted.
    bool checkCount(uint64_t count, uint64_t minBytes, std::string_view itemName);

    /// Notes a damaged file: "The GGUF header is damaged: <what>, in <subject>, near byte N; …".
    /// Always false.
    bool failDamaged(const std::string& what);
    /// Notes any error. Always false.
    bool fail(Error error);

    bool failed() const noexcept { return error_.has_value(); }

    /// Requires: failed().
    Error error() const { return *error_; }

private:
    bool refill(uint64_t n);

    const RandomAccessFile* file_;
    std::vector<std::byte> window_;
    uint64_t windowStart_ = 0;  ///< file offset of window_[0]
    size_t pos_ = 0;            ///< in window_
    std::string subject_ = "the beginning";
    std::optional<Error> error_;
};

/// A name from a file as it may stand in a message: quoted, control bytes as \xNN, cut at 64
/// bytes. Never fails.
std::string quotedName(std::string_view name);

}  // namespace vitrine::engine
