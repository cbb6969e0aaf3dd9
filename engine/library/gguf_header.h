#pragma once
// The header of a GGUF file without its vocabulary: scalars, texts and short arrays of the
// metadata, and the list of tensors. Unlike GgufFile it also reads what is no model (projectors,
// adapters, parts of a split, tensor types that cannot be decoded), because the library has to say
// what those are. Thread: immutable after opening, any thread.

#include <memory>
#include <string>
#include <vector>

#include "engine/io/model_file.h"
#include "engine/io/random_access_file.h"

namespace vitrine::engine {

class HeaderCursor;

class GgufHeader final : public ModelFile {
public:
    /// Fails: Io, Format (damaged: what and where; no GGUF file), Unsupported (version, byte
    /// order).
    static Result<std::unique_ptr<GgufHeader>> open(const std::string& path);

    /// Adds the tensors of a later shard; its metadata are left out.
    void addShard(const GgufHeader& shard);

    bool isIncomplete() const { return isIncomplete_; }  ///< tensor data end behind the file

    uint64_t nParameters() const { return nParameters_; }

    /// By bytes of matrices, types that cannot be decoded included: "Q4_K mix", "IQ2_XXS".
    std::string quantisation() const;

    /// A type of the file that this program cannot decode; empty when there is none.
    const std::string& unknownType() const { return unknownType_; }

    bool hasTensors() const { return hasTensors_; }

    const std::string& path() const override { return file_.path(); }

    std::string formatName() const override { return "GGUF v" + std::to_string(version_); }

    uint64_t fileBytes() const override { return file_.sizeBytes(); }

    const MetaValue* find(std::string_view key) const override;

    std::span<const std::pair<std::string, MetaValue>> metadata() const override { return meta_; }

    /// Those whose type can be decoded.
    std::span<const TensorInfo> tensors() const override { return tensors_; }

    const TensorInfo* tensor(std::string_view name) const override;
    Result<void> readTensor(const TensorInfo& info, uint64_t first,
                            std::span<std::byte> dst) const override;

private:
    explicit GgufHeader(RandomAccessFile file) : file_(std::move(file)) {}

    bool parse(HeaderCursor& in);
    bool parseMetadata(HeaderCursor& in, uint64_t nKeys);
    bool parseTensors(HeaderCursor& in, uint64_t nTensors);
    bool parseTensor(HeaderCursor& in);
    void measure(uint64_t headerEnd);

    RandomAccessFile file_;
    uint32_t version_ = 0;
    bool isIncomplete_ = false, hasTensors_ = false;
    uint64_t nParameters_ = 0;
    std::string unknownType_;
    std::vector<std::pair<std::string, uint64_t>> bytesByType_;  ///< matrices only
    std::vector<std::pair<std::string, MetaValue>> meta_;
    std::vector<TensorInfo> tensors_;

    struct Extent {
        uint64_t offset = 0;  ///< from the start of the data
        std::string type;
        bool isMatrix = false;
        uint64_t sizeBytes = 0;  ///< 0 = the type's geometry is not known
    };

    std::vector<Extent> extents_;  ///< in file order, of this file alone
};

}  // namespace vitrine::engine
