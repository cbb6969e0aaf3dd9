#pragma once
// One safetensors file: the header is parsed once and every entry is checked against the file's
// size; bytes are read on demand with ordinary reads. Thread: immutable after opening, any thread.
//
// Layout (little-endian): u64 N ≤ 100,000,000; N bytes of JSON that begins with "{" and may end in
// spaces: { "NAME": { "dtype": "BF16", "shape": [rows, columns], "data_offsets": [begin, end) },
// …, "__metadata__": { "text": "text" } }; then the data, from which offsets count. Tensors lie in
// C order and fill the data without gap or overlap, up to the file's end.
// Source: safetensors README, "Format"; safetensors/src/tensor.rs, Metadata::validate.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/io/random_access_file.h"
#include "kernels/api/dtype.h"

namespace vitrine::engine {

struct StoredTensor {
    std::string name;
    std::string dtypeName;                ///< as written: "BF16"
    std::optional<kernels::DType> dtype;  ///< null: a type that holds no weights here
    std::vector<int64_t> shape;           ///< slowest axis first; empty = one value
    uint64_t offsetBytes = 0;             ///< from the start of the file
    uint64_t sizeBytes = 0;
};

class SafetensorsFile {
public:
    /// Fails: Io, Format (what is wrong and in which tensor).
    static Result<SafetensorsFile> open(RandomAccessFile file);

    const std::string& path() const { return file_.path(); }

    uint64_t fileBytes() const { return file_.sizeBytes(); }

    std::span<const StoredTensor> tensors() const { return tensors_; }  ///< by position in the file

    /// Bytes [first, first+dst.size()) of a tensor. Fails: Io. Requires: inside the tensor.
    Result<void> read(const StoredTensor& tensor, uint64_t first, std::span<std::byte> dst) const;

private:
    explicit SafetensorsFile(RandomAccessFile file) : file_(std::move(file)) {}

    Result<void> place(uint64_t dataStart);

    RandomAccessFile file_;
    std::vector<StoredTensor> tensors_;
};

}  // namespace vitrine::engine
