#pragma once
// GGUF versions 2 and 3, little-endian. The header is parsed once, with every count, length, type
// and offset checked against the file's size before it is used; tensor bytes are read on demand.
// Thread: immutable after opening, any thread.
//
// Layout (all little-endian; string = u64 length, bytes, no NUL):
//   "GGUF", u32 version, u64 nTensors, u64 nKeys
//   nKeys   × { string key, u32 type, value }       array value = u32 element type, u64 n, elements
//   nTensors × { string name, u32 nDims, u64 dim[nDims] fastest first, u32 type, u64 offset }
//   padding to general.alignment (default 32), then the data; offsets count from here, each tensor
//   begins at the padded end of the one before.
// Source: ggml docs/gguf.md.

#include <memory>
#include <string>
#include <vector>

#include "engine/io/model_file.h"
#include "engine/io/random_access_file.h"

namespace vitrine::engine {

class HeaderCursor;

class GgufFile final : public ModelFile {
public:
    /// file begins with "GGUF"; one part of a split model opens as what it is. Fails: Io, Format
    /// (damaged or truncated: what and where), Unsupported (version, byte order, tensor type, file
    /// that is not a model).
    static Result<std::unique_ptr<ModelFile>> open(RandomAccessFile file);

    const std::string& path() const override { return file_.path(); }

    std::string formatName() const override { return "GGUF v" + std::to_string(version_); }

    uint64_t fileBytes() const override { return file_.sizeBytes(); }

    const MetaValue* find(std::string_view key) const override;

    std::span<const std::pair<std::string, MetaValue>> metadata() const override { return meta_; }

    std::span<const TensorInfo> tensors() const override { return tensors_; }

    const TensorInfo* tensor(std::string_view name) const override;
    Result<void> readTensor(const TensorInfo& info, uint64_t first,
                            std::span<std::byte> dst) const override;

private:
    explicit GgufFile(RandomAccessFile file) : file_(std::move(file)) {}

    bool parse(HeaderCursor& in);
    bool parseMetadata(HeaderCursor& in, uint64_t nKeys);
    bool checkKind(HeaderCursor& in);
    bool parseTensors(HeaderCursor& in, uint64_t nTensors);
    bool placeTensors(HeaderCursor& in);

    RandomAccessFile file_;
    uint32_t version_ = 0;
    uint64_t alignment_ = 32;
    std::vector<std::pair<std::string, MetaValue>> meta_;  ///< in file order
    std::vector<TensorInfo> tensors_;                      ///< in file order
    std::vector<uint32_t> metaByKey_;                      ///< indices into meta_, sorted by key
    std::vector<uint32_t> tensorByName_;                   ///< indices into tensors_, sorted
};

}  // namespace vitrine::engine
