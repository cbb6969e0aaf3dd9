#pragma once
// The sections of a tokenizer.json, each read into the part of a tokenizer that it describes.
// Thread: pure functions, any thread. Source: huggingface/tokenizers 0.23 (serialisation of each).

#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/text/normalizer.h"
#include "engine/text/pretokenizer.h"
#include "engine/text/vocab.h"

namespace vitrine::engine {

/// section: JSON, null or an object. All fail: Format (damaged), Unsupported (a step that is not
/// known, named).
Result<Normalizer> readJsonNormalizer(std::string_view section);
Result<PreTokenizer> readJsonPreTokenizer(std::string_view section);

/// What tokens decode to.
class JsonDecoder {
public:
    static Result<JsonDecoder> read(std::string_view section);

    /// Of a token that is not the first. isAdded: not one of the model's own.
    std::string text(std::string_view token, bool isAdded) const;

    /// Of the first; the same as text() unless differsAtStart().
    std::string firstText(std::string_view token, bool isAdded) const;
    bool differsAtStart() const;

private:
    friend struct JsonDecoderReader;

    struct Replace {
        std::string from, to;
    };

    std::vector<Replace> replaces_;
    bool isByteLevel_ = false, hasByteFallback_ = false, isFused_ = false;
    size_t nStripped_ = 0;  ///< of stripped_, from the start of the whole text
    std::string stripped_ = " ";
    std::string dropped_;  ///< Metaspace: in the first token this is nothing instead of a space
};

/// What the post-processor puts around a text; names are looked up in the section itself.
Result<TextFrame> readJsonFrame(std::string_view section, int32_t vocabSize);

}  // namespace vitrine::engine
