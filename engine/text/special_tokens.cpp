#include "engine/text/special_tokens.h"

#include <algorithm>
#include <utf8proc.h>

#include "engine/text/unicode.h"

namespace vitrine::engine {

namespace {

/// A longer "special token" is damage or malice; it would make matching cost its length per byte.
constexpr size_t kMaxSpecialBytes = 512;

size_t spacesBefore(std::string_view text, size_t end) {
    while (end > 0) {
        size_t begin = end - 1;
        while (begin > 0 && end - begin < 4 && (static_cast<uint8_t>(text[begin]) & 0xC0) == 0x80)
            --begin;
        const CodePoint c = decodeUtf8(text.substr(0, end), begin);
        if (!c.isValid || begin + c.nBytes != end || charClass(c.value) != CharClass::Space) break;
        end = begin;
    }
    return end;
}

size_t spacesAfter(std::string_view text, size_t begin) {
    while (begin < text.size()) {
        const CodePoint c = decodeUtf8(text, begin);
        if (!c.isValid || charClass(c.value) != CharClass::Space) break;
        begin += c.nBytes;
    }
    return begin;
}

/// `\w` of Unicode's regular expressions, near enough: letters, marks, numbers, connectors.
bool isWordCharacter(const CodePoint& c) {
    if (!c.isValid) return false;
    switch (utf8proc_category(static_cast<utf8proc_int32_t>(c.value))) {
        case UTF8PROC_CATEGORY_MN:
        case UTF8PROC_CATEGORY_MC:
        case UTF8PROC_CATEGORY_ME:
        case UTF8PROC_CATEGORY_ND:
        case UTF8PROC_CATEGORY_NL:
        case UTF8PROC_CATEGORY_PC: return true;
        case UTF8PROC_CATEGORY_SO:
            return c.value >= 0x24B6 && c.value <= 0x24E9;  // circled letters
        default: break;
    }
    return charClass(c.value) == CharClass::Letter || c.value == 0x200C || c.value == 0x200D;
}

bool standsAlone(std::string_view text, size_t begin, size_t end) {
    if (end < text.size() && isWordCharacter(decodeUtf8(text, end))) return false;
    if (begin == 0) return true;
    size_t before = begin - 1;
    while (before > 0 && begin - before < 4 && (static_cast<uint8_t>(text[before]) & 0xC0) == 0x80)
        --before;
    const CodePoint c = decodeUtf8(text.substr(0, begin), before);
    return !(before + c.nBytes == begin && isWordCharacter(c));
}

std::vector<SpecialToken> specialsOf(const Vocab& vocab, bool withUserDefined) {
    std::vector<SpecialToken> found;
    for (size_t i = 0; i < vocab.tokens.size(); ++i) {
        const TokenId id(static_cast<int32_t>(i));
        const bool isControl = vocab.isControl(id);
        if (!isControl && !(withUserDefined && vocab.types[i] == TokenType::UserDefined)) continue;
        SpecialToken token;
        token.text = vocab.tokens[i];
        token.id = id;
        token.isControl = isControl;
        found.push_back(std::move(token));
    }
    return found;
}

}  // namespace

SpecialTokens::SpecialTokens(const Vocab& vocab, bool withUserDefined)
    : SpecialTokens(specialsOf(vocab, withUserDefined)) {}

SpecialTokens::SpecialTokens(std::vector<SpecialToken> tokens) : entries_(std::move(tokens)) {
    std::erase_if(entries_, [](const SpecialToken& t) {
        return t.text.empty() || t.text.size() > kMaxSpecialBytes;
    });
    for (const SpecialToken& entry : entries_) starts_[static_cast<uint8_t>(entry.text[0])] = true;
    // Of equal texts the first wins, as in a vocabulary where ids are looked up by text.
    std::stable_sort(entries_.begin(), entries_.end(),
                     [](const auto& a, const auto& b) { return a.text < b.text; });
    entries_.erase(std::unique(entries_.begin(), entries_.end(),
                               [](const auto& a, const auto& b) { return a.text == b.text; }),
                   entries_.end());
}

const SpecialToken* SpecialTokens::longestAt(std::string_view text, size_t pos,
                                             std::span<const uint8_t> parses) const {
    const SpecialToken* best = nullptr;
    size_t parsed = 0;  // bytes from pos on in which control tokens count
    auto low = entries_.begin();
    auto high = entries_.end();
    for (size_t n = 0; pos + n < text.size() && low != high; ++n) {
        if (!parses.empty() && parsed == n && parses[pos + n] != 0) ++parsed;
        // Narrows [low, high) to the entries that agree in byte n too; those that end here came
        // first and have been looked at.
        const auto byteOf = [n](const SpecialToken& e) { return static_cast<uint8_t>(e.text[n]); };
        const auto byte = static_cast<uint8_t>(text[pos + n]);
        while (low != high && low->text.size() == n) ++low;
        low = std::partition_point(low, high,
                                   [&](const SpecialToken& e) { return byteOf(e) < byte; });
        high = std::partition_point(low, high,
                                    [&](const SpecialToken& e) { return byteOf(e) == byte; });
        if (low != high && low->text.size() == n + 1 && (!low->isControl || parsed == n + 1))
            best = &*low;
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
        const SpecialToken* match = longestAt(text, pos, parses);
        if (match == nullptr) {
            ++pos;
            continue;
        }
        const size_t matchEnd = pos + match->text.size();
        if (match->isSingleWord && !standsAlone(text, pos, matchEnd)) {
            pos = matchEnd;
            continue;
        }
        const size_t begin = match->stripsLeft ? std::max(plainFrom, spacesBefore(text, pos)) : pos;
        const size_t end = match->stripsRight ? spacesAfter(text, matchEnd) : matchEnd;
        if (begin > plainFrom) fragments.push_back({plainFrom, begin, TokenId()});
        fragments.push_back({begin, end, match->id});
        pos = plainFrom = end;
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
