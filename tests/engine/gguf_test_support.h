#pragma once
// What the tests of the GGUF reader share: bytes as a file, and the check of a refusal. Thread:
// main thread only.

#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

#include "engine/io/model_file.h"
#include "tests/support/gguf_writer.h"
#include "tests/support/mini_test.h"

namespace vitrine::test {

using namespace vitrine::engine;

using Opened = Result<std::unique_ptr<ModelFile>>;

/// Bytes as a file that exists only in memory.
class MemoryFile {
public:
    explicit MemoryFile(std::string_view bytes) : fd_(memfd_create("gguf", MFD_CLOEXEC)) {
        for (size_t done = 0; done < bytes.size();) {
            const ssize_t n = ::write(fd_, bytes.data() + done, bytes.size() - done);
            if (n <= 0) std::abort();
            done += static_cast<size_t>(n);
        }
    }

    ~MemoryFile() { ::close(fd_); }

    std::string path() const { return "/proc/self/fd/" + std::to_string(fd_); }

    void truncate(off_t size) const { CHECK_EQ(::ftruncate(fd_, size), 0); }

private:
    int fd_;
};

inline Opened openBytes(std::string_view bytes) {
    return openModelFile(MemoryFile(bytes).path());
}

/// The file is refused with this code, and the sentence contains `part`.
inline void checkRefused(std::string_view bytes, Errc code, const std::string& part) {
    const Opened file = openBytes(bytes);
    CHECK(!file.has_value());
    if (file.has_value()) {
        test::report(false, __FILE__, __LINE__, "opened; expected: " + part);
        return;
    }
    CHECK_EQ(std::string(errcName(file.error().code)), std::string(errcName(code)));
    test::report(file.error().message.find(part) != std::string::npos, __FILE__, __LINE__,
                 "\"" + file.error().message + "\" contains \"" + part + "\"");
    CHECK(file.error().message.ends_with("."));
    CHECK(!file.error().context.empty());
}

inline void checkRefused(const GgufWriter& w, Errc code, const std::string& part) {
    checkRefused(w.bytes(), code, part);
}

inline GgufWriter::Tensor f32(std::string name, std::vector<int64_t> shape, size_t dataBytes) {
    return {std::move(name), std::move(shape), 0, std::string(dataBytes, '\1'), {}, {}};
}

inline GgufWriter withTensor(GgufWriter::Tensor tensor) {
    GgufWriter w;
    w.addTensor(std::move(tensor));
    return w;
}

/// Reads everything that the interface hands out.
inline void touchAll(const ModelFile& file) {
    uint64_t total = 0;
    for (const auto& [key, value] : file.metadata()) {
        CHECK(file.find(key) == &value);
        file.integer(key);
        file.number(key);
        total += key.size();
    }
    std::vector<std::byte> data;
    for (const TensorInfo& info : file.tensors()) {
        CHECK(file.tensor(info.name) == &info);
        CHECK(info.offsetBytes + info.sizeBytes <= file.fileBytes());
        data.resize(info.sizeBytes);
        CHECK(file.readTensor(info, 0, data).has_value());
    }
    CHECK(total <= file.fileBytes());
}

}  // namespace vitrine::test
