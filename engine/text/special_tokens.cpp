#include "engine/text/special_tokens.h"

#include <algorithm>

namespace vitrine::engine {

namespace {

/// A longer "special token" is damage or malice; it would make matching cost its length per byte.
constexpr size_t kMaxSpecialBytes = 512;

}  // namespace

SpecialTokens::SpecialTokens(const Vocab& vocab, bool withUserDefined) {
    for (size_t i = 0; i < vocab.tokens.size(); ++i) {
        const std::string& text = vocab.tokens[i];
        const TokenId id(static_cast<int32_t>(i));
        const bool isControl = vocab.isControl(id);
        const bool isUser = withUserDefined && vocab.types[i] == TokenType::UserDefined;
        if (text.empty() || text.size() > kMaxSpecialBytes || !(isControl || isUser)) continue;
        entries_.push_back({text, id, isControl});
        starts_[static_cast<uint8_t>(text[0])] = true;
    }
    // Of equal texts the lowest id wins, as in a vocabulary where ids are looked up by text.
    std::stable_sort(entries_.begin(), entries_.end(),
                     [](const Entry& a, const Entry& b) { return a.text < b.text; });
    entries_.erase(std::unique(entries_.begin(), entries_.end(),
                               [](const Entry& a, const Entry& b) { return a.text == b.text; }),
                   entries_.end());
}

SpecialTokens::Match SpecialTokens::longestAt(std::string_view text, size_t pos,
                                              std::span<const uint8_t> parses) const {
    Match best;
    size_t parsed = 0;  // bytes from pos on in which control tokens count
    auto low = entries_.begin();
    auto high = entries_.end();
    for (size_t n = 0; pos + n < text.size() && low != high; ++n) {
        if (!parses.empty() && parsed == n && parses[pos + n] != 0) ++parsed;
        // Narrows [low, high) to the entries that agree in byte n too; those that end here came
        // first and have been looked at.
        const auto byteOf = [n](const Entry& e) { return static_cast<uint8_t>(e.text[n]); };
        const auto byte = static_cast<uint8_t>(text[pos + n]);
        while (low != high && low->text.size() == n) ++low;
        low = std::partition_point(low, high, [&](const Entry& e) { return byteOf(e) < byte; });
        high = std::partition_point(low, high, [&](const Entry& e) { return byteOf(e) == byte; });
        if (low != high && low->text.size() == n + 1 && (!low->isControl || parsed == n + 1))
            best = {n + 1, low->id};
    }
    return best;
}

std::vector<Fragment> SpecialTokens::cut(std::string_view text,
                                         std::span<const uint8_t> parses) const {
    std::vector<Fragment> fragments;
    size_t plainFrom = 0;
    for (size_t pos = 0; pos < text.size();) {
        if (!starts_[static_cast<uint8_t>(text[pos])]) {
            ++pos;
            continue;
        }
        const Match match = longestAt(text, pos, parses);
        if (match.length == 0) {
            ++pos;
            continue;
        }
        if (pos > plainFrom) fragments.push_back({plainFrom, pos, TokenId()});
        fragments.push_back({pos, pos + match.length, match.id});
        pos += match.length;
        plainFrom = pos;
    }
    if (text.size() > plainFrom) fragments.push_back({plainFrom, text.size(), TokenId()});
    return fragments;
}

JoinedText::JoinedText(std::span<const TextRun> runs) {
    size_t total = 0;
    bool anyParses = false;
    for (const TextRun& run : runs) {
        total += run.text.size();
        ends_.push_back(total);
        anyParses = anyParses || run.parseSpecial;
    }
    if (runs.size() == 1) {
        text = runs[0].text;
    } else {
        owned_.reserve(total);
        for (const TextRun& run : runs) owned_ += run.text;
        text = owned_;
    }
    if (!anyParses) return;
    parses.reserve(total);
    for (const TextRun& run : runs)
        parses.insert(parses.end(), run.text.size(), run.parseSpecial ? 1 : 0);
}

uint32_t JoinedText::runAt(size_t pos) {
    while (current_ + 1 < ends_.size() && ends_[current_] <= pos) ++current_;
    return current_;
}

}  // namespace vitrine::engine
