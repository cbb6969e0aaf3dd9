#pragma once
// A model file as the engine sees it: metadata by key and tensors by name, whatever the container.
// Everything that is handed out has been checked against the file's size. Thread: immutable after
// opening, any thread.

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/base/result.h"
#include "kernels/api/dtype.h"

namespace vitrine::engine {

/// A metadata value. Integers of any width become int64_t or uint64_t (only above INT64_MAX), f32
/// becomes double. Arrays of integers or bools become vector<int64_t>, of floats vector<float>.
/// Nested arrays are refused by the reader.
using MetaValue = std::variant<bool, int64_t, uint64_t, double, std::string, std::vector<int64_t>,
                               std::vector<float>, std::vector<std::string>>;

struct TensorInfo {
    std::string name;
    kernels::DType dtype = kernels::DType::F32;
    int nDims = 0;
    std::array<int64_t, 4> shape{
        1, 1, 1, 1};  ///< fastest axis first (GGUF's ne): {nCols, nRows, …}; unused axes are 1
    uint64_t offsetBytes = 0;  ///< from the start of the file
    uint64_t sizeBytes = 0;

    int64_t nCols() const { return shape[0]; }

    int64_t nRows() const { return shape[1] * shape[2] * shape[3]; }
};

class ModelFile {
public:
    virtual ~ModelFile() = default;

    virtual const std::string& path() const = 0;
    virtual std::string formatName() const = 0;  ///< "GGUF v3"
    virtual uint64_t fileBytes() const = 0;

    /// The tokenizer file that belongs to the weights (`tokenizer.model` or `tokenizer.json` of a
    /// folder); empty where the metadata holds the vocabulary.
    virtual std::string tokenizerPath() const { return {}; }

    /// The folder of a model that is one; empty for single files.
    virtual std::string folder() const { return {}; }

    /// False when only a configuration was opened: tensors have names and shapes, and no bytes.
    virtual bool hasWeights() const { return true; }

    /// Null when the key is absent. Never fails.
    virtual const MetaValue* find(std::string_view key) const = 0;
    virtual std::span<const std::pair<std::string, MetaValue>> metadata()
        const = 0;  ///< in file order

    virtual std::span<const TensorInfo> tensors() const = 0;  ///< in file order
    /// Null when there is no tensor of that name. Never fails.
    virtual const TensorInfo* tensor(std::string_view name) const = 0;

    /// Reads bytes [first, first+dst.size()) of a tensor into dst with ordinary reads, never
    /// through the mapping's pages: a file that shrank meanwhile is an error and not a signal.
    /// Fails: Io. Requires: the range lies inside the tensor.
    virtual Result<void> readTensor(const TensorInfo& info, uint64_t first,
                                    std::span<std::byte> dst) const = 0;

    // Typed look-ups; any integer type is accepted for an integer. Absent or another type: nullopt.
    std::optional<int64_t> integer(std::string_view key) const;
    std::optional<double> number(std::string_view key) const;  ///< an integer is accepted too
    std::optional<bool> boolean(std::string_view key) const;
    const std::string* string(std::string_view key) const;
    const std::vector<std::string>* strings(std::string_view key) const;
    const std::vector<int64_t>* integers(std::string_view key) const;
    const std::vector<float>* floats(std::string_view key) const;
};

/// Opens a model by what is in it (magic), not by its name. Fails: Io (missing, unreadable), Format
/// (damaged: what and where), Unsupported (a container, GGUF version or tensor type that this
/// program does not know, named).
Result<std::unique_ptr<ModelFile>> openModelFile(const std::string& path);

/// The configuration without the weights, for planning: a folder's config.json or such a file
/// alone, or any model file. Without weights the tensors follow from the configuration, and
/// hasWeights() is false. Fails: as openModelFile.
Result<std::unique_ptr<ModelFile>> openModelConfig(const std::string& path);

}  // namespace vitrine::engine
