#pragma once
// A file with given bytes that disappears with its owner. Thread: one owner.

#include <cstdio>
#include <cstdlib>
#include <string>
#include <unistd.h>

namespace vitrine::test {

class TempFile {
public:
    explicit TempFile(const std::string& bytes, const std::string& suffix = ".gguf") {
        const char* dir = std::getenv("TMPDIR");
        path_ = std::string(dir != nullptr ? dir : "/tmp") + "/vitrine-test-XXXXXX" + suffix;
        const int fd = mkstemps(path_.data(), static_cast<int>(suffix.size()));
        if (fd < 0) return;
        size_t done = 0;
        while (done < bytes.size()) {
            const ssize_t n = write(fd, bytes.data() + done, bytes.size() - done);
            if (n <= 0) break;
            done += static_cast<size_t>(n);
        }
        close(fd);
    }

    ~TempFile() { std::remove(path_.c_str()); }

    TempFile(const TempFile&) = delete;
    TempFile& operator=(const TempFile&) = delete;

    const std::string& path() const { return path_; }

private:
    std::string path_;
};

}  // namespace vitrine::test
