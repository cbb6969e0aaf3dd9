#pragma once
// Text ↔ token ids. One interface, one implementation per vocabulary kind (byte-level BPE,
// SentencePiece). Thread: immutable after it is made, any thread.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/ids.h"
#include "engine/base/result.h"

namespace vitrine::engine {

class ModelFile;

struct EncodeOptions {
    bool parseSpecial = false;  ///< control tokens written in the text are recognised (templates:
                                ///< yes; what a user typed: no)
    bool addSpecial = false;    ///< BOS and EOS as the model asks
};

/// A stretch of a text and whether control tokens written in it count.
struct TextRun {
    std::string_view text;
    bool parseSpecial = false;
};

struct EncodedToken {
    TokenId id;
    uint32_t run = 0;  ///< index of the run in which the token begins
};

class Tokenizer {
public:
    virtual ~Tokenizer() = default;

    virtual std::string kind()
        const = 0;  ///< for `info`: "byte-level BPE (smollm)", "SentencePiece BPE"
    virtual int32_t vocabSize() const = 0;

    /// text: any bytes; ill-formed UTF-8 is encoded byte by byte where the vocabulary can
    /// (SentencePiece: as U+FFFD). Linear in the text's length. Never fails on text; bytes for
    /// which the vocabulary has no token are dropped, as the references do.
    virtual std::vector<TokenId> encode(std::string_view text, EncodeOptions options) const = 0;

    /// Encodes runs as the one text that they form together, so that merges cross their borders as
    /// they did in training; a control token counts only where it lies within runs that parse them.
    /// Adds no BOS or EOS. Never fails.
    virtual std::vector<EncodedToken> encodeRuns(std::span<const TextRun> runs) const;

    /// The bytes of a whole sequence, special tokens as their text. An id outside the vocabulary
    /// gives nothing.
    virtual std::string decode(std::span<const TokenId> ids) const = 0;

    /// The bytes that one token adds when it follows others (for streaming; `isFirst`: only control
    /// tokens came before it; there SentencePiece drops the dummy prefix). Concatenating them
    /// equals decode(). Control tokens give their text; callers that hide them ask isControl().
    virtual std::string piece(TokenId id, bool isFirst) const = 0;

    virtual bool isControl(TokenId id) const = 0;  ///< marked control/special in the file
    virtual TokenId bos() const = 0;               ///< invalid when the file names none
    virtual TokenId eos() const = 0;
    virtual bool addsBos() const = 0;

    /// True for every id that ends an answer: eos, eot, eom and the known end-of-turn tokens by
    /// name (<|im_end|>, <|endoftext|>, …).
    virtual bool endsGeneration(TokenId id) const = 0;
};

/// From the file that `tokenizerPath()` names, else from the `tokenizer.ggml.*` keys. Fails: Format
/// (inconsistent arrays), Unsupported (model or pre-tokenizer, named).
Result<std::unique_ptr<Tokenizer>> makeTokenizer(const ModelFile& file);

/// From a tokenizer file, by what is in it: `tokenizer.model` (SentencePiece) or `tokenizer.json`
/// (Hugging Face), with what `tokenizer_config.json` and the like beside it say. Fails: Io, Format,
/// Unsupported.
Result<std::unique_ptr<Tokenizer>> openTokenizer(const std::string& path);

}  // namespace vitrine::engine
