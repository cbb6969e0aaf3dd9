#pragma once
// SentencePiece's model as plain values, and its protobuf form: read with every length checked, and
// written for vocabularies that come from elsewhere. Thread: plain values, pure functions.
// Source: google/sentencepiece v0.1.97, src/sentencepiece_model.proto (field numbers and defaults).

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/text/vocab.h"

namespace vitrine::engine {

struct SpmPiece {
    std::string text;
    float score = 0;
    TokenType type = TokenType::Normal;  ///< the proto's numbers are GGUF's
};

struct SpmModel {
    enum class Kind { Unigram = 1, Bpe = 2, Word = 3, Char = 4 };

    std::vector<SpmPiece> pieces;
    Kind kind = Kind::Unigram;
    bool byteFallback = false;
    bool addDummyPrefix = true;
    bool removeExtraWhitespaces = true;
    std::string unknownSurface = " \xE2\x81\x87 ";
    std::string bosPiece = "<s>", eosPiece = "</s>";
};

/// Reads a serialized ModelProto. What the library would follow unchecked (the normalisation trie,
/// nested user-defined symbols) is checked here, so that the same bytes can be given to it.
/// Fails: Format, Unsupported (spaces as suffix, a denormaliser).
Result<SpmModel> parseSpmModel(std::string_view bytes);

/// The bytes of a ModelProto with the identity normaliser. Never fails.
std::string serializeSpmModel(const SpmModel& model);

/// What parseSpmModel asks of pieces, for models from elsewhere. Fails: Format.
Result<void> checkSpmPieces(const std::vector<SpmPiece>& pieces);

/// The byte that a piece "<0xXX>" stands for, -1 for any other text. Never fails.
int byteOfPiece(std::string_view text);

/// Whether a `precompiled_charsmap` (u32 size, double-array trie, texts) can be searched with any
/// input without leaving it. Never fails.
bool isSafeCharsMap(std::string_view blob);

}  // namespace vitrine::engine
