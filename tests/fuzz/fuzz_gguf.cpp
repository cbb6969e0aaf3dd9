// Any bytes as a model file: opening must return, and what it hands out must be readable.

#include <algorithm>
#include <cstdlib>
#include <string>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

#include "engine/io/model_file.h"

using namespace vitrine::engine;

namespace {

void require(bool condition) {
    if (!condition) std::abort();
}

/// One file in memory, filled anew for each input.
int filledFile(const uint8_t* data, size_t size) {
    static const int fd = memfd_create("fuzz", MFD_CLOEXEC);
    require(fd >= 0 && ::ftruncate(fd, 0) == 0);
    require(::pwrite(fd, data, size, 0) == static_cast<ssize_t>(size));
    return fd;
}

size_t weigh(const MetaValue& value) {
    return std::visit(
        [](const auto& v) -> size_t {
            if constexpr (requires { v.size(); }) {
                size_t sum = v.size();
                for (const auto& element : v) {
                    if constexpr (requires { element.size(); }) sum += element.size();
                }
                return sum;
            }
            return 1;
        },
        value);
}

void touchAll(const ModelFile& file, size_t size) {
    size_t weight = 0;
    for (const auto& [key, value] : file.metadata()) {
        require(file.find(key) == &value);
        weight += weigh(value);
        file.integer(key);
        file.number(key);
        file.boolean(key);
        file.string(key);
    }
    require(weight <= 2 * size);
    std::vector<std::byte> buffer(4096);
    uint64_t total = 0;
    for (const TensorInfo& info : file.tensors()) {
        require(file.tensor(info.name) == &info);
        require(info.nCols() > 0 && info.nRows() > 0 && info.sizeBytes > 0);
        for (uint64_t first = 0; first < info.sizeBytes; first += buffer.size()) {
            const auto n = std::min<uint64_t>(buffer.size(), info.sizeBytes - first);
            require(file.readTensor(info, first, std::span(buffer).first(n)).has_value());
        }
        total += info.sizeBytes;
    }
    require(total <= size);  // nothing overlaps
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const int fd = filledFile(data, size);
    const auto file = openModelFile("/proc/self/fd/" + std::to_string(fd));
    if (file) {
        touchAll(**file, size);
    } else {
        const std::string& message = file.error().message;
        require(message.size() > 10 && message.size() < 500 && message.back() == '.');
    }
    return 0;
}
