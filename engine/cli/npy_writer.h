#pragma once
// NumPy's .npy format, version 1.0, float32, little-endian, C order, written as it comes so that a
// large array never lies in memory. Source: numpy/lib/format.py documentation. Thread: one owner.

#include <cstdint>
#include <cstdio>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/base/result.h"

namespace vitrine::engine::cli {

class NpyWriter {
public:
    /// Creates the file. Fails: Io (cannot be written: why).
    static Result<NpyWriter> create(const std::string& path, std::vector<int64_t> shape);
    NpyWriter(NpyWriter&&) = default;
    NpyWriter& operator=(NpyWriter&&) = default;
    /// Removes a file that was not finished.
    ~NpyWriter();

    /// Appends values. Errors show in finish().
    void write(std::span<const float> values);
    /// Fails: Io (disk full), InvalidArgument (fewer or more values than the shape says).
    Result<void> finish();

private:
    struct CloseFile {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };

    NpyWriter() = default;

    std::string path_;
    std::unique_ptr<std::FILE, CloseFile> file_;
    int64_t expected_ = 1;
    int64_t written_ = 0;
    bool failed_ = false;
};

}  // namespace vitrine::engine::cli
