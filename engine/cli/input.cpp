#include "engine/cli/input.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/cli/interrupt.h"

namespace vitrine::engine::cli {

namespace {

Error cannotRead(const std::string& path, const char* why) {
    return makeError(Errc::Io, "cannot read '" + path + "': " + why + "; check the path");
}

}  // namespace

Result<std::string> readTextFile(const std::string& path) {
    const bool isStdin = path == "-";
    const int fd = isStdin ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0) return cannotRead(path, std::strerror(errno));
    std::string text;
    char chunk[1 << 16];
    int failure = 0;
    for (;;) {
        const ssize_t n = ::read(fd, chunk, sizeof chunk);
        if (n == 0) break;
        if (n > 0) {
            text.append(chunk, static_cast<size_t>(n));
        } else if (errno != EINTR || interruptFlag()) {
            failure = errno;
            break;
        }
    }
    if (!isStdin) ::close(fd);
    if (failure == EINTR) return makeError(Errc::Cancelled, "interrupted");
    if (failure != 0) return cannotRead(path, std::strerror(failure));
    return text;
}

LineReader::Status LineReader::next(std::string& line) {
    for (;;) {
        const size_t newline = buffer_.find('\n', scanned_);
        if (newline != std::string::npos || (atEnd_ && begin_ < buffer_.size())) {
            const size_t end = newline != std::string::npos ? newline : buffer_.size();
            line.assign(buffer_, begin_, end - begin_);
            if (!line.empty() && line.back() == '\r') line.pop_back();
            begin_ = scanned_ = std::min(end + 1, buffer_.size());
            return Status::Line;
        }
        if (atEnd_) return Status::End;
        buffer_.erase(0, begin_);
        begin_ = 0;
        scanned_ = buffer_.size();
        // A signal may arrive just before the read, or on another thread: a flag that is looked at
        // now and then cannot be missed, a read can.
        pollfd input{STDIN_FILENO, POLLIN, 0};
        const int ready = ::poll(&input, 1, 100);
        if (interruptFlag()) return Status::Interrupted;
        if (ready <= 0) continue;
        char chunk[1 << 16];
        const ssize_t n = ::read(STDIN_FILENO, chunk, sizeof chunk);
        if (n > 0) {
            buffer_.append(chunk, static_cast<size_t>(n));
        } else if (n < 0 && errno == EINTR) {
            if (interruptFlag()) return Status::Interrupted;
        } else {
            atEnd_ = true;
        }
    }
}

}  // namespace vitrine::engine::cli
