#pragma once
// The most probable cut of a piece into tokens with scores. Thread: immutable after it is made, any
// thread. Source: Kudo 2018 (arXiv:1804.10959); huggingface/tokenizers 0.23, models/unigram.

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "engine/text/piece_encoder.h"
#include "engine/text/vocab.h"

namespace vitrine::engine {

class UnigramModel final : public PieceEncoder {
public:
    /// scores: [vocab]; texts as in BpeModel::make. unknown: inside the vocabulary or invalid.
    /// Never fails.
    static std::unique_ptr<UnigramModel> make(const Vocab& vocab,
                                              const std::vector<std::string>& texts,
                                              const std::vector<double>& scores, TokenId unknown,
                                              bool byteFallback);

    std::string_view name() const override { return "unigram"; }

    /// Linear in the piece's length, times the longest token.
    void encode(std::string_view piece, EncodeWork& work,
                std::vector<PlacedToken>& out) const override;

private:
    UnigramModel() : edges_(0) {}

    void emitUnknown(std::string_view piece, size_t begin, size_t end,
                     std::vector<PlacedToken>& out) const;

    MergeTable edges_;  ///< of a trie: node and byte → rank: node below, result: its token or kNone
    std::vector<double> scores_;
    double unknownScore_ = 0;
    TokenId unknown_;
    std::array<TokenId, 256> bytes_;
    bool byteFallback_ = false;
};

}  // namespace vitrine::engine
