#pragma once
// What the fuzz targets of model files share. Thread: one.

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

#include "engine/io/model_file.h"

namespace vitrine::fuzz {

inline void require(bool condition) {
    if (!condition) std::abort();
}

/// A file in memory, kept between inputs and filled anew for each.
class MemoryFile {
public:
    explicit MemoryFile(const char* name) : fd_(memfd_create(name, MFD_CLOEXEC)) {
        require(fd_ >= 0);
    }

    void fill(const uint8_t* data, size_t size) const {
        require(::ftruncate(fd_, 0) == 0);
        require(::pwrite(fd_, data, size, 0) == static_cast<ssize_t>(size));
    }

    std::string path() const { return "/proc/self/fd/" + std::to_string(fd_); }

private:
    int fd_;
};

inline void requireSentence(const engine::Error& error) {
    const std::string& message = error.message;
    require(message.size() > 10 && message.size() < 700 && message.back() == '.');
}

/// Looks up every key in every way.
inline void touchKeys(const engine::ModelFile& file) {
    for (const auto& [key, value] : file.metadata()) {
        require(file.find(key) == &value);
        file.integer(key);
        file.number(key);
        file.boolean(key);
        file.string(key);
    }
}

/// Reads every tensor and returns their bytes.
inline uint64_t touchTensors(const engine::ModelFile& file) {
    std::vector<std::byte> buffer(4096);
    uint64_t total = 0;
    for (const engine::TensorInfo& info : file.tensors()) {
        require(file.tensor(info.name) == &info);
        require(info.nCols() > 0 && info.nRows() > 0 && info.sizeBytes > 0);
        total += info.sizeBytes;
        if (!file.hasWeights()) continue;
        for (uint64_t first = 0; first < info.sizeBytes; first += buffer.size()) {
            const auto n = std::min<uint64_t>(buffer.size(), info.sizeBytes - first);
            require(file.readTensor(info, first, std::span(buffer).first(n)).has_value());
        }
    }
    return total;
}

}  // namespace vitrine::fuzz
