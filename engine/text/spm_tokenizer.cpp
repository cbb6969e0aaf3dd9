#include "engine/text/spm_tokenizer.h"

#include <algorithm>
#include <exception>
#include <mutex>
#include <sentencepiece_processor.h>
#include <unordered_set>
#include <utility>

#include "engine/io/model_file.h"
#include "engine/text/special_tokens.h"
#include "engine/text/spm_model.h"
#include "engine/text/vocab.h"

namespace sentencepiece::logging {
// Exported by the library without a header; absent in builds that log through another library.
void SetMinLogLevel(int level) __attribute__((weak));
}  // namespace sentencepiece::logging

namespace vitrine::engine {

namespace {

constexpr std::string_view kSpace = "\xE2\x96\x81";  // U+2581, SentencePiece's visible space

std::string replaceAll(std::string text, std::string_view from, std::string_view to) {
    for (size_t pos = 0; (pos = text.find(from, pos)) != std::string::npos; pos += to.size())
        text.replace(pos, from.size(), to);
    return text;
}

/// Its messages go to stderr; ours carry the reason instead.
void silenceLibrary() {
    static std::once_flag once;
    std::call_once(once, [] {
        if (sentencepiece::logging::SetMinLogLevel != nullptr)
            sentencepiece::logging::SetMinLogLevel(3);
    });
}

/// Tokens that were added to the vocabulary after its training follow its pieces; a piece that is
/// named among them becomes what they say. Source: llama.cpp, convert_hf_to_gguf.py
/// (_create_vocab_sentencepiece).
Result<void> addTokens(const TokenizerConfig& config, Vocab& vocab,
                       std::vector<std::string>& bytes) {
    const size_t nPieces = vocab.tokens.size();
    for (const AddedToken& token : config.added) {
        if (static_cast<uint64_t>(token.id) >= nPieces + 65536)
            return makeError(Errc::Format,
                             "The file tokenizer_config.json adds a token with the "
                             "implausible id " +
                                 std::to_string(token.id) + "; download it again.");
        const auto at = static_cast<size_t>(token.id);
        const TokenType type = token.isSpecial ? TokenType::Control : TokenType::UserDefined;
        if (at < nPieces) {
            if (vocab.tokens[at] == token.text && vocab.types[at] != TokenType::Unknown)
                vocab.types[at] = type;
            continue;
        }
        if (at >= vocab.tokens.size()) {
            vocab.tokens.resize(at + 1);
            vocab.types.resize(at + 1, TokenType::Unused);
            bytes.resize(at + 1);
        }
        vocab.tokens[at] = token.text;
        vocab.types[at] = type;
        bytes[at] = replaceAll(token.text, kSpace, " ");
    }
    return {};
}

/// Control tokens, and the added ones that the library does not know.
SpecialTokens specialsOf(const Vocab& vocab, const std::vector<AddedToken>& added, size_t nPieces) {
    std::vector<SpecialToken> tokens;
    for (size_t i = 0; i < vocab.tokens.size(); ++i) {
        SpecialToken token;
        token.id = TokenId(static_cast<int32_t>(i));
        token.isControl = vocab.isControl(token.id);
        if (!token.isControl && (i < nPieces || vocab.types[i] != TokenType::UserDefined)) continue;
        token.text = vocab.tokens[i];
        const auto it = std::lower_bound(added.begin(), added.end(), static_cast<int64_t>(i),
                                         [](const AddedToken& a, int64_t id) { return a.id < id; });
        if (it != added.end() && it->id == static_cast<int64_t>(i) && it->text == token.text) {
            token.stripsLeft = it->stripsLeft;
            token.stripsRight = it->stripsRight;
            token.isSingleWord = it->isSingleWord;
        }
        tokens.push_back(std::move(token));
    }
    return SpecialTokens(std::move(tokens));
}

class SpmTokenizer final : public VocabTokenizer {
public:
    SpmTokenizer(Vocab vocab, const SpmModel& model, std::vector<std::string> bytes,
                 const std::vector<AddedToken>& added,
                 std::unique_ptr<sentencepiece::SentencePieceProcessor> library)
        : VocabTokenizer(std::move(vocab)),
          bytes_(std::move(bytes)),
          dropsFirstSpace_(model.addDummyPrefix || model.removeExtraWhitespaces),
          modelKind_(model.kind),
          library_(std::move(library)),
          specials_(specialsOf(vocab_, added, model.pieces.size())) {}

    std::string kind() const override {
        switch (modelKind_) {
            case SpmModel::Kind::Unigram: return "SentencePiece unigram";
            case SpmModel::Kind::Bpe: return "SentencePiece BPE";
            case SpmModel::Kind::Word: return "SentencePiece words";
            case SpmModel::Kind::Char: return "SentencePiece characters";
        }
        return "SentencePiece";
    }

    std::vector<EncodedToken> encodeRuns(std::span<const TextRun> runs) const override;

    std::string piece(TokenId id, bool isFirst) const override {
        if (!vocab_.contains(id)) return {};
        const std::string& bytes = bytes_[static_cast<size_t>(id.value)];
        const bool isText = vocab_.type(id) != TokenType::Byte && !vocab_.isControl(id);
        if (isFirst && dropsFirstSpace_ && isText && !bytes.empty() && bytes[0] == ' ')
            return bytes.substr(1);
        return bytes;
    }

private:
    std::vector<std::string> bytes_;  ///< [vocab] what a token decodes to, spaces as spaces
    bool dropsFirstSpace_;
    SpmModel::Kind modelKind_;
    std::unique_ptr<sentencepiece::SentencePieceProcessor> library_;
    SpecialTokens specials_;
};

std::vector<EncodedToken> SpmTokenizer::encodeRuns(std::span<const TextRun> runs) const {
    // The library counts in int and keeps about a hundred bytes per character.
    constexpr size_t kMaxBytes = size_t{64} << 20;
    std::vector<EncodedToken> tokens;
    JoinedText joined(runs);
    for (const Fragment& fragment : specials_.cut(joined.text, joined.parses)) {
        if (fragment.special.isValid()) {
            tokens.push_back({fragment.special, joined.runAt(fragment.begin)});
            continue;
        }
        for (size_t from = fragment.begin; from < fragment.end; from += kMaxBytes) {
            const size_t size = std::min(kMaxBytes, fragment.end - from);
            try {
                const auto encoded =
                    library_->EncodeAsImmutableProto(joined.text.substr(from, size));
                for (size_t i = 0; i < encoded.pieces_size(); ++i) {
                    const auto p = encoded.pieces(static_cast<int>(i));
                    const TokenId id(static_cast<int32_t>(p.id()));
                    if (vocab_.contains(id)) tokens.push_back({id, joined.runAt(from + p.begin())});
                }
            } catch (const std::exception&) {
                // Nothing is better than half a text that looks whole.
                return {};
            }
        }
    }
    return tokens;
}

Result<std::unique_ptr<Tokenizer>> makeFrom(Vocab vocab, const SpmModel& model,
                                            std::vector<std::string> bytes,
                                            const std::vector<AddedToken>& added,
                                            std::string_view serialized) {
    silenceLibrary();
    std::string reason;
    try {
        auto library = std::make_unique<sentencepiece::SentencePieceProcessor>();
        const auto status = library->LoadFromSerializedProto(serialized);
        if (status.ok() && static_cast<size_t>(library->GetPieceSize()) == model.pieces.size())
            return std::unique_ptr<Tokenizer>(std::make_unique<SpmTokenizer>(
                std::move(vocab), model, std::move(bytes), added, std::move(library)));
        reason = status.ok() ? "the number of pieces differs" : status.message();
    } catch (const std::bad_alloc&) {
        throw;
    } catch (const std::exception& e) {
        reason = e.what();
    }
    return makeError(Errc::Format, "The SentencePiece vocabulary cannot be used (" + reason +
                                       "); download the file again.");
}

/// The library refuses empty and repeated pieces, which files hold as padding: such a token gets a
/// text that no input can match, as a control piece.
void makeUnique(std::vector<SpmPiece>& pieces) {
    std::unordered_set<std::string> seen;
    for (size_t i = 0; i < pieces.size(); ++i) {
        SpmPiece& piece = pieces[i];
        if (piece.text.empty() || !seen.insert(piece.text).second ||
            piece.text.find('\0') != std::string::npos) {
            piece.text = "\x01unreachable " + std::to_string(i);
            piece.type = TokenType::Control;
            seen.insert(piece.text);
        }
    }
}

}  // namespace

Result<std::unique_ptr<Tokenizer>> makeSpmTokenizer(const ModelFile& file) {
    auto read = readVocab(file, true);
    if (!read) return std::move(read).error();
    Vocab vocab = std::move(read).value();
    const auto* scores = file.floats("tokenizer.ggml.scores");
    if (scores == nullptr || scores->size() != vocab.tokens.size())
        return makeError(Errc::Format,
                         "The model file's vocabulary is damaged: tokenizer.ggml.scores does not "
                         "hold one number per token; download or convert the model again.");

    SpmModel model;
    model.kind = SpmModel::Kind::Bpe;
    model.addDummyPrefix = file.boolean("tokenizer.ggml.add_space_prefix").value_or(true);
    model.removeExtraWhitespaces = false;
    const auto nBytes = std::count(vocab.types.begin(), vocab.types.end(), TokenType::Byte);
    model.byteFallback = nBytes == 256;
    // The library wants exactly one unknown piece.
    auto unknown = std::find(vocab.types.begin(), vocab.types.end(), TokenType::Unknown);
    if (unknown == vocab.types.end())
        unknown = vocab.types.begin() + (vocab.unknown.isValid() ? vocab.unknown.value : 0);
    const auto unknownId = static_cast<size_t>(unknown - vocab.types.begin());

    std::vector<std::string> bytes;
    bytes.reserve(vocab.tokens.size());
    model.pieces.reserve(vocab.tokens.size());
    for (size_t i = 0; i < vocab.tokens.size(); ++i) {
        SpmPiece piece{vocab.tokens[i], (*scores)[i], vocab.types[i]};
        if (i == unknownId) {
            piece.type = TokenType::Unknown;
        } else if (piece.type == TokenType::Unknown) {
            piece.type = TokenType::Control;
        } else if (piece.type == TokenType::Byte && !model.byteFallback) {
            piece.type = TokenType::Normal;
        } else if (piece.type == TokenType::UserDefined) {
            piece.text = replaceAll(piece.text, " ", kSpace);
        }
        const int byte = vocab.types[i] == TokenType::Byte ? byteOfPiece(vocab.tokens[i]) : -1;
        bytes.push_back(byte >= 0 ? std::string(1, static_cast<char>(byte))
                                  : replaceAll(vocab.tokens[i], kSpace, " "));
        model.pieces.push_back(std::move(piece));
    }
    makeUnique(model.pieces);
    if (auto checked = checkSpmPieces(model.pieces); !checked) return std::move(checked).error();
    return makeFrom(std::move(vocab), model, std::move(bytes), {}, serializeSpmModel(model));
}

Result<std::unique_ptr<Tokenizer>> makeSpmTokenizer(std::string_view modelProto,
                                                    const TokenizerConfig& config) {
    auto parsed = parseSpmModel(modelProto);
    if (!parsed) return std::move(parsed).error();
    const SpmModel& model = parsed.value();
    Vocab vocab;
    std::vector<std::string> bytes;
    for (const SpmPiece& piece : model.pieces) {
        const TokenId id(vocab.size());
        const int byte = piece.type == TokenType::Byte ? byteOfPiece(piece.text) : -1;
        if (piece.type == TokenType::Control && piece.text == model.bosPiece) vocab.bos = id;
        if (piece.type == TokenType::Control && piece.text == model.eosPiece) vocab.eos = id;
        bytes.push_back(byte >= 0                          ? std::string(1, static_cast<char>(byte))
                        : piece.type == TokenType::Unknown ? model.unknownSurface
                                                           : replaceAll(piece.text, kSpace, " "));
        vocab.tokens.push_back(piece.text);
        vocab.types.push_back(piece.type);
    }
    if (auto added = addTokens(config, vocab, bytes); !added) return std::move(added).error();
    vocab.addBos = config.addBos.value_or(true);
    vocab.addEos = config.addEos.value_or(false);
    for (size_t i = 0; i < vocab.tokens.size(); ++i) {
        const TokenId id(static_cast<int32_t>(i));
        if (vocab.tokens[i].empty()) continue;
        if (vocab.tokens[i] == config.bos) vocab.bos = id;
        if (vocab.tokens[i] == config.eos) vocab.eos = id;
    }
    vocab.markEnds();
    config.markEnds(vocab);
    return makeFrom(std::move(vocab), model, std::move(bytes), config.added, modelProto);
}

}  // namespace vitrine::engine
