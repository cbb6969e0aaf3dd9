#pragma once
// A tokenizer made of parts: tokens that are cut out, a normaliser, a pre-tokenizer, a model for
// the pieces, and what tokens decode to. Thread: immutable after it is made, any thread.

#include <memory>
#include <string>
#include <vector>

#include "engine/text/normalizer.h"
#include "engine/text/piece_encoder.h"
#include "engine/text/pretokenizer.h"
#include "engine/text/special_tokens.h"
#include "engine/text/vocab.h"

namespace vitrine::engine {

struct TokenizerParts {
    std::string name;        ///< added to the model's in kind(); may be empty
    SpecialTokens specials;  ///< looked for in the text as it is
    Normalizer normalizer;
    SpecialTokens normalizedSpecials;  ///< looked for in the normalised text
    PreTokenizer pre;
    std::unique_ptr<PieceEncoder> model;
    std::vector<std::string> texts;       ///< [vocab] what a token decodes to
    std::vector<std::string> firstTexts;  ///< [vocab] the same at the beginning, or empty: no
                                          ///< difference
};

std::unique_ptr<Tokenizer> makePipelineTokenizer(Vocab vocab, TokenizerParts parts);

}  // namespace vitrine::engine
