#include "engine/io/safetensors_header.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <unordered_set>

#include "engine/io/header_cursor.h"

namespace vitrine::engine {
namespace {

using kernels::DType;

constexpr size_t kMaxRank = 16;
constexpr size_t kMaxNameBytes = 1024;
constexpr uint64_t kMaxNumber = uint64_t{1} << 53;

struct StoredType {
    std::string_view name;
    uint64_t bits;  ///< of a value
    std::optional<DType> dtype;
};

// Source: safetensors/src/tensor.rs, Dtype.
constexpr std::array kTypes{
    StoredType{"F32", 32, DType::F32},
    StoredType{"F16", 16, DType::F16},
    StoredType{"BF16", 16, DType::BF16},
    StoredType{"F64", 64, {}},
    StoredType{"I64", 64, {}},
    StoredType{"U64", 64, {}},
    StoredType{"I32", 32, {}},
    StoredType{"U32", 32, {}},
    StoredType{"I16", 16, {}},
    StoredType{"U16", 16, {}},
    StoredType{"I8", 8, {}},
    StoredType{"U8", 8, {}},
    StoredType{"BOOL", 8, {}},
    StoredType{"F8_E4M3", 8, {}},
    StoredType{"F8_E5M2", 8, {}},
    StoredType{"F8_E8M0", 8, {}},
    StoredType{"C64", 64, {}},
    StoredType{"F4", 4, {}},
    StoredType{"F6_E2M3", 6, {}},
    StoredType{"F6_E3M2", 6, {}},
};

/// The events of the parser. False stops it, with the error noted.
class HeaderSax : public nlohmann::json_sax<nlohmann::json> {
public:
    std::vector<StoredTensor> tensors;
    std::optional<Error> error;

    bool start_object(size_t) override {
        if (level_ == Level::Start) return enter(Level::Names);
        if (level_ == Level::Names) return beginEntry();
        return fail("an object where a value is due");
    }

    bool key(string_t& name) override {
        if (level_ == Level::Names) {
            if (name.empty() || name.size() > kMaxNameBytes)
                return fail("a tensor name of " + std::to_string(name.size()) + " bytes");
            name_ = name;
            if (!seen_.insert(name).second) return fail("it occurs twice");
            return true;
        }
        if (level_ != Level::Tensor) return true;  // "__metadata__"
        field_ = name == "dtype"          ? Field::Type
                 : name == "shape"        ? Field::Shape
                 : name == "data_offsets" ? Field::Offsets
                                          : Field::None;
        if (field_ == Field::None) return fail("the unknown key " + quotedName(name));
        const auto bit = 1u << static_cast<unsigned>(field_);
        if ((fields_ & bit) != 0) return fail("the key " + quotedName(name) + " occurs twice");
        fields_ |= bit;
        return true;
    }

    bool end_object() override {
        if (level_ == Level::Metadata) return enter(Level::Names);
        if (level_ == Level::Tensor) return endTensor();
        level_ = Level::End;
        return true;
    }

    bool start_array(size_t) override {
        if (level_ == Level::Tensor && field_ != Field::Type) return enter(Level::List);
        return fail("an array where another value is due");
    }

    bool end_array() override { return enter(Level::Tensor); }

    bool string(string_t& text) override {
        if (level_ == Level::Metadata) return true;
        if (level_ != Level::Tensor || field_ != Field::Type)
            return fail("a text where another value is due");
        tensors.back().dtypeName = text.substr(0, 32);
        return true;
    }

    bool number_unsigned(number_unsigned_t value) override {
        if (level_ != Level::List) return fail("a number where another value is due");
        if (value > kMaxNumber) return fail("the number " + std::to_string(value));
        if (field_ == Field::Shape) {
            tensors.back().shape.push_back(static_cast<int64_t>(value));
            return tensors.back().shape.size() <= kMaxRank || fail("more than 16 dimensions");
        }
        if (nOffsets_ == 2) return fail("more than two offsets");
        offsets_[nOffsets_++] = value;
        return true;
    }

    bool null() override { return fail("a null"); }

    bool boolean(bool) override { return fail("a truth value"); }

    bool number_integer(number_integer_t) override { return fail("a negative number"); }

    bool number_float(number_float_t, const string_t&) override {
        return fail("a number that is not whole");
    }

    bool binary(binary_t&) override { return fail("binary data"); }

    bool parse_error(size_t position, const std::string&,
                     const nlohmann::detail::exception&) override {
        return fail("it is not valid JSON at its byte " + std::to_string(position));
    }

private:
    enum class Level { Start, Names, Metadata, Tensor, List, End };
    enum class Field : unsigned { Type, Shape, Offsets, None };

    bool fail(const std::string& what) {
        if (!error) error = damagedSafetensors(what, name_);
        return false;
    }

    bool enter(Level level) {
        level_ = level;
        return true;
    }

    bool beginEntry() {
        if (name_ == "__metadata__") return enter(Level::Metadata);
        tensors.emplace_back().name = name_;
        fields_ = 0;
        nOffsets_ = 0;
        return enter(Level::Tensor);
    }

    bool endTensor() {
        if (fields_ != 7) return fail("\"dtype\", \"shape\" or \"data_offsets\" is missing");
        if (nOffsets_ != 2 || offsets_[0] > offsets_[1])
            return fail("its \"data_offsets\" are not a begin and an end");
        StoredTensor& tensor = tensors.back();
        tensor.offsetBytes = offsets_[0];
        tensor.sizeBytes = offsets_[1] - offsets_[0];
        const auto type = std::find_if(kTypes.begin(), kTypes.end(), [&](const StoredType& t) {
            return t.name == tensor.dtypeName;
        });
        if (type != kTypes.end()) {
            tensor.dtype = type->dtype;
            uint64_t bits = type->bits;
            for (const int64_t n : tensor.shape) {
                if (__builtin_mul_overflow(bits, static_cast<uint64_t>(n), &bits))
                    return fail("its shape multiplies to 2^64 bits or more");
            }
            if (bits % 8 != 0 || bits / 8 != tensor.sizeBytes)
                return fail("its shape and type need " + std::to_string(bits / 8) +
                            " bytes where \"data_offsets\" gives " +
                            std::to_string(tensor.sizeBytes));
        }
        name_.clear();
        return enter(Level::Names);
    }

    Level level_ = Level::Start;
    Field field_ = Field::None;
    unsigned fields_ = 0;  ///< bits of those seen
    std::array<uint64_t, 2> offsets_{};
    size_t nOffsets_ = 0;
    std::string name_;
    std::unordered_set<std::string> seen_;
};

}  // namespace

Error damagedSafetensors(const std::string& what, const std::string& tensor) {
    return makeError(Errc::Format,
                     "The header of this safetensors file is damaged (" + what +
                         (tensor.empty() ? "" : ", in the entry " + quotedName(tensor)) +
                         "): download the file again.");
}

Result<std::vector<StoredTensor>> parseSafetensorsHeader(std::string_view json) {
    HeaderSax sax;
    const bool isWhole = !json.empty() && json.front() == '{' &&
                         nlohmann::json::sax_parse(json.begin(), json.end(), &sax);
    if (sax.error) return *std::move(sax.error);
    if (!isWhole) return damagedSafetensors("it does not begin with \"{\"", "");
    return std::move(sax.tensors);
}

}  // namespace vitrine::engine
