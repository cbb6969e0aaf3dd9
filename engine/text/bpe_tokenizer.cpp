#include "engine/text/bpe_tokenizer.h"

#include <array>
#include <bitset>
#include <deque>
#include <optional>
#include <unordered_map>
#include <utility>

#include "engine/io/model_file.h"
#include "engine/text/bpe_merger.h"
#include "engine/text/pretokenizer.h"
#include "engine/text/special_tokens.h"
#include "engine/text/unicode.h"
#include "engine/text/vocab.h"

namespace vitrine::engine {

namespace {

/// GPT-2 writes bytes as printable characters: those that print stand for themselves, the others
/// follow from U+0100 on. Source: openai/gpt-2, encoder.py, bytes_to_unicode.
struct ByteAlphabet {
    std::array<int16_t, 0x144> byteOf{};

    constexpr ByteAlphabet() {
        for (int16_t& b : byteOf) b = -1;
        size_t next = 0x100;
        for (int b = 0; b < 256; ++b) {
            const bool prints =
                (b >= 0x21 && b <= 0x7E) || (b >= 0xA1 && b <= 0xAC) || (b >= 0xAE && b <= 0xFF);
            byteOf[prints ? static_cast<size_t>(b) : next++] = static_cast<int16_t>(b);
        }
    }
};

constexpr ByteAlphabet kAlphabet;

/// nullopt when a character stands for no byte.
std::optional<std::string> bytesOf(std::string_view text) {
    std::string bytes;
    bytes.reserve(text.size());
    for (size_t pos = 0; pos < text.size();) {
        const CodePoint c = decodeUtf8(text, pos);
        if (!c.isValid || c.value >= kAlphabet.byteOf.size() || kAlphabet.byteOf[c.value] < 0)
            return std::nullopt;
        bytes += static_cast<char>(kAlphabet.byteOf[c.value]);
        pos += c.nBytes;
    }
    return bytes;
}

/// What the arrays of a file come to: symbols below the vocabulary's size are its tokens, those
/// above are byte strings that only merges know.
struct BpeModel {
    std::vector<std::string> bytes;  ///< [vocab] what a token decodes to
    std::array<uint32_t, 256> symbolOfByte{};
    std::unordered_map<std::string_view, uint32_t> symbolOf;  ///< views into bytes and extra
    std::deque<std::string> extra;
    MergeTable merges{0};
    /// [a * 256 + b]: some merge joins a left part that ends in byte a and a right part that begins
    /// with byte b. Where none does, a piece can be cut without changing the result.
    std::bitset<65536> joins;

    bool mayJoin(char a, char b) const {
        return joins[static_cast<size_t>(static_cast<uint8_t>(a)) * 256 + static_cast<uint8_t>(b)];
    }
};

uint32_t symbolFor(BpeModel& model, std::string text) {
    if (const auto it = model.symbolOf.find(text); it != model.symbolOf.end()) return it->second;
    const auto symbol = static_cast<uint32_t>(model.bytes.size() + model.extra.size());
    model.symbolOf.emplace(model.extra.emplace_back(std::move(text)), symbol);
    return symbol;
}

Result<std::unique_ptr<BpeModel>> buildModel(const Vocab& vocab,
                                             const std::vector<std::string>& merges) {
    auto model = std::make_unique<BpeModel>();
    model->bytes.reserve(vocab.tokens.size());
    model->symbolOf.reserve(vocab.tokens.size() + 256);
    for (size_t i = 0; i < vocab.tokens.size(); ++i) {
        const bool isText =
            vocab.types[i] == TokenType::Normal || vocab.types[i] == TokenType::Unused;
        auto bytes = isText ? bytesOf(vocab.tokens[i]) : std::nullopt;
        model->bytes.push_back(bytes ? *std::move(bytes) : vocab.tokens[i]);
        // Control tokens stay out, so that no text can merge into one.
        if (!vocab.isControl(TokenId(static_cast<int32_t>(i))))
            model->symbolOf.emplace(model->bytes.back(), static_cast<uint32_t>(i));
    }
    for (size_t b = 0; b < 256; ++b)
        model->symbolOfByte[b] = symbolFor(*model, std::string(1, static_cast<char>(b)));

    model->merges = MergeTable(merges.size());
    for (size_t rank = 0; rank < merges.size(); ++rank) {
        const std::string_view merge = merges[rank];
        const size_t space = merge.find(' ', 1);
        if (space == std::string_view::npos || space + 1 == merge.size())
            return makeError(Errc::Format, "The model file's vocabulary is damaged: merge " +
                                               std::to_string(rank) +
                                               " of tokenizer.ggml.merges is not a pair; download "
                                               "or convert the model again.");
        auto left = bytesOf(merge.substr(0, space));
        auto right = bytesOf(merge.substr(space + 1));
        if (!left || !right) continue;  // no text has such characters
        model->joins.set(static_cast<size_t>(static_cast<uint8_t>(left->back())) * 256 +
                         static_cast<uint8_t>(right->front()));
        const uint32_t result = symbolFor(*model, *left + *right);
        model->merges.add(symbolFor(*model, *std::move(left)), symbolFor(*model, *std::move(right)),
                          {static_cast<uint32_t>(rank), result});
    }
    return model;
}

class BpeTokenizer final : public VocabTokenizer {
public:
    BpeTokenizer(Vocab vocab, std::unique_ptr<BpeModel> model, PreTokenizer pre, std::string name)
        : VocabTokenizer(std::move(vocab)),
          model_(std::move(model)),
          pre_(pre),
          name_(std::move(name)),
          specials_(vocab_, true) {}

    std::string kind() const override { return "byte-level BPE (" + name_ + ")"; }

    std::vector<EncodedToken> encodeRuns(std::span<const TextRun> runs) const override;

    std::string piece(TokenId id, bool /*isFirst*/) const override {
        return vocab_.contains(id) ? model_->bytes[static_cast<size_t>(id.value)] : std::string();
    }

private:
    struct Placed {
        TokenId id;
        size_t begin = 0;  ///< byte of the piece
    };

    void encodePiece(std::string_view piece, BpeMerger& merger, std::vector<Placed>& out) const;

    std::unique_ptr<BpeModel> model_;
    PreTokenizer pre_;
    std::string name_;
    SpecialTokens specials_;
};

void BpeTokenizer::encodePiece(std::string_view piece, BpeMerger& merger,
                               std::vector<Placed>& out) const {
    const auto nTokens = static_cast<uint32_t>(model_->bytes.size());
    if (pre_ == PreTokenizer::LlamaBpe) {
        // Words that no merge reaches are in this vocabulary too (`ignore_merges`).
        const auto it = model_->symbolOf.find(piece);
        if (it != model_->symbolOf.end() && it->second < nTokens) {
            out.push_back({TokenId(static_cast<int32_t>(it->second)), 0});
            return;
        }
    }
    std::vector<BpeMerger::Symbol> symbols;
    size_t to = 0;
    for (size_t from = 0; from < piece.size(); from = to) {
        to = from + 1;
        while (to < piece.size() && to - from < BpeMerger::kMaxPieceBytes &&
               model_->mayJoin(piece[to - 1], piece[to]))
            ++to;
        symbols.clear();
        merger.merge(piece.substr(from, to - from), model_->symbolOfByte.data(), model_->merges,
                     symbols);
        for (const BpeMerger::Symbol& s : symbols) {
            if (s.symbol < nTokens) {
                out.push_back({TokenId(static_cast<int32_t>(s.symbol)), from + s.begin});
                continue;
            }
            // Merged to something that is not in the vocabulary: its bytes, those that have a
            // token.
            for (size_t i = from + s.begin; i < from + s.end; ++i) {
                const uint32_t byte = model_->symbolOfByte[static_cast<uint8_t>(piece[i])];
                if (byte < nTokens) out.push_back({TokenId(static_cast<int32_t>(byte)), i});
            }
        }
    }
}

std::vector<EncodedToken> BpeTokenizer::encodeRuns(std::span<const TextRun> runs) const {
    // Texts repeat their words; longer pieces rarely come twice.
    constexpr size_t kMaxCachedBytes = 32;
    std::unordered_map<std::string_view, std::pair<size_t, size_t>> cache;  // range of `placed`
    std::vector<Placed> placed;
    std::vector<std::string_view> pieces;
    std::vector<EncodedToken> tokens;
    BpeMerger merger;
    JoinedText joined(runs);

    for (const Fragment& fragment : specials_.cut(joined.text, joined.parses)) {
        if (fragment.special.isValid()) {
            tokens.push_back({fragment.special, joined.runAt(fragment.begin)});
            continue;
        }
        pieces.clear();
        splitPieces(pre_, joined.text.substr(fragment.begin, fragment.end - fragment.begin),
                    pieces);
        for (const std::string_view piece : pieces) {
            std::pair<size_t, size_t> range;
            const auto it = piece.size() <= kMaxCachedBytes ? cache.find(piece) : cache.end();
            if (it != cache.end()) {
                range = it->second;
            } else {
                range.first = placed.size();
                encodePiece(piece, merger, placed);
                range.second = placed.size();
                if (piece.size() <= kMaxCachedBytes) cache.emplace(piece, range);
            }
            const auto base = static_cast<size_t>(piece.data() - joined.text.data());
            for (size_t k = range.first; k < range.second; ++k)
                tokens.push_back({placed[k].id, joined.runAt(base + placed[k].begin)});
        }
    }
    return tokens;
}

}  // namespace

Result<std::unique_ptr<Tokenizer>> makeBpeTokenizer(const ModelFile& file) {
    const std::string* name = file.string("tokenizer.ggml.pre");
    if (name == nullptr)
        return makeError(Errc::Unsupported,
                         "The model file does not say how its text is split (tokenizer.ggml.pre is "
                         "missing); convert the model again with a current converter.");
    const auto pre = preTokenizerByName(*name);
    if (!pre)
        return makeError(Errc::Unsupported, "The pre-tokenizer \"" + *name +
                                                "\" is not known; choose a model with smollm, "
                                                "gpt-2, llama-bpe or qwen2.");
    auto vocab = readVocab(file, *pre == PreTokenizer::LlamaBpe);
    if (!vocab) return std::move(vocab).error();
    const auto* merges = file.strings("tokenizer.ggml.merges");
    if (merges == nullptr)
        return makeError(Errc::Format,
                         "The model file's vocabulary is damaged: tokenizer.ggml.merges is missing "
                         "or not an array of texts; download or convert the model again.");
    auto model = buildModel(vocab.value(), *merges);
    if (!model) return std::move(model).error();
    return std::unique_ptr<Tokenizer>(std::make_unique<BpeTokenizer>(
        std::move(vocab).value(), std::move(model).value(), *pre, *name));
}

}  // namespace vitrine::engine
