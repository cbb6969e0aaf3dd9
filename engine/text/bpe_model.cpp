#include "engine/text/bpe_model.h"

#include <algorithm>
#include <optional>

#include "engine/text/byte_alphabet.h"
#include "engine/text/unicode.h"

namespace vitrine::engine {

namespace {

constexpr uint32_t kNone = ~uint32_t{0};

/// The last character of a text; an ill-formed byte as itself.
uint32_t lastChar(std::string_view text) {
    size_t begin = text.size() - 1;
    while (begin > 0 && text.size() - begin < 4 &&
           (static_cast<uint8_t>(text[begin]) & 0xC0) == 0x80)
        --begin;
    const CodePoint c = decodeUtf8(text, begin);
    if (c.isValid && begin + c.nBytes == text.size()) return c.value;
    return static_cast<uint8_t>(text.back());
}

uint32_t firstChar(std::string_view text) {
    const CodePoint c = decodeUtf8(text, 0);
    return c.isValid ? c.value : static_cast<uint8_t>(text.front());
}

}  // namespace

/// Over bytes exact; over characters different pairs may share a bit, which only makes longer
/// stretches.
size_t BpeModel::joinOf(uint32_t left, uint32_t right) const noexcept {
    if (options_.overBytes) return size_t{left} * 256 + right;
    const uint64_t h =
        (uint64_t{left} * 0x9E3779B97F4A7C15u) ^ (uint64_t{right} * 0xC2B2AE3D27D4EB4Fu);
    return static_cast<size_t>(h >> 40) & (kJoinBits - 1);
}

uint32_t BpeModel::symbolFor(std::string text) {
    if (const auto it = symbolOf_.find(text); it != symbolOf_.end()) return it->second;
    const auto symbol = static_cast<uint32_t>(texts_.size());
    symbolOf_.emplace(texts_.emplace_back(std::move(text)), symbol);
    return symbol;
}

void BpeModel::addMerges(const std::vector<Merge>& merges) {
    merges_ = MergeTable(merges.size());
    const auto read = [this](std::string_view text) -> std::optional<std::string> {
        if (text.empty()) return std::nullopt;
        return options_.overBytes ? bytesOfAlphabet(text) : std::string(text);
    };
    for (size_t rank = 0; rank < merges.size(); ++rank) {
        auto left = read(merges[rank].first), right = read(merges[rank].second);
        if (!left || !right) continue;  // no text has such characters
        joins_.set(options_.overBytes ? joinOf(static_cast<uint8_t>(left->back()),
                                               static_cast<uint8_t>(right->front()))
                                      : joinOf(lastChar(*left), firstChar(*right)));
        const uint32_t result = symbolFor(*left + *right);
        merges_.add(symbolFor(*std::move(left)), symbolFor(*std::move(right)),
                    {static_cast<uint32_t>(rank), result});
    }
}

std::unique_ptr<BpeModel> BpeModel::make(const Vocab& vocab, const std::vector<std::string>& texts,
                                         const std::vector<Merge>& merges,
                                         const BpeOptions& options) {
    std::unique_ptr<BpeModel> model(new BpeModel(options));
    model->nTokens_ = static_cast<uint32_t>(vocab.size());
    model->symbolOf_.reserve(texts.size() + 256);
    model->symbolOfByte_.fill(kNone);
    for (size_t i = 0; i < texts.size(); ++i) {
        const TokenId id(static_cast<int32_t>(i));
        model->texts_.push_back(texts[i]);
        const bool isByte = !options.overBytes && vocab.types[i] == TokenType::Byte;
        if (isByte && texts[i].size() == 1)
            model->symbolOfByte_[static_cast<uint8_t>(texts[i][0])] = static_cast<uint32_t>(i);
        // Control tokens stay out, so that no text can merge into one.
        if (!vocab.isControl(id) && !isByte && !texts[i].empty())
            model->symbolOf_.emplace(model->texts_.back(), static_cast<uint32_t>(i));
    }
    if (options.overBytes) {
        for (size_t b = 0; b < 256; ++b)
            model->symbolOfByte_[b] = model->symbolFor(std::string(1, static_cast<char>(b)));
    } else if (!options.byteFallback ||
               std::count(model->symbolOfByte_.begin(), model->symbolOfByte_.end(), kNone) == 256) {
        model->symbolOfByte_.fill(kNone);
    }
    model->addMerges(merges);
    if (options.overBytes) return model;
    model->symbolOfAscii_.fill(kNone);
    for (uint32_t symbol = 0; symbol < model->texts_.size(); ++symbol) {
        const std::string& text = model->texts_[symbol];
        if (text.empty() || text.size() > 4) continue;
        const CodePoint c = decodeUtf8(text, 0);
        const auto it = model->symbolOf_.find(text);
        if (!c.isValid || c.nBytes != text.size() || it == model->symbolOf_.end()) continue;
        if (c.value < 128)
            model->symbolOfAscii_[c.value] = it->second;
        else
            model->symbolOfChar_.emplace(c.value, it->second);
    }
    return model;
}

/// Appends what stands at pos and moves past it: a byte, a character, or a character's bytes.
void BpeModel::nextSymbol(std::string_view piece, size_t& pos,
                          std::vector<BpeMerger::Symbol>& out) const {
    const auto begin = static_cast<uint32_t>(pos);
    const auto byte = static_cast<uint8_t>(piece[pos]);
    if (options_.overBytes) {
        out.push_back({symbolOfByte_[byte], begin, begin + 1});
        ++pos;
        return;
    }
    const CodePoint c = decodeUtf8(piece, pos);
    const auto end = static_cast<uint32_t>(pos + c.nBytes);
    pos = end;
    uint32_t symbol = kNone;
    if (c.isValid && c.value < 128) {
        symbol = symbolOfAscii_[c.value];
    } else if (c.isValid) {
        const auto it = symbolOfChar_.find(c.value);
        if (it != symbolOfChar_.end()) symbol = it->second;
    }
    const auto hasByte = [&](char b) { return symbolOfByte_[static_cast<uint8_t>(b)] != kNone; };
    const std::string_view bytes = piece.substr(begin, c.nBytes);
    if (symbol == kNone && std::all_of(bytes.begin(), bytes.end(), hasByte)) {
        for (uint32_t i = begin; i < end; ++i)
            out.push_back({symbolOfByte_[static_cast<uint8_t>(piece[i])], i, i + 1});
        return;
    }
    // A symbol that no merge knows, for the unknown token.
    out.push_back({symbol, begin, end});
}

void BpeModel::emitUnknown(size_t begin, std::vector<PlacedToken>& out) const {
    if (!options_.unknown.isValid()) return;
    if (options_.fusesUnknown && !out.empty() && out.back().id == options_.unknown && begin > 0)
        return;
    out.push_back({options_.unknown, begin});
}

void BpeModel::emit(std::string_view piece, size_t base, const BpeMerger::Symbol& symbol,
                    std::vector<PlacedToken>& out) const {
    if (symbol.symbol < nTokens_) {
        out.push_back({TokenId(static_cast<int32_t>(symbol.symbol)), base + symbol.begin});
        return;
    }
    if (!options_.overBytes || symbol.end - symbol.begin == 1) {
        emitUnknown(base + symbol.begin, out);
        return;
    }
    // Merged to something that is not in the vocabulary: its bytes, those that have a token.
    for (size_t i = symbol.begin; i < symbol.end; ++i) {
        const uint32_t byte = symbolOfByte_[static_cast<uint8_t>(piece[i])];
        if (byte < nTokens_)
            out.push_back({TokenId(static_cast<int32_t>(byte)), base + i});
        else
            emitUnknown(base + i, out);
    }
}

void BpeModel::encode(std::string_view piece, EncodeWork& work,
                      std::vector<PlacedToken>& out) const {
    if (options_.ignoresMerges) {
        const auto it = symbolOf_.find(piece);
        if (it != symbolOf_.end() && it->second < nTokens_) {
            out.push_back({TokenId(static_cast<int32_t>(it->second)), 0});
            return;
        }
    }
    const auto join = [&](size_t pos) {
        if (options_.overBytes)
            return joinOf(static_cast<uint8_t>(piece[pos - 1]), static_cast<uint8_t>(piece[pos]));
        return joinOf(lastChar(piece.substr(0, pos)), firstChar(piece.substr(pos)));
    };
    size_t pos = 0;
    for (size_t from = 0; from < piece.size(); from = pos) {
        work.symbols.clear();
        const std::string_view rest = piece.substr(from, BpeMerger::kMaxSymbols);
        size_t at = 0;
        do {
            nextSymbol(rest, at, work.symbols);
        } while (at < rest.size() && joins_[join(from + at)]);
        pos = from + at;
        work.merger.merge(work.symbols, merges_);
        for (const BpeMerger::Symbol& symbol : work.symbols) emit(rest, from, symbol, out);
    }
}

}  // namespace vitrine::engine
