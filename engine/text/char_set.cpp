#include "engine/text/char_set.h"

#include <algorithm>
#include <utf8proc.h>

#include "engine/text/unicode.h"

namespace vitrine::engine {

namespace {

/// What an ill-formed part counts as.
constexpr uint32_t kIllFormed = 1;

/// In the order of utf8proc's numbers.
constexpr std::string_view kCategories[] = {
    "Cn", "Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Mc", "Me", "Nd", "Nl", "No", "Pc", "Pd", "Ps",
    "Pe", "Pi", "Pf", "Po", "Sm", "Sc", "Sk", "So", "Zs", "Zl", "Zp", "Cc", "Cf", "Cs", "Co"};

/// Reads the small part of the syntax of regular expressions that these patterns need.
class SetParser {
public:
    explicit SetParser(std::string_view text) : rest_(text) {}

    std::string_view rest() const { return rest_; }

    bool take(std::string_view word) {
        if (rest_.substr(0, word.size()) != word) return false;
        rest_.remove_prefix(word.size());
        return true;
    }

    /// `[…]`, `\p{…}` or `\s`; nullopt where something else stands.
    std::optional<CharSet> set() {
        CharSet set;
        if (rest_.empty()) return std::nullopt;
        if (rest_[0] == '\\') {
            const auto single = escape(set);
            if (!single || *single != kWasSet) return std::nullopt;
        } else if (take("[")) {
            if (!bracket(set, 0)) return std::nullopt;
        } else {
            return std::nullopt;
        }
        set.finish();
        return set;
    }

private:
    static constexpr uint32_t kWasSet = ~uint32_t{0};

    std::optional<uint32_t> character() {
        if (rest_.empty()) return std::nullopt;
        const CodePoint c = decodeUtf8(rest_, 0);
        if (!c.isValid) return std::nullopt;
        rest_.remove_prefix(c.nBytes);
        return c.value;
    }

    /// A character, or kWasSet when a whole class was added to `set`.
    std::optional<uint32_t> escape(CharSet& set) {
        take("\\");
        if (rest_.empty()) return std::nullopt;
        const char c = rest_[0];
        rest_.remove_prefix(1);
        switch (c) {
            case 'n': return '\n';
            case 'r': return '\r';
            case 't': return '\t';
            case 's': set.addSpaces(); return kWasSet;
            case 'p': break;
            default:
                if (static_cast<unsigned char>(c) >= 0x80 || (c >= '0' && c <= '9') ||
                    (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'))
                    return std::nullopt;
                return static_cast<uint32_t>(c);
        }
        const size_t close = rest_.find('}');
        if (rest_.empty() || rest_[0] != '{' || close == std::string_view::npos)
            return std::nullopt;
        if (!set.addCategory(rest_.substr(1, close - 1))) return std::nullopt;
        rest_.remove_prefix(close + 1);
        return kWasSet;
    }

    bool bracket(CharSet& set, int depth) {
        if (depth == 0 && take("^")) set.negate();
        for (bool isFirst = true; !rest_.empty(); isFirst = false) {
            if (rest_[0] == ']') {
                rest_.remove_prefix(1);
                return !isFirst;
            }
            // A nested set is a part of the whole; nested complements, named sets and
            // intersections are not needed.
            if (rest_.substr(0, 2) == "&&" || rest_.substr(0, 2) == "[^" ||
                rest_.substr(0, 2) == "[:" || depth > 4)
                return false;
            if (take("[")) {
                if (!bracket(set, depth + 1)) return false;
                continue;
            }
            const auto low = rest_[0] == '\\' ? escape(set) : character();
            if (!low) return false;
            if (*low == kWasSet) continue;
            if (rest_.size() < 2 || rest_[0] != '-' || rest_[1] == ']') {
                set.addRange(*low, *low);
                continue;
            }
            rest_.remove_prefix(1);
            const auto high = rest_[0] == '\\' ? escape(set) : character();
            if (!high || *high == kWasSet || *high < *low) return false;
            set.addRange(*low, *high);
        }
        return false;
    }

    std::string_view rest_;
};

}  // namespace

bool isWhiteSpace(uint32_t c) noexcept {
    return charClass(c) == CharClass::Space;
}

void CharSet::addRange(uint32_t low, uint32_t high) {
    ranges_.emplace_back(low, high);
}

void CharSet::addSpaces() {
    spaces_ = true;
}

bool CharSet::addCategory(std::string_view name) {
    bool isKnown = false;
    for (uint32_t i = 0; i < std::size(kCategories); ++i) {
        if (kCategories[i].substr(0, name.size()) != name || name.empty()) continue;
        categories_ |= 1u << i;
        isKnown = true;
    }
    return isKnown;
}

void CharSet::finish() {
    std::sort(ranges_.begin(), ranges_.end());
    // Disjoint ranges, so that the last one that begins at or before a character decides.
    std::vector<std::pair<uint32_t, uint32_t>> joined;
    for (const auto& range : ranges_) {
        if (!joined.empty() && range.first <= joined.back().second)
            joined.back().second = std::max(joined.back().second, range.second);
        else
            joined.push_back(range);
    }
    ranges_ = std::move(joined);
    for (uint32_t c = 0; c < 128; ++c) ascii_[c] = contains(c);
}

bool CharSet::contains(uint32_t c) const noexcept {
    bool isIn = spaces_ && isWhiteSpace(c);
    if (!isIn && !ranges_.empty()) {
        auto it = std::upper_bound(ranges_.begin(), ranges_.end(), std::pair(c, ~uint32_t{0}));
        isIn = it != ranges_.begin() && c <= std::prev(it)->second;
    }
    if (!isIn && categories_ != 0)
        isIn = ((categories_ >> utf8proc_category(static_cast<utf8proc_int32_t>(c))) & 1) != 0;
    return isIn != isNegated_;
}

std::optional<RunPattern> RunPattern::compile(std::string_view expression) {
    RunPattern pattern;
    SetParser parser(expression);
    if (parser.take("\\s?")) {
        pattern.before_ = Before::AnySpace;
    } else if (parser.take(" ?")) {
        pattern.before_ = Before::Space;
    }
    const std::string_view beforeSet = parser.rest();
    auto set = parser.set();
    if (!set) return std::nullopt;
    pattern.set_ = *std::move(set);
    const std::string_view written = beforeSet.substr(0, beforeSet.size() - parser.rest().size());
    if (parser.take("+")) {
        pattern.max_ = ~size_t{0};
    } else if (parser.take("{1,3}")) {
        pattern.max_ = 3;
    } else {
        while (parser.take(written)) pattern.min_ = ++pattern.max_;
    }
    pattern.atLineEnd_ = parser.take("$");
    if (!parser.rest().empty()) return std::nullopt;
    if (pattern.atLineEnd_ && expression != "\\s+$") return std::nullopt;
    return pattern;
}

/// The end of the match at pos, or pos for none.
size_t RunPattern::matchAt(std::string_view text, size_t pos) const {
    size_t p = pos;
    if (before_ != Before::Nothing) {
        const CodePoint c = decodeUtf8(text, pos);
        const bool isBefore =
            c.isValid && (before_ == Before::Space ? c.value == ' ' : isWhiteSpace(c.value));
        // A space that is in the set too makes no difference: the run then begins with it.
        if (isBefore && !set_.has(c.value)) p += c.nBytes;
    }
    size_t n = 0, lineEnd = pos;
    while (p < text.size() && n < max_) {
        const CodePoint c = decodeUtf8(text, p);
        if (!set_.has(c.isValid ? c.value : kIllFormed)) break;
        if (atLineEnd_ && n > 0 && text[p] == '\n') lineEnd = p;
        p += c.nBytes;
        ++n;
    }
    if (n < min_) return pos;
    return atLineEnd_ && p < text.size() ? lineEnd : p;
}

size_t RunPattern::findAll(std::string_view text, size_t from, size_t maxBytes,
                           std::vector<TextRange>& matches) const {
    size_t pos = from;
    while (pos < text.size()) {
        const size_t end = matchAt(text, pos);
        if (end > pos) {
            matches.push_back({pos, end});
            pos = end;
            // Only behind a match: what lies between two is one piece.
            if (pos - from >= maxBytes) break;
            continue;
        }
        if (atLineEnd_) {
            // No line ends in this run of spaces: none of its other places can match either.
            size_t p = pos;
            while (p < text.size()) {
                const CodePoint c = decodeUtf8(text, p);
                if (!set_.has(c.isValid ? c.value : kIllFormed)) break;
                p += c.nBytes;
            }
            if (p > pos) {
                pos = p;
                continue;
            }
        }
        pos += std::max<uint32_t>(1, decodeUtf8(text, pos).nBytes);
    }
    return pos;
}

}  // namespace vitrine::engine
