#include "engine/io/random_access_file.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace vitrine::engine {
namespace {

std::string systemText(int code) {
    return std::generic_category().message(code);
}

Error cannotOpen(const std::string& path, const std::string& why) {
    return makeError(Errc::Io, "Cannot open " + path + ": " + why + ".");
}

std::string openAdvice(int code) {
    if (code == ENOENT || code == ENOTDIR) return "there is no such file; check the path";
    if (code == EACCES || code == EPERM) {
        return "reading it is not permitted; check the file's permissions";
    }
    return systemText(code);
}

}  // namespace

RandomAccessFile::RandomAccessFile(int fd, uint64_t sizeBytes, std::string path)
    : fd_(fd), sizeBytes_(sizeBytes), path_(std::move(path)) {}

RandomAccessFile::RandomAccessFile(RandomAccessFile&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)),
      sizeBytes_(other.sizeBytes_),
      path_(std::move(other.path_)) {}

RandomAccessFile& RandomAccessFile::operator=(RandomAccessFile&& other) noexcept {
    std::swap(fd_, other.fd_);
    std::swap(sizeBytes_, other.sizeBytes_);
    std::swap(path_, other.path_);
    return *this;
}

RandomAccessFile::~RandomAccessFile() {
    if (fd_ >= 0) ::close(fd_);
}

Result<RandomAccessFile> RandomAccessFile::open(const std::string& path) {
    // O_NONBLOCK: opening a pipe must not wait for a writer.
    const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) return cannotOpen(path, openAdvice(errno));

    struct stat info {};

    if (::fstat(fd, &info) != 0) {
        const int code = errno;
        ::close(fd);
        return cannotOpen(path, systemText(code));
    }
    RandomAccessFile file(fd, static_cast<uint64_t>(std::max<off_t>(info.st_size, 0)), path);
    if (S_ISDIR(info.st_mode)) {
        return cannotOpen(path, "it is a folder; choose a .gguf file inside it");
    }
    if (!S_ISREG(info.st_mode)) return cannotOpen(path, "it is not a regular file");
    return file;
}

Result<void> RandomAccessFile::readAt(uint64_t offset, std::span<std::byte> dst) const {
    constexpr size_t kMaxRead = size_t{1} << 30;  // Linux reads at most 2 GiB − 4 KiB per call
    size_t done = 0;
    while (done < dst.size()) {
        const size_t want = std::min(dst.size() - done, kMaxRead);
        const ssize_t got =
            ::pread(fd_, dst.data() + done, want, static_cast<off_t>(offset + done));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) {
            return makeError(Errc::Io, "Reading " + path_ + " failed: " + systemText(errno) + ".");
        }
        if (got == 0) {
            return makeError(Errc::Io, "The file " + path_ +
                                           " became shorter while it was read; check that the "
                                           "download is complete and open it again.");
        }
        done += static_cast<size_t>(got);
    }
    return {};
}

}  // namespace vitrine::engine
