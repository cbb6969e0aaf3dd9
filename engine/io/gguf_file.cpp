#include "engine/io/gguf_file.h"

#include <algorithm>
#include <array>
#include <cinttypes>
#include <cstdio>
#include <limits>
#include <utility>

#include "engine/base/check.h"
#include "engine/io/gguf_value.h"
#include "engine/io/header_cursor.h"
#include "engine/io/name_index.h"

namespace vitrine::engine {
namespace {

constexpr uint64_t kMaxKeyBytes = 65'535;  // Source: ggml docs/gguf.md
constexpr uint64_t kMaxTensorNameBytes = 64;
constexpr uint64_t kMaxAlignment = uint64_t{1} << 24;
constexpr uint64_t kMinKeyBytes = 8 + 1 + 4 + 1;             // name, type, the smallest value
constexpr uint64_t kMinTensorBytes = 8 + 1 + 4 + 8 + 4 + 8;  // one dimension

bool isPrintableName(std::string_view name) {
    return !name.empty() && std::none_of(name.begin(), name.end(), [](char c) {
        const auto u = static_cast<uint8_t>(c);
        return u < 0x20 || u == 0x7f;
    });
}

std::string megabytes(uint64_t bytes) {
    if (bytes < 1'000'000) return std::to_string(bytes) + " bytes";
    char text[48];
    std::snprintf(text, sizeof text, "%.1f MB", static_cast<double>(bytes) / 1e6);
    return text;
}

/// Bytes of a tensor from its shape. False when the shape is impossible; `why` then says so.
bool tensorBytes(const TensorInfo& info, uint64_t& sizeBytes, std::string& why) {
    int64_t values = 1;
    for (int i = 0; i < info.nDims; ++i) {
        const int64_t dim = info.shape[static_cast<size_t>(i)];
        if (dim <= 0) {
            why = "dimension " + std::to_string(i) + " is " + std::to_string(dim);
            return false;
        }
        if (__builtin_mul_overflow(values, dim, &values)) {
            why = "its dimensions multiply to 2^63 values or more";
            return false;
        }
    }
    const kernels::DTypeInfo& type = kernels::dtypeInfo(info.dtype);
    if (info.nCols() % type.blockValues != 0) {
        why = "its rows of " + std::to_string(info.nCols()) + " values are not whole blocks of " +
              std::to_string(type.blockValues) + " (" + type.name + ")";
        return false;
    }
    const uint64_t blocks = static_cast<uint64_t>(values) / type.blockValues;
    if (__builtin_mul_overflow(blocks, uint64_t{type.blockBytes}, &sizeBytes)) {
        why = "its size is 2^64 bytes or more";
        return false;
    }
    return true;
}

}  // namespace

Result<std::unique_ptr<ModelFile>> GgufFile::open(RandomAccessFile file) {
    std::unique_ptr<GgufFile> gguf(new GgufFile(std::move(file)));
    HeaderCursor in(gguf->file_);
    if (!gguf->parse(in)) return in.error();
    return std::unique_ptr<ModelFile>(std::move(gguf));
}

bool GgufFile::parse(HeaderCursor& in) {
    in.setSubject("its first 24 bytes");
    uint64_t nTensors = 0;
    uint64_t nKeys = 0;
    if (in.take(4) == nullptr || !in.read(version_)) return false;
    if (version_ != 0 && (version_ & 0xffff) == 0) {
        return in.fail(makeError(Errc::Unsupported,
                                 "This GGUF file is big-endian; download the little-endian version "
                                 "of the model."));
    }
    if (version_ == 1) {
        return in.fail(makeError(Errc::Unsupported,
                                 "This file is in GGUF version 1, which is no longer in use; "
                                 "download a newer version of the model."));
    }
    if (version_ != 2 && version_ != 3) {
        return in.fail(makeError(Errc::Unsupported,
                                 "This file is in GGUF version " + std::to_string(version_) +
                                     ", and this program reads versions 2 and 3; download another "
                                     "version of the model, or a newer version of this program."));
    }
    if (!in.read(nTensors) || !in.read(nKeys)) return false;
    return in.checkCount(nKeys, kMinKeyBytes, "keys") &&
           in.checkCount(nTensors, kMinTensorBytes, "tensors") && parseMetadata(in, nKeys) &&
           checkKind(in) && parseTensors(in, nTensors) && placeTensors(in);
}

bool GgufFile::parseMetadata(HeaderCursor& in, uint64_t nKeys) {
    for (uint64_t i = 0; i < nKeys; ++i) {
        in.setSubject("key " + std::to_string(i + 1) + " of " + std::to_string(nKeys));
        auto& [key, value] = meta_.emplace_back();
        uint32_t type = 0;
        if (!in.readString(key, kMaxKeyBytes)) return false;
        if (!isPrintableName(key)) return in.failDamaged("an empty or unprintable key");
        in.setSubject("the key " + quotedName(key));
        if (!in.read(type)) return false;
        if (key == "general.alignment" && static_cast<GgufType>(type) != GgufType::Uint32) {
            return in.failDamaged("the alignment is not a 32-bit number");
        }
        if (!readGgufValue(in, type, value)) return false;
    }
    const size_t twice = sortByName(
        metaByKey_, meta_.size(), [&](size_t i) -> const auto& { return meta_[i].first; });
    if (twice != meta_.size()) {
        in.setSubject("the metadata");
        return in.failDamaged("the key " + quotedName(meta_[twice].first) + " occurs twice");
    }
    if (const auto alignment = integer("general.alignment")) {
        alignment_ = static_cast<uint64_t>(*alignment);
        if (!std::has_single_bit(alignment_) || alignment_ > kMaxAlignment) {
            in.setSubject("the metadata");
            return in.failDamaged("the alignment " + std::to_string(alignment_) +
                                  " is not a power of two up to 16 MiB");
        }
    }
    return true;
}

bool GgufFile::checkKind(HeaderCursor& in) {
    struct NotAModel {
        const char* key;
        std::string_view value;
        const char* message;
    };

    static constexpr const char* kProjector =
        "This file is the image part of a multimodal model (mmproj), not a language model; open "
        "the main .gguf file beside it.";
    static constexpr const char* kAdapter =
        "This file is an adapter (LoRA), not a model; open the base model's .gguf file.";
    static constexpr const char* kImatrix =
        "This file is an importance matrix for quantising (imatrix), not a model; choose a "
        "model's .gguf file.";
    static constexpr std::array kNotModels{
        NotAModel{"general.type", "mmproj", kProjector},
        NotAModel{"general.architecture", "clip", kProjector},
        NotAModel{"general.type", "adapter", kAdapter},
        NotAModel{"general.type", "imatrix", kImatrix},
        NotAModel{"general.architecture", "controlvector",
                  "This file is a control vector, not a model; open the base model's .gguf file."},
    };
    for (const NotAModel& other : kNotModels) {
        const std::string* value = string(other.key);
        if (value != nullptr && *value == other.value) {
            return in.fail(makeError(Errc::Unsupported, other.message));
        }
    }
    return true;
}

bool GgufFile::parseTensors(HeaderCursor& in, uint64_t nTensors) {
    for (uint64_t i = 0; i < nTensors; ++i) {
        in.setSubject("the entry of tensor " + std::to_string(i + 1) + " of " +
                      std::to_string(nTensors));
        TensorInfo& info = tensors_.emplace_back();
        uint32_t nDims = 0;
        uint32_t type = 0;
        if (!in.readString(info.name, kMaxTensorNameBytes)) return false;
        if (!isPrintableName(info.name)) return in.failDamaged("an empty or unprintable name");
        in.setSubject("the entry of tensor " + quotedName(info.name));
        if (!in.read(nDims)) return false;
        if (nDims < 1 || nDims > 4) {
            return in.failDamaged(std::to_string(nDims) + " dimensions where 1 to 4 are allowed");
        }
        info.nDims = static_cast<int>(nDims);
        for (uint32_t d = 0; d < nDims; ++d) {
            if (!in.read(info.shape[d])) return false;
        }
        if (!in.read(type) || !in.read(info.offsetBytes)) return false;
        if (kernels::dtypeInfo(type) == nullptr) {
            return in.fail(
                makeError(Errc::Unsupported,
                          "The tensor " + quotedName(info.name) + " is stored as " +
                              kernels::ggmlTypeName(type) +
                              ", which this program cannot read; download the model in another "
                              "quantisation, for example Q4_K_M or Q8_0."));
        }
        info.dtype = static_cast<kernels::DType>(type);
        std::string why;
        if (!tensorBytes(info, info.sizeBytes, why)) return in.failDamaged(why);
    }
    const size_t twice = sortByName(
        tensorByName_, tensors_.size(), [&](size_t i) -> const auto& { return tensors_[i].name; });
    if (twice != tensors_.size()) {
        in.setSubject("the list of tensors");
        return in.failDamaged("the tensor " + quotedName(tensors_[twice].name) + " occurs twice");
    }
    return true;
}

// Each tensor must begin exactly where the padded end of the one before lies: then none overlap,
// and a single comparison with the file's size covers all of them.
bool GgufFile::placeTensors(HeaderCursor& in) {
    if (tensors_.empty()) return true;
    const uint64_t mask = alignment_ - 1;
    const uint64_t dataStart = (in.offset() + mask) & ~mask;
    uint64_t expected = 0;  // relative to dataStart
    uint64_t end = 0;       // of the file's last tensor byte
    for (TensorInfo& info : tensors_) {
        in.setSubject("the entry of tensor " + quotedName(info.name));
        if (info.offsetBytes != expected) {
            return in.failDamaged("its data begins at " + std::to_string(info.offsetBytes) +
                                  " where " + std::to_string(expected) + " is expected");
        }
        info.offsetBytes += dataStart;
        if (info.offsetBytes < dataStart ||
            __builtin_add_overflow(info.offsetBytes, info.sizeBytes, &end) ||
            __builtin_add_overflow(expected, info.sizeBytes, &expected) ||
            __builtin_add_overflow(expected, mask, &expected) ||
            end > uint64_t{std::numeric_limits<int64_t>::max()}) {
            return in.failDamaged("the tensors so far end beyond 2^63 bytes");
        }
        expected &= ~mask;
    }
    if (end > file_.sizeBytes()) {
        return in.fail(makeError(Errc::Format,
                                 "This file is incomplete: " + megabytes(end - file_.sizeBytes()) +
                                     " of " + megabytes(end) +
                                     " are missing; the download did not finish, "
                                     "download it again."));
    }
    return true;
}

const MetaValue* GgufFile::find(std::string_view key) const {
    const size_t i =
        findByName(metaByKey_, key, [&](size_t k) -> std::string_view { return meta_[k].first; });
    return i < meta_.size() ? &meta_[i].second : nullptr;
}

const TensorInfo* GgufFile::tensor(std::string_view name) const {
    const size_t i = findByName(tensorByName_, name,
                                [&](size_t k) -> std::string_view { return tensors_[k].name; });
    return i < tensors_.size() ? &tensors_[i] : nullptr;
}

Result<void> GgufFile::readTensor(const TensorInfo& info, uint64_t first,
                                  std::span<std::byte> dst) const {
    VITRINE_CHECK(first <= info.sizeBytes && dst.size() <= info.sizeBytes - first);
    return file_.readAt(info.offsetBytes + first, dst);
}

}  // namespace vitrine::engine
