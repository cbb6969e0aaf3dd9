#pragma once
// Byte-pair encoding over bytes (GPT-2 and what followed) or over characters (converted
// SentencePiece vocabularies, with bytes for characters that are not in them). Thread: immutable
// after it is made, any thread.

#include <array>
#include <bitset>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/base/result.h"
#include "engine/text/piece_encoder.h"
#include "engine/text/vocab.h"

namespace vitrine::engine {

struct BpeOptions {
    bool overBytes = true;       ///< tokens are written in GPT-2's characters
    bool ignoresMerges = false;  ///< a piece that is in the vocabulary is one token
    bool byteFallback = false;   ///< over characters: `<0xXX>` for those without token
    TokenId unknown;             ///< for what has no token; invalid: dropped
    bool fusesUnknown = false;   ///< one unknown token for a run of them
};

/// Symbols below the vocabulary's size are its tokens, those above are texts that only merges know.
class BpeModel final : public PieceEncoder {
public:
    using Merge = std::pair<std::string_view, std::string_view>;

    /// texts: [vocab] the stretch of a piece that each token stands for. Control tokens and those
    /// with an empty text are never made.
    /// Merges are in the order of their rank, in texts as tokens write them. Never fails: merges
    /// of what no text holds are left out.
    static std::unique_ptr<BpeModel> make(const Vocab& vocab, const std::vector<std::string>& texts,
                                          const std::vector<Merge>& merges,
                                          const BpeOptions& options);

    std::string_view name() const override {
        return options_.overBytes ? "byte-level BPE" : "character BPE";
    }

    void encode(std::string_view piece, EncodeWork& work,
                std::vector<PlacedToken>& out) const override;

private:
    explicit BpeModel(const BpeOptions& options) : options_(options), merges_(0) {}

    uint32_t symbolFor(std::string text);
    void addMerges(const std::vector<Merge>& merges);
    size_t joinOf(uint32_t left, uint32_t right) const noexcept;
    void nextSymbol(std::string_view piece, size_t& pos, std::vector<BpeMerger::Symbol>& out) const;
    void emit(std::string_view piece, size_t base, const BpeMerger::Symbol& symbol,
              std::vector<PlacedToken>& out) const;
    void emitUnknown(size_t begin, std::vector<PlacedToken>& out) const;

    static constexpr size_t kJoinBits = size_t{1} << 18;

    BpeOptions options_;
    uint32_t nTokens_ = 0;
    std::deque<std::string> texts_;                            ///< of all symbols
    std::unordered_map<std::string_view, uint32_t> symbolOf_;  ///< views into texts_
    std::array<uint32_t, 256> symbolOfByte_{};  ///< over characters: of `<0xXX>`, or kNone
    std::array<uint32_t, 128> symbolOfAscii_{};
    std::unordered_map<uint32_t, uint32_t> symbolOfChar_;
    MergeTable merges_;
    /// [joinOf(a, b)]: some merge may join a left part that ends in a and a right part that begins
    /// with b. Where none does, a piece can be cut without changing the result.
    std::bitset<kJoinBits> joins_;
};

}  // namespace vitrine::engine
