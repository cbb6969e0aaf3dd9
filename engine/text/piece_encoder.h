#pragma once
// The part of a tokenizer that turns one piece of text into tokens. Thread: immutable after it is
// made, any thread; the work space has one owner.

#include <cstddef>
#include <string_view>
#include <vector>

#include "engine/base/ids.h"
#include "engine/text/bpe_merger.h"

namespace vitrine::engine {

struct PlacedToken {
    TokenId id;
    size_t begin = 0;  ///< byte of the piece
};

struct EncodeWork {
    BpeMerger merger;
    std::vector<BpeMerger::Symbol> symbols;
    std::vector<double> scores;
    std::vector<uint32_t> starts, ids;
};

class PieceEncoder {
public:
    virtual ~PieceEncoder() = default;

    /// For `info`: "byte-level BPE".
    virtual std::string_view name() const = 0;

    /// Appends the tokens of piece in order. Never fails.
    virtual void encode(std::string_view piece, EncodeWork& work,
                        std::vector<PlacedToken>& out) const = 0;
};

}  // namespace vitrine::engine
