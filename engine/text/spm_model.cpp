#include "engine/text/spm_model.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>

namespace vitrine::engine {

namespace {

/// Longest piece that is taken for real. The library re-segments unused pieces recursively, one
/// level per merge.
constexpr size_t kMaxPieceBytes = 4096;

/// The library's matcher collects the user-defined symbols that begin at a place in a buffer of
/// fixed size; real vocabularies nest at most 31 (runs of newlines).
constexpr size_t kMaxNestedSymbols = 32;

Error damaged(const std::string& what) {
    return makeError(Errc::Format, "The SentencePiece vocabulary is damaged: " + what +
                                       "; download the file again.");
}

Error unsupported(const std::string& what) {
    return makeError(Errc::Unsupported,
                     "The SentencePiece vocabulary " + what +
                         ", which this version does not support; choose another tokenizer file.");
}

struct Field {
    uint32_t number = 0;
    uint32_t wire = 0;       ///< 0 varint, 1 eight bytes, 2 bytes, 5 four bytes
    uint64_t value = 0;      ///< varint or the raw four bytes
    std::string_view bytes;  ///< wire 2
};

/// Protobuf's wire format. Source: protobuf.dev/programming-guides/encoding.
class WireReader {
public:
    explicit WireReader(std::string_view bytes) : rest_(bytes) {}

    bool atEnd() const { return rest_.empty(); }

    /// nullopt: damaged.
    std::optional<Field> next() {
        const auto tag = varint();
        if (!tag || (*tag >> 3) == 0 || (*tag >> 3) > 0x1FFFFFFFu) return std::nullopt;
        Field field;
        field.number = static_cast<uint32_t>(*tag >> 3);
        field.wire = static_cast<uint32_t>(*tag & 7);
        size_t size = 0;
        switch (field.wire) {
            case 0: {
                const auto value = varint();
                if (!value) return std::nullopt;
                field.value = *value;
                return field;
            }
            case 1: size = 8; break;
            case 5: size = 4; break;
            case 2: {
                const auto length = varint();
                if (!length || *length > rest_.size()) return std::nullopt;
                size = static_cast<size_t>(*length);
                break;
            }
            default: return std::nullopt;  // groups, which the schema has none of
        }
        if (size > rest_.size()) return std::nullopt;
        field.bytes = rest_.substr(0, size);
        if (field.wire == 5) std::memcpy(&field.value, field.bytes.data(), 4);
        rest_.remove_prefix(size);
        return field;
    }

private:
    std::optional<uint64_t> varint() {
        uint64_t value = 0;
        for (unsigned shift = 0; shift < 64; shift += 7) {
            if (rest_.empty()) return std::nullopt;
            const auto byte = static_cast<uint8_t>(rest_.front());
            rest_.remove_prefix(1);
            value |= uint64_t{byte & 0x7Fu} << shift;
            if (byte < 0x80) return value;
        }
        return std::nullopt;
    }

    std::string_view rest_;
};

/// Calls handle(field) for each field; its errors and damage end the walk.
template <class Handle>
Result<void> eachField(std::string_view bytes, const char* where, Handle handle) {
    WireReader reader(bytes);
    while (!reader.atEnd()) {
        const auto field = reader.next();
        if (!field) return damaged(std::string("its bytes make no sense in the ") + where);
        if (Result<void> handled = handle(*field); !handled) return handled;
    }
    return {};
}

Result<void> parsePiece(std::string_view bytes, SpmModel& model) {
    SpmPiece piece;
    const std::string where = "piece " + std::to_string(model.pieces.size());
    Result<void> done = eachField(bytes, "pieces", [&](const Field& f) -> Result<void> {
        if (f.number == 1 && f.wire == 2) piece.text = std::string(f.bytes);
        if (f.number == 2 && f.wire == 5) std::memcpy(&piece.score, f.bytes.data(), 4);
        if (f.number == 3 && f.wire == 0) {
            if (f.value < 1 || f.value > 6) return damaged(where + " has an unknown type");
            piece.type = static_cast<TokenType>(f.value);
        }
        return {};
    });
    model.pieces.push_back(std::move(piece));
    return done;
}

Result<void> parseTrainer(std::string_view bytes, SpmModel& model) {
    return eachField(bytes, "training settings", [&](const Field& f) -> Result<void> {
        if (f.number == 3 && f.wire == 0) {
            if (f.value < 1 || f.value > 4) return damaged("the kind of model is unknown");
            model.kind = static_cast<SpmModel::Kind>(f.value);
        }
        if (f.number == 24 && f.wire == 0 && f.value != 0)
            return unsupported("writes spaces at the end of words");
        if (f.number == 35 && f.wire == 0) model.byteFallback = f.value != 0;
        if (f.number == 44 && f.wire == 2) model.unknownSurface = std::string(f.bytes);
        if (f.number == 46 && f.wire == 2) model.bosPiece = std::string(f.bytes);
        if (f.number == 47 && f.wire == 2) model.eosPiece = std::string(f.bytes);
        return {};
    });
}

Result<void> parseNormalizer(std::string_view bytes, SpmModel& model) {
    return eachField(bytes, "normaliser settings", [&](const Field& f) -> Result<void> {
        if (f.number == 2 && f.wire == 2 && !f.bytes.empty() && !isSafeCharsMap(f.bytes))
            return damaged("its normalisation rules point outside of themselves");
        if (f.number == 3 && f.wire == 0) model.addDummyPrefix = f.value != 0;
        if (f.number == 4 && f.wire == 0) model.removeExtraWhitespaces = f.value != 0;
        return {};
    });
}

Result<void> parseDenormalizer(std::string_view bytes) {
    return eachField(bytes, "denormaliser settings", [](const Field& f) -> Result<void> {
        if (f.number == 2 && f.wire == 2 && !f.bytes.empty())
            return unsupported("rewrites text after decoding");
        return {};
    });
}

void putVarint(std::string& out, uint64_t value) {
    for (; value >= 0x80; value >>= 7) out += static_cast<char>((value & 0x7F) | 0x80);
    out += static_cast<char>(value);
}

void putNumber(std::string& out, uint32_t field, uint64_t value) {
    putVarint(out, uint64_t{field} << 3);
    putVarint(out, value);
}

void putBytes(std::string& out, uint32_t field, std::string_view bytes) {
    putVarint(out, (uint64_t{field} << 3) | 2);
    putVarint(out, bytes.size());
    out += bytes;
}

}  // namespace

Result<void> checkSpmPieces(const std::vector<SpmPiece>& pieces) {
    if (pieces.empty()) return damaged("it has no pieces");
    if (pieces.size() > 0x7FFFFFFFu) return damaged("it has more pieces than ids can number");
    std::vector<std::string_view> symbols;
    for (size_t i = 0; i < pieces.size(); ++i) {
        const SpmPiece& piece = pieces[i];
        const std::string where = "piece " + std::to_string(i);
        if (piece.text.size() > kMaxPieceBytes) return damaged(where + " is too long");
        if (!std::isfinite(piece.score)) return damaged(where + " has no finite score");
        if (piece.type == TokenType::Byte && byteOfPiece(piece.text) < 0)
            return damaged(where + " is marked as a byte but not written as one");
        if (piece.type == TokenType::UserDefined) symbols.push_back(piece.text);
    }
    std::sort(symbols.begin(), symbols.end());
    std::vector<std::string_view> nested;
    for (const std::string_view symbol : symbols) {
        while (!nested.empty() && symbol.substr(0, nested.back().size()) != nested.back())
            nested.pop_back();
        nested.push_back(symbol);
        if (nested.size() > kMaxNestedSymbols)
            return damaged("too many user-defined symbols begin with one another");
    }
    return {};
}

int byteOfPiece(std::string_view text) {
    if (text.size() != 6 || text.substr(0, 3) != "<0x" || text[5] != '>') return -1;
    int value = 0;
    for (const char c : text.substr(3, 2)) {
        const int digit = c >= '0' && c <= '9'   ? c - '0'
                          : c >= 'A' && c <= 'F' ? c - 'A' + 10
                          : c >= 'a' && c <= 'f' ? c - 'a' + 10
                                                 : -1;
        if (digit < 0) return -1;
        value = value * 16 + digit;
    }
    return value;
}

Result<SpmModel> parseSpmModel(std::string_view bytes) {
    SpmModel model;
    Result<void> done = eachField(bytes, "file", [&](const Field& f) -> Result<void> {
        if (f.wire != 2) return {};
        switch (f.number) {
            case 1: return parsePiece(f.bytes, model);
            case 2: return parseTrainer(f.bytes, model);
            case 3: return parseNormalizer(f.bytes, model);
            case 5: return parseDenormalizer(f.bytes);
            default: return {};
        }
    });
    if (done) done = checkSpmPieces(model.pieces);
    if (!done) return std::move(done).error();
    return model;
}

std::string serializeSpmModel(const SpmModel& model) {
    std::string out, part;
    for (const SpmPiece& piece : model.pieces) {
        part.clear();
        putBytes(part, 1, piece.text);
        putVarint(part, (2u << 3) | 5);
        char score[4];
        std::memcpy(score, &piece.score, sizeof score);
        part.append(score, sizeof score);
        putNumber(part, 3, static_cast<uint64_t>(piece.type));
        putBytes(out, 1, part);
    }
    part.clear();
    putNumber(part, 3, static_cast<uint64_t>(model.kind));
    putNumber(part, 35, model.byteFallback ? 1 : 0);
    putBytes(part, 44, model.unknownSurface);
    putBytes(out, 2, part);
    part.clear();
    putBytes(part, 1, "identity");
    putNumber(part, 3, model.addDummyPrefix ? 1 : 0);
    putNumber(part, 4, model.removeExtraWhitespaces ? 1 : 0);
    putNumber(part, 5, 1);
    putBytes(out, 3, part);
    return out;
}

}  // namespace vitrine::engine
