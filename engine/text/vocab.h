#pragma once
// The part of a tokenizer that every vocabulary kind shares: tokens, their types and the ids with a
// meaning, read from `tokenizer.ggml.*` and checked. Thread: plain values, immutable after reading.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/ids.h"
#include "engine/base/result.h"
#include "engine/text/tokenizer.h"

namespace vitrine::engine {

/// Values as in `tokenizer.ggml.token_type`. Source: ggml docs/gguf.md.
enum class TokenType : uint8_t {
    Normal = 1,
    Unknown = 2,
    Control = 3,
    UserDefined = 4,
    Unused = 5,
    Byte = 6
};

/// What goes around a text where that is more than BOS and EOS.
struct TextFrame {
    std::vector<TokenId> before, after;  ///< inside the vocabulary
};

struct Vocab {
    std::vector<std::string> tokens;  ///< as the file writes them
    std::vector<TokenType> types;     ///< same size
    TokenId bos, eos, unknown;        ///< inside the vocabulary or invalid
    bool addBos = false, addEos = false;
    std::optional<TextFrame> frame;       ///< instead of addBos and addEos
    std::vector<uint8_t> endsGeneration;  ///< [tokens.size()], 1 = the answer ends here

    int32_t size() const { return static_cast<int32_t>(tokens.size()); }

    bool contains(TokenId id) const { return id.value >= 0 && id.value < size(); }

    TokenType type(TokenId id) const { return types[static_cast<size_t>(id.value)]; }

    bool isControl(TokenId id) const {
        return contains(id) && (type(id) == TokenType::Control || type(id) == TokenType::Unknown);
    }

    /// Marks eos and the tokens that are known by name to end a turn. Never fails.
    void markEnds();
};

/// Ids outside the vocabulary are left out. addBosDefault: what an absent add_bos_token means for
/// this kind. Fails: Format (no tokens, arrays of different lengths or of the wrong type).
Result<Vocab> readVocab(const ModelFile& file, bool addBosDefault);

/// What the file's kinds have in common.
class VocabTokenizer : public Tokenizer {
public:
    int32_t vocabSize() const override { return vocab_.size(); }

    std::vector<TokenId> encode(std::string_view text, EncodeOptions options) const override;
    std::string decode(std::span<const TokenId> ids) const override;

    bool isControl(TokenId id) const override { return vocab_.isControl(id); }

    TokenId bos() const override { return vocab_.bos; }

    TokenId eos() const override { return vocab_.eos; }

    bool addsBos() const override {
        if (!vocab_.bos.isValid()) return false;
        if (!vocab_.frame) return vocab_.addBos;
        const auto& before = vocab_.frame->before;
        return std::find(before.begin(), before.end(), vocab_.bos) != before.end();
    }

    bool endsGeneration(TokenId id) const override {
        return vocab_.contains(id) && vocab_.endsGeneration[static_cast<size_t>(id.value)] != 0;
    }

protected:
    explicit VocabTokenizer(Vocab vocab) : vocab_(std::move(vocab)) {}

    Vocab vocab_;
};

}  // namespace vitrine::engine
