#include "engine/io/gguf_value.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace vitrine::engine {
namespace {

constexpr uint64_t kMaxTextBytes = uint64_t{64} << 20;
// The largest vocabularies have about 260 thousand tokens and half a million merges. A limit keeps
// a damaged count in a large file from growing 1-byte elements to gigabytes.
constexpr uint64_t kMaxElements = uint64_t{16} << 20;

template <class T>
bool readInteger(HeaderCursor& in, MetaValue& value) {
    T raw{};
    if (!in.read(raw)) return false;
    if (std::in_range<int64_t>(raw)) {
        value = static_cast<int64_t>(raw);
    } else {
        value = static_cast<uint64_t>(raw);
    }
    return true;
}

template <class T>
bool readFloat(HeaderCursor& in, MetaValue& value) {
    T raw{};
    if (!in.read(raw)) return false;
    value = static_cast<double>(raw);
    return true;
}

bool readBool(HeaderCursor& in, MetaValue& value) {
    uint8_t raw = 0;
    if (!in.read(raw)) return false;
    if (raw > 1) return in.failDamaged("a truth value of " + std::to_string(raw));
    value = raw == 1;
    return true;
}

bool readText(HeaderCursor& in, MetaValue& value) {
    std::string text;
    if (!in.readString(text, kMaxTextBytes)) return false;
    value = std::move(text);
    return true;
}

/// One bulk read, then a conversion in memory. Stored: the type in the file; To: the element kept.
template <class Stored, class To>
bool readNumbers(HeaderCursor& in, uint64_t count, MetaValue& value) {
    const std::byte* p = in.take(count * sizeof(Stored));
    if (p == nullptr) return false;
    std::vector<To> out(static_cast<size_t>(count));
    bool inRange = true;
    for (size_t i = 0; i < out.size(); ++i) {
        Stored raw;
        std::memcpy(&raw, p + i * sizeof(Stored), sizeof(Stored));
        if constexpr (std::is_same_v<Stored, uint64_t>) inRange &= std::in_range<int64_t>(raw);
        out[i] = static_cast<To>(raw);
    }
    if (!inRange) return in.failDamaged("an array element of 2^63 or more");
    value = std::move(out);
    return true;
}

bool readTexts(HeaderCursor& in, uint64_t count, MetaValue& value) {
    std::vector<std::string> out;
    out.reserve(static_cast<size_t>(std::min<uint64_t>(count, uint64_t{1} << 19)));
    for (uint64_t i = 0; i < count; ++i) {
        if (!in.readString(out.emplace_back(), kMaxTextBytes)) return false;
    }
    value = std::move(out);
    return true;
}

bool readArray(HeaderCursor& in, MetaValue& value) {
    uint32_t elementType = 0;
    uint64_t count = 0;
    if (!in.read(elementType) || !in.read(count)) return false;
    const auto type = static_cast<GgufType>(elementType);
    uint64_t minBytes = 0;
    switch (type) {
        case GgufType::Uint8:
        case GgufType::Int8:
        case GgufType::Bool: minBytes = 1; break;
        case GgufType::Uint16:
        case GgufType::Int16: minBytes = 2; break;
        case GgufType::Uint32:
        case GgufType::Int32:
        case GgufType::Float32: minBytes = 4; break;
        case GgufType::Uint64:
        case GgufType::Int64:
        case GgufType::Float64:
        case GgufType::String: minBytes = 8; break;
        case GgufType::Array: return in.failDamaged("an array of arrays, which is not supported");
    }
    if (minBytes == 0) {
        return in.failDamaged("an array of the unknown type " + std::to_string(elementType));
    }
    if (!in.checkCount(count, minBytes, "array elements")) return false;
    if (count > kMaxElements) {
        return in.failDamaged("an array of " + std::to_string(count) + " elements where at most " +
                              std::to_string(kMaxElements) + " are allowed");
    }
    switch (type) {
        case GgufType::Uint8: return readNumbers<uint8_t, int64_t>(in, count, value);
        case GgufType::Int8: return readNumbers<int8_t, int64_t>(in, count, value);
        case GgufType::Bool: return readNumbers<uint8_t, int64_t>(in, count, value);
        case GgufType::Uint16: return readNumbers<uint16_t, int64_t>(in, count, value);
        case GgufType::Int16: return readNumbers<int16_t, int64_t>(in, count, value);
        case GgufType::Uint32: return readNumbers<uint32_t, int64_t>(in, count, value);
        case GgufType::Int32: return readNumbers<int32_t, int64_t>(in, count, value);
        case GgufType::Uint64: return readNumbers<uint64_t, int64_t>(in, count, value);
        case GgufType::Int64: return readNumbers<int64_t, int64_t>(in, count, value);
        case GgufType::Float32: return readNumbers<float, float>(in, count, value);
        case GgufType::Float64: return readNumbers<double, float>(in, count, value);
        case GgufType::String: return readTexts(in, count, value);
        case GgufType::Array: break;
    }
    return false;
}

}  // namespace

bool readGgufValue(HeaderCursor& in, uint32_t typeId, MetaValue& value) {
    switch (static_cast<GgufType>(typeId)) {
        case GgufType::Uint8: return readInteger<uint8_t>(in, value);
        case GgufType::Int8: return readInteger<int8_t>(in, value);
        case GgufType::Uint16: return readInteger<uint16_t>(in, value);
        case GgufType::Int16: return readInteger<int16_t>(in, value);
        case GgufType::Uint32: return readInteger<uint32_t>(in, value);
        case GgufType::Int32: return readInteger<int32_t>(in, value);
        case GgufType::Uint64: return readInteger<uint64_t>(in, value);
        case GgufType::Int64: return readInteger<int64_t>(in, value);
        case GgufType::Float32: return readFloat<float>(in, value);
        case GgufType::Float64: return readFloat<double>(in, value);
        case GgufType::Bool: return readBool(in, value);
        case GgufType::String: return readText(in, value);
        case GgufType::Array: return readArray(in, value);
    }
    return in.failDamaged("a value of the unknown type " + std::to_string(typeId));
}

}  // namespace vitrine::engine
