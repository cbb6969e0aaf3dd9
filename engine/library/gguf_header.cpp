#include "engine/library/gguf_header.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "engine/io/foreign_format.h"
#include "engine/io/gguf_value.h"
#include "engine/io/header_cursor.h"

namespace vitrine::engine {
namespace {

constexpr uint64_t kMaxKeyBytes = 65'535;
constexpr uint64_t kMaxNameBytes = 1024;
constexpr uint64_t kMinKeyBytes = 8 + 1 + 4 + 1;
constexpr uint64_t kMinTensorBytes = 8 + 1 + 4 + 8 + 4 + 8;
constexpr uint64_t kMaxStringBytes = uint64_t{64} << 20;
constexpr uint64_t kMaxKeptElements = 4096;  // per-layer settings are kept, vocabularies are not
constexpr uint64_t kSkipBytes = 1 << 20;

uint64_t elementBytes(GgufType type) {
    switch (type) {
        case GgufType::Uint8:
        case GgufType::Int8:
        case GgufType::Bool: return 1;
        case GgufType::Uint16:
        case GgufType::Int16: return 2;
        case GgufType::Uint32:
        case GgufType::Int32:
        case GgufType::Float32: return 4;
        case GgufType::Uint64:
        case GgufType::Int64:
        case GgufType::Float64: return 8;
        default: return 0;
    }
}

bool skipBytes(HeaderCursor& in, uint64_t n) {
    while (n > 0) {
        const uint64_t step = std::min(n, kSkipBytes);
        if (in.take(step) == nullptr) return false;
        n -= step;
    }
    return true;
}

bool skipArray(HeaderCursor& in, GgufType type, uint64_t n) {
    if (type != GgufType::String) {
        const uint64_t size = elementBytes(type);
        return in.checkCount(n, size, "values") && skipBytes(in, n * size);
    }
    if (!in.checkCount(n, 8, "texts")) return false;
    for (uint64_t i = 0; i < n; ++i) {
        uint64_t length = 0;
        if (!in.read(length)) return false;
        if (length > kMaxStringBytes) return in.failDamaged("an overlong text in a list");
        if (!skipBytes(in, length)) return false;
    }
    return true;
}

template <class T, class From>
bool readElements(HeaderCursor& in, GgufType type, uint64_t n, MetaValue& value) {
    std::vector<T> all;
    all.reserve(static_cast<size_t>(n));
    for (uint64_t i = 0; i < n; ++i) {
        MetaValue one;
        if (!readGgufValue(in, static_cast<uint32_t>(type), one)) return false;
        if (const auto* bit = std::get_if<bool>(&one); bit != nullptr)
            one = static_cast<int64_t>(*bit);
        if (const auto* big = std::get_if<uint64_t>(&one); big != nullptr)
            one = static_cast<int64_t>(*big);
        const From* part = std::get_if<From>(&one);
        if (part == nullptr) return in.failDamaged("a list of mixed values");
        all.push_back(static_cast<T>(*part));
    }
    value = std::move(all);
    return true;
}

/// Reads a short array and skips a long one (isKept false).
bool readArray(HeaderCursor& in, MetaValue& value, bool& isKept) {
    uint32_t typeId = 0;
    uint64_t n = 0;
    if (!in.read(typeId) || !in.read(n)) return false;
    const auto type = static_cast<GgufType>(typeId);
    if (type != GgufType::String && elementBytes(type) == 0)
        return in.failDamaged("a list of values of type " + std::to_string(typeId));
    isKept = n <= kMaxKeptElements;
    if (!isKept) return skipArray(in, type, n);
    if (type == GgufType::String) return readElements<std::string, std::string>(in, type, n, value);
    if (type == GgufType::Float32 || type == GgufType::Float64)
        return readElements<float, double>(in, type, n, value);
    return readElements<int64_t, int64_t>(in, type, n, value);
}

}  // namespace

Result<std::unique_ptr<GgufHeader>> GgufHeader::open(const std::string& path) {
    auto file = RandomAccessFile::open(path);
    if (!file) return std::move(file).error();
    std::array<std::byte, 512> buffer;
    const auto head = std::span(buffer).first(
        static_cast<size_t>(std::min<uint64_t>(buffer.size(), file->sizeBytes())));
    if (auto r = file->readAt(0, head); !r) return std::move(r).error();
    if (head.size() < 4 || std::memcmp(head.data(), "GGUF", 4) != 0)
        return describeForeignFile(head);
    std::unique_ptr<GgufHeader> header(new GgufHeader(std::move(*file)));
    HeaderCursor in(header->file_);
    if (!header->parse(in)) return in.error();
    return header;
}

bool GgufHeader::parse(HeaderCursor& in) {
    in.setSubject("its first 24 bytes");
    uint64_t nTensors = 0, nKeys = 0;
    if (in.take(4) == nullptr || !in.read(version_)) return false;
    if (version_ != 2 && version_ != 3) {
        const bool isSwapped = version_ != 0 && (version_ & 0xffff) == 0;
        return in.fail(makeError(
            Errc::Unsupported,
            isSwapped
                ? "This GGUF file is big-endian; download the little-endian version of the model."
                : "This file is in GGUF version " + std::to_string(version_) +
                      ", and this program reads versions 2 and 3; download another version of the "
                      "model, or a newer version of this program."));
    }
    if (!in.read(nTensors) || !in.read(nKeys)) return false;
    if (!in.checkCount(nKeys, kMinKeyBytes, "keys") ||
        !in.checkCount(nTensors, kMinTensorBytes, "tensors") || !parseMetadata(in, nKeys) ||
        !parseTensors(in, nTensors))
        return false;
    measure(in.offset());
    return true;
}

bool GgufHeader::parseMetadata(HeaderCursor& in, uint64_t nKeys) {
    for (uint64_t i = 0; i < nKeys; ++i) {
        in.setSubject("key " + std::to_string(i + 1) + " of " + std::to_string(nKeys));
        std::string key;
        uint32_t type = 0;
        if (!in.readString(key, kMaxKeyBytes) || !in.read(type)) return false;
        in.setSubject("the key " + quotedName(key));
        MetaValue value;
        bool isKept = true;
        const bool isRead = static_cast<GgufType>(type) == GgufType::Array
                                ? readArray(in, value, isKept)
                                : readGgufValue(in, type, value);
        if (!isRead) return false;
        if (isKept) meta_.emplace_back(std::move(key), std::move(value));
    }
    return true;
}

bool GgufHeader::parseTensors(HeaderCursor& in, uint64_t nTensors) {
    for (uint64_t i = 0; i < nTensors; ++i) {
        in.setSubject("the entry of tensor " + std::to_string(i + 1) + " of " +
                      std::to_string(nTensors));
        if (!parseTensor(in)) return false;
    }
    hasTensors_ = nTensors > 0;
    return true;
}

bool GgufHeader::parseTensor(HeaderCursor& in) {
    TensorInfo info;
    uint32_t nDims = 0, type = 0;
    if (!in.readString(info.name, kMaxNameBytes) || !in.read(nDims)) return false;
    if (nDims < 1 || nDims > 4)
        return in.failDamaged(std::to_string(nDims) + " dimensions where 1 to 4 are allowed");
    info.nDims = static_cast<int>(nDims);
    int64_t values = 1;
    for (uint32_t d = 0; d < nDims; ++d) {
        if (!in.read(info.shape[d])) return false;
        if (info.shape[d] <= 0 || __builtin_mul_overflow(values, info.shape[d], &values))
            return in.failDamaged("an impossible shape");
    }
    if (!in.read(type) || !in.read(info.offsetBytes)) return false;
    if (__builtin_add_overflow(nParameters_, static_cast<uint64_t>(values), &nParameters_))
        return in.failDamaged("more than 2^64 parameters");
    const kernels::DTypeInfo* known = kernels::dtypeInfo(type);
    Extent extent{info.offsetBytes, kernels::ggmlTypeName(type), nDims >= 2, 0};
    if (known == nullptr) {
        if (unknownType_.empty()) unknownType_ = extent.type;
    } else {
        info.dtype = known->type;
        const uint64_t blocks = static_cast<uint64_t>(values) / known->blockValues;
        if (__builtin_mul_overflow(blocks, uint64_t{known->blockBytes}, &info.sizeBytes))
            return in.failDamaged("a size of 2^64 bytes or more");
        extent.sizeBytes = info.sizeBytes;
        tensors_.push_back(std::move(info));
    }
    extents_.push_back(std::move(extent));
    return true;
}

/// Bytes by type, and whether the file is as long as its header says. What a tensor of an unknown
/// type takes is the distance to the next one.
void GgufHeader::measure(uint64_t headerEnd) {
    uint64_t alignment = static_cast<uint64_t>(integer("general.alignment").value_or(32));
    if (!std::has_single_bit(alignment) || alignment > (uint64_t{1} << 24)) alignment = 32;
    const uint64_t dataStart = (headerEnd + alignment - 1) & ~(alignment - 1);
    const uint64_t dataBytes = file_.sizeBytes() > dataStart ? file_.sizeBytes() - dataStart : 0;
    for (size_t i = 0; i < extents_.size(); ++i) {
        Extent& extent = extents_[i];
        uint64_t end = 0;
        if (extent.sizeBytes == 0) {
            const uint64_t next = i + 1 < extents_.size() ? extents_[i + 1].offset : dataBytes;
            extent.sizeBytes = next > extent.offset ? next - extent.offset : 0;
        }
        if (__builtin_add_overflow(extent.offset, extent.sizeBytes, &end) || end > dataBytes)
            isIncomplete_ = true;
        if (!extent.isMatrix) continue;
        const auto slot = std::find_if(bytesByType_.begin(), bytesByType_.end(),
                                       [&](const auto& s) { return s.first == extent.type; });
        if (slot == bytesByType_.end())
            bytesByType_.emplace_back(extent.type, extent.sizeBytes);
        else
            slot->second += extent.sizeBytes;
    }
    for (TensorInfo& info : tensors_) info.offsetBytes += dataStart;
}

void GgufHeader::addShard(const GgufHeader& shard) {
    isIncomplete_ |= shard.isIncomplete_;
    hasTensors_ |= shard.hasTensors_;
    nParameters_ += shard.nParameters_;
    if (unknownType_.empty()) unknownType_ = shard.unknownType_;
    tensors_.insert(tensors_.end(), shard.tensors_.begin(), shard.tensors_.end());
    for (const auto& [type, bytes] : shard.bytesByType_) {
        const auto slot =
            std::find_if(bytesByType_.begin(), bytesByType_.end(),
                         [&, &name = type](const auto& s) { return s.first == name; });
        if (slot == bytesByType_.end())
            bytesByType_.emplace_back(type, bytes);
        else
            slot->second += bytes;
    }
}

std::string GgufHeader::quantisation() const {
    uint64_t total = 0;
    const std::pair<std::string, uint64_t>* best = nullptr;
    for (const auto& slot : bytesByType_) {
        total += slot.second;
        if (best == nullptr || slot.second > best->second) best = &slot;
    }
    if (best == nullptr) return {};
    // As describeQuantisation: a head in another type is usual, a "mix" is what K-quantisers write.
    return best->second / 7 < total / 10 ? best->first + " mix" : best->first;
}

const MetaValue* GgufHeader::find(std::string_view key) const {
    for (const auto& [name, value] : meta_)
        if (name == key) return &value;
    return nullptr;
}

const TensorInfo* GgufHeader::tensor(std::string_view name) const {
    for (const TensorInfo& info : tensors_)
        if (info.name == name) return &info;
    return nullptr;
}

Result<void> GgufHeader::readTensor(const TensorInfo&, uint64_t, std::span<std::byte>) const {
    return makeError(Errc::Unsupported, "Only the header of this file was opened.");
}

}  // namespace vitrine::engine
