#include "engine/text/pipeline_tokenizer.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace vitrine::engine {

namespace {

/// Everything that one call of encodeRuns works in.
struct Encoding {
    explicit Encoding(std::span<const TextRun> runs) : joined(runs) {}

    JoinedText joined;
    EncodeWork work;
    PieceBuffer buffer;
    std::vector<PlacedToken> placed;
    /// Texts repeat their words: ranges of `placed` by piece.
    std::unordered_map<std::string, std::pair<size_t, size_t>> cache;
    std::vector<EncodedToken> tokens;
};

class PipelineTokenizer final : public VocabTokenizer {
public:
    PipelineTokenizer(Vocab vocab, TokenizerParts parts)
        : VocabTokenizer(std::move(vocab)), parts_(std::move(parts)) {}

    std::string kind() const override {
        std::string kind(parts_.model->name());
        return parts_.name.empty() ? kind : kind + " (" + parts_.name + ")";
    }

    std::vector<EncodedToken> encodeRuns(std::span<const TextRun> runs) const override;

    std::string piece(TokenId id, bool isFirst) const override {
        if (!vocab_.contains(id)) return {};
        const bool isOther = isFirst && !parts_.firstTexts.empty() && !vocab_.isControl(id);
        return (isOther ? parts_.firstTexts : parts_.texts)[static_cast<size_t>(id.value)];
    }

private:
    void encodeRaw(TextRange range, bool hasRuns, Encoding& e) const;
    template <class OriginOf>
    void encodePlain(std::string_view text, bool isStart, OriginOf originOf, Encoding& e) const;

    TokenizerParts parts_;
};

/// originOf(byte of text) is the byte of the joined text.
template <class OriginOf>
void PipelineTokenizer::encodePlain(std::string_view text, bool isStart, OriginOf originOf,
                                    Encoding& e) const {
    constexpr size_t kMaxCachedBytes = 32, kMaxCached = size_t{1} << 16;
    std::string key;
    size_t pos = 0;
    const auto take = [&](const Piece& piece) {
        std::pair<size_t, size_t> range;
        const bool isShort = piece.text.size() <= kMaxCachedBytes;
        if (isShort) key.assign(piece.text);
        const auto it = isShort ? e.cache.find(key) : e.cache.end();
        if (it != e.cache.end()) {
            range = it->second;
        } else {
            range.first = e.placed.size();
            parts_.model->encode(piece.text, e.work, e.placed);
            range.second = e.placed.size();
            if (isShort && e.cache.size() < kMaxCached) e.cache.emplace(key, range);
        }
        for (size_t k = range.first; k < range.second; ++k) {
            const size_t at = piece.origin + (piece.isExact ? e.placed[k].begin : 0);
            e.tokens.push_back({e.placed[k].id, e.joined.runAt(originOf(at))});
        }
        // What is not remembered need not be kept.
        if (it == e.cache.end() && !isShort) e.placed.resize(range.first);
    };
    while (pos < text.size()) {
        pos = parts_.pre.split(text, pos, isStart, e.buffer);
        for (const Piece& piece : e.buffer.pieces) take(piece);
    }
}

/// Encodes bytes of the joined text that hold no token of `specials`.
void PipelineTokenizer::encodeRaw(TextRange range, bool hasRuns, Encoding& e) const {
    const std::string_view text = e.joined.text.substr(range.begin, range.end - range.begin);
    const auto isExact = [&](size_t at) { return range.begin + at; };
    if (parts_.normalizer.isIdentity() && parts_.normalizedSpecials.isEmpty()) {
        encodePlain(text, range.begin == 0, isExact, e);
        return;
    }
    const NormalizedText normalized = parts_.normalizer.apply(text, hasRuns);
    const std::string_view now = normalized.text;
    const auto originOf = [&](size_t at) {
        if (normalized.origins.empty()) return range.begin;
        return range.begin + normalized.origins[std::min(at, normalized.origins.size() - 1)];
    };
    std::vector<uint8_t> parses;
    if (!e.joined.parses.empty()) {
        parses.reserve(now.size());
        for (size_t i = 0; i < now.size(); ++i) parses.push_back(e.joined.parses[originOf(i)]);
    }
    for (const Fragment& fragment : parts_.normalizedSpecials.cut(now, parses)) {
        if (fragment.special.isValid()) {
            e.tokens.push_back({fragment.special, e.joined.runAt(originOf(fragment.begin))});
            continue;
        }
        const auto origin = [&](size_t at) { return originOf(fragment.begin + at); };
        encodePlain(now.substr(fragment.begin, fragment.end - fragment.begin),
                    range.begin == 0 && fragment.begin == 0, origin, e);
    }
}

std::vector<EncodedToken> PipelineTokenizer::encodeRuns(std::span<const TextRun> runs) const {
    Encoding e(runs);
    e.tokens.reserve(e.joined.text.size() / 2 + 16);
    for (const Fragment& fragment : parts_.specials.cut(e.joined.text, e.joined.parses)) {
        if (fragment.special.isValid())
            e.tokens.push_back({fragment.special, e.joined.runAt(fragment.begin)});
        else
            encodeRaw({fragment.begin, fragment.end}, runs.size() > 1, e);
    }
    return std::move(e.tokens);
}

}  // namespace

std::unique_ptr<Tokenizer> makePipelineTokenizer(Vocab vocab, TokenizerParts parts) {
    return std::make_unique<PipelineTokenizer>(std::move(vocab), std::move(parts));
}

}  // namespace vitrine::engine
