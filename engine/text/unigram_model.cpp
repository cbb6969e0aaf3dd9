#include "engine/text/unigram_model.h"

#include <algorithm>
#include <limits>

#include "engine/text/unicode.h"

namespace vitrine::engine {

namespace {

constexpr uint32_t kNone = ~uint32_t{0};

/// Below the least score of the vocabulary. Source: sentencepiece, src/unigram_model.cc
/// (kUnkPenalty).
constexpr double kUnknownPenalty = 10;

}  // namespace

std::unique_ptr<UnigramModel> UnigramModel::make(const Vocab& vocab,
                                                 const std::vector<std::string>& texts,
                                                 const std::vector<double>& scores, TokenId unknown,
                                                 bool byteFallback) {
    std::unique_ptr<UnigramModel> model(new UnigramModel());
    model->scores_ = scores;
    model->unknown_ = unknown;
    std::vector<uint32_t> order;
    for (uint32_t i = 0; i < texts.size(); ++i) {
        const TokenId id(static_cast<int32_t>(i));
        if (vocab.types[i] == TokenType::Byte && texts[i].size() == 1)
            model->bytes_[static_cast<uint8_t>(texts[i][0])] = id;
        else if (!vocab.isControl(id) && !texts[i].empty())
            order.push_back(i);
    }
    const auto isMissing = [](TokenId id) { return !id.isValid(); };
    model->byteFallback_ =
        byteFallback && std::none_of(model->bytes_.begin(), model->bytes_.end(), isMissing);
    const auto least = std::min_element(scores.begin(), scores.end());
    model->unknownScore_ = (least == scores.end() ? 0 : *least) - kUnknownPenalty;

    // In order of the texts, so that each shares its path with the one before. An edge is written
    // when its subtree begins, with its token: the shortest text of the subtree comes first.
    std::stable_sort(order.begin(), order.end(),
                     [&](uint32_t a, uint32_t b) { return texts[a] < texts[b]; });
    size_t nEdges = 0;
    std::string_view before;
    const auto common = [&](std::string_view text) {
        size_t n = 0;
        while (n < before.size() && n < text.size() && before[n] == text[n]) ++n;
        return n;
    };
    for (const uint32_t i : order) {
        nEdges += texts[i].size() - common(texts[i]);
        before = texts[i];
    }
    model->edges_ = MergeTable(nEdges);
    before = {};
    std::vector<uint32_t> path{0};
    uint32_t nNodes = 1;
    for (const uint32_t i : order) {
        const std::string_view text = texts[i];
        const size_t shared = common(text);
        path.resize(shared + 1);
        for (size_t n = shared; n < text.size(); ++n) {
            const uint32_t token = n + 1 == text.size() ? i : kNone;
            model->edges_.add(path[n], static_cast<uint8_t>(text[n]), {nNodes, token});
            path.push_back(nNodes++);
        }
        before = text;
    }
    return model;
}

void UnigramModel::emitUnknown(std::string_view piece, size_t begin, size_t end,
                               std::vector<PlacedToken>& out) const {
    if (byteFallback_) {
        for (size_t i = begin; i < end; ++i)
            out.push_back({bytes_[static_cast<uint8_t>(piece[i])], i});
    } else if (unknown_.isValid()) {
        out.push_back({unknown_, begin});
    }
}

void UnigramModel::encode(std::string_view piece, EncodeWork& work,
                          std::vector<PlacedToken>& out) const {
    const size_t size = piece.size();
    work.scores.assign(size + 1, -std::numeric_limits<double>::infinity());
    work.starts.assign(size + 1, kNone);
    work.ids.assign(size + 1, kNone);
    work.scores[0] = 0;
    for (size_t pos = 0; pos < size;) {
        const size_t character = decodeUtf8(piece, pos).nBytes;
        bool hasSingle = false;
        const auto offer = [&](size_t end, double score, uint32_t id) {
            const double sum = work.scores[pos] + score;
            if (work.starts[end] != kNone && sum <= work.scores[end]) return;
            work.scores[end] = sum;
            work.starts[end] = static_cast<uint32_t>(pos);
            work.ids[end] = id;
        };
        uint32_t node = 0;
        for (size_t end = pos; end < size;) {
            const auto* edge = edges_.find(node, static_cast<uint8_t>(piece[end]));
            if (edge == nullptr) break;
            node = edge->rank;
            ++end;
            if (edge->result == kNone) continue;
            offer(end, scores_[edge->result], edge->result);
            hasSingle = hasSingle || end == pos + character;
        }
        if (!hasSingle) offer(pos + character, unknownScore_, kNone);
        pos += character;
    }
    work.symbols.clear();
    for (size_t end = size; end > 0; end = work.starts[end])
        work.symbols.push_back({work.ids[end], work.starts[end], static_cast<uint32_t>(end)});
    for (auto it = work.symbols.rbegin(); it != work.symbols.rend(); ++it) {
        if (it->symbol != kNone) {
            out.push_back({TokenId(static_cast<int32_t>(it->symbol)), it->begin});
            continue;
        }
        const size_t begin = it->begin;
        while (std::next(it) != work.symbols.rend() && std::next(it)->symbol == kNone) ++it;
        emitUnknown(piece, begin, it->end, out);
    }
}

}  // namespace vitrine::engine
