#pragma once
// Builds GGUF files byte by byte for tests: valid ones by default, and broken ones on request,
// since counts, types and offsets can be overridden. Independent of the reader: plain std only.
// Thread: plain values.

#include <cstdint>
#include <cstring>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace vitrine::test {

/// Little-endian bytes, appended.
class ByteSink {
public:
    template <class T>
    ByteSink& raw(T value) {
        static_assert(std::is_trivially_copyable_v<T>);
        char text[sizeof(T)];
        std::memcpy(text, &value, sizeof(T));
        bytes.append(text, sizeof(T));
        return *this;
    }

    ByteSink& text(std::string_view s) {
        raw(static_cast<uint64_t>(s.size()));
        bytes.append(s);
        return *this;
    }

    std::string bytes;
};

/// Type id of a metadata value by its C++ type. Source: ggml docs/gguf.md.
template <class T>
constexpr uint32_t ggufTypeId() {
    if constexpr (std::is_same_v<T, uint8_t>) return 0;
    if constexpr (std::is_same_v<T, int8_t>) return 1;
    if constexpr (std::is_same_v<T, uint16_t>) return 2;
    if constexpr (std::is_same_v<T, int16_t>) return 3;
    if constexpr (std::is_same_v<T, uint32_t>) return 4;
    if constexpr (std::is_same_v<T, int32_t>) return 5;
    if constexpr (std::is_same_v<T, float>) return 6;
    if constexpr (std::is_same_v<T, bool>) return 7;
    if constexpr (std::is_same_v<T, std::string>) return 8;
    if constexpr (std::is_same_v<T, uint64_t>) return 10;
    if constexpr (std::is_same_v<T, int64_t>) return 11;
    if constexpr (std::is_same_v<T, double>) return 12;
    return 99;
}

class GgufWriter {
public:
    // Overrides for broken files.
    std::string magic = "GGUF";
    uint32_t version = 3;
    std::optional<uint64_t> nKeysClaimed;
    std::optional<uint64_t> nTensorsClaimed;
    uint64_t alignment = 32;  ///< padding used; also add("general.alignment", …) when not 32

    /// T: one of the twelve scalar types, exactly (uint32_t{3}, std::string("x"), …).
    template <class T>
    GgufWriter& add(std::string_view key, const T& value) {
        static_assert(ggufTypeId<T>() != 99, "not a metadata type");
        ByteSink sink;
        sink.text(key).raw(ggufTypeId<T>());
        append(sink, value);
        return addBytes(sink.bytes);
    }

    GgufWriter& add(std::string_view key, const char* value) {
        return add(key, std::string(value));
    }

    template <class T>
    GgufWriter& addArray(std::string_view key, const std::vector<T>& values) {
        static_assert(ggufTypeId<T>() != 99, "not a metadata type");
        ByteSink sink;
        sink.text(key).raw(uint32_t{9}).raw(ggufTypeId<T>());
        sink.raw(static_cast<uint64_t>(values.size()));
        for (size_t i = 0; i < values.size(); ++i) append(sink, static_cast<T>(values[i]));
        return addBytes(sink.bytes);
    }

    /// A key with any type id and payload.
    GgufWriter& addRaw(std::string_view key, uint32_t typeId, std::string_view payload) {
        ByteSink sink;
        sink.text(key).raw(typeId);
        sink.bytes.append(payload);
        return addBytes(sink.bytes);
    }

    struct Tensor {
        std::string name;
        std::vector<int64_t> shape;  ///< fastest axis first
        uint32_t type = 0;           ///< GGUF type id
        std::string data;
        std::optional<uint64_t> offset;  ///< override, relative to the data section
        std::optional<uint32_t> nDims;   ///< override
    };

    GgufWriter& addTensor(Tensor tensor) {
        tensors_.push_back(std::move(tensor));
        return *this;
    }

    /// An F32 tensor; shape fastest axis first.
    GgufWriter& addTensor(std::string name, std::vector<int64_t> shape,
                          const std::vector<float>& values) {
        std::string data(values.size() * sizeof(float), '\0');
        if (!values.empty()) std::memcpy(data.data(), values.data(), data.size());
        return addTensor(Tensor{std::move(name), std::move(shape), 0, std::move(data), {}, {}});
    }

    /// Everything before the padding and the data section.
    std::string header() const {
        ByteSink sink;
        sink.bytes = magic;
        sink.raw(version);
        sink.raw(nTensorsClaimed.value_or(tensors_.size())).raw(nKeysClaimed.value_or(nKeys_));
        sink.bytes += keys_;
        uint64_t next = 0;
        for (const Tensor& t : tensors_) {
            sink.text(t.name).raw(t.nDims.value_or(static_cast<uint32_t>(t.shape.size())));
            for (const int64_t dim : t.shape) sink.raw(dim);
            sink.raw(t.type).raw(t.offset.value_or(next));
            next += padded(t.data.size());
        }
        return std::move(sink.bytes);
    }

    std::string bytes() const {
        std::string out = header();
        out.resize(padded(out.size()));
        for (const Tensor& t : tensors_) {
            out += t.data;
            out.resize(padded(out.size()));
        }
        return out;
    }

    /// False when the file cannot be written.
    bool write(const std::string& path) const {
        std::ofstream out(path, std::ios::binary | std::ios::trunc);
        const std::string all = bytes();
        out.write(all.data(), static_cast<std::streamsize>(all.size()));
        return static_cast<bool>(out.flush());
    }

private:
    template <class T>
    static void append(ByteSink& sink, const T& value) {
        if constexpr (std::is_same_v<T, std::string>) {
            sink.text(value);
        } else if constexpr (std::is_same_v<T, bool>) {
            sink.raw(static_cast<uint8_t>(value));
        } else {
            sink.raw(value);
        }
    }

    GgufWriter& addBytes(std::string_view bytes) {
        keys_.append(bytes);
        ++nKeys_;
        return *this;
    }

    size_t padded(size_t n) const { return (n + alignment - 1) / alignment * alignment; }

    std::string keys_;
    uint64_t nKeys_ = 0;
    std::vector<Tensor> tensors_;
};

}  // namespace vitrine::test
