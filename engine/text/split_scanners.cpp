#include "engine/text/split_scanners.h"

#include <algorithm>
#include <utf8proc.h>

#include "engine/text/unicode.h"

namespace vitrine::engine {

namespace {

constexpr SplitScanner kGpt2{SplitScanner::Family::Gpt2, 0, true, false};
constexpr SplitScanner kGpt2Bare{SplitScanner::Family::Gpt2, 0, false, false};
constexpr SplitScanner kLlama{SplitScanner::Family::Llama, 3, true, false};
constexpr SplitScanner kQwen2{SplitScanner::Family::Llama, 1, true, false};
constexpr SplitScanner kQwen2Bare{SplitScanner::Family::Llama, 1, false, false};
constexpr SplitScanner kQwen35{SplitScanner::Family::Llama, 1, true, true};
constexpr SplitScanner kO200k{SplitScanner::Family::CaseWords, 3, true, false};
constexpr SplitScanner kTekken{SplitScanner::Family::CaseWords, 1, false, false};

bool isNewline(uint32_t c) {
    return c == '\r' || c == '\n';
}

bool isMark(uint32_t c) {
    if (c < 0x300) return false;
    const auto category = utf8proc_category(static_cast<utf8proc_int32_t>(c));
    return category == UTF8PROC_CATEGORY_MN || category == UTF8PROC_CATEGORY_MC ||
           category == UTF8PROC_CATEGORY_ME;
}

/// What a character may be in a word of CaseWords.
struct CaseClass {
    bool isUpper = false;  ///< \p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}
    bool isLower = false;  ///< \p{Ll}\p{Lm}\p{Lo}\p{M}
};

CaseClass caseClass(uint32_t c) {
    if (c < 0x80) return {c >= 'A' && c <= 'Z', c >= 'a' && c <= 'z'};
    switch (utf8proc_category(static_cast<utf8proc_int32_t>(c))) {
        case UTF8PROC_CATEGORY_LU:
        case UTF8PROC_CATEGORY_LT: return {true, false};
        case UTF8PROC_CATEGORY_LL: return {false, true};
        case UTF8PROC_CATEGORY_LM:
        case UTF8PROC_CATEGORY_LO:
        case UTF8PROC_CATEGORY_MN:
        case UTF8PROC_CATEGORY_MC:
        case UTF8PROC_CATEGORY_ME: return {true, true};
        default: return {};
    }
}

/// One pass over a text; each match function returns the end of its match at `pos`, or pos for
/// none.
class Scanner {
public:
    Scanner(std::string_view text, const SplitScanner& rules) : text_(text), rules_(rules) {}

    size_t gpt2(size_t pos) const;
    size_t llama(size_t pos) const;

private:
    struct Char {
        uint32_t value = 0;
        CharClass cls = CharClass::Space;  ///< past the end: neither starts nor continues anything
        size_t next = 0;
    };

    Char at(size_t pos) const {
        if (pos >= text_.size()) return {0, CharClass::Space, pos};
        const auto byte = static_cast<uint8_t>(text_[pos]);
        if (byte < 0x80) return {byte, charClass(byte), pos + 1};
        const CodePoint c = decodeUtf8(text_, pos);
        if (!c.isValid) return {c.value, CharClass::Other, pos + c.nBytes};
        CharClass cls = charClass(c.value);
        if (rules_.marksAreLetters && cls == CharClass::Other && isMark(c.value))
            cls = CharClass::Letter;
        return {c.value, cls, pos + c.nBytes};
    }

    size_t run(size_t pos, CharClass cls) const {
        while (pos < text_.size()) {
            const Char c = at(pos);
            if (c.cls != cls) break;
            pos = c.next;
        }
        return pos;
    }

    bool mayComeBeforeWord(const Char& c) const;
    size_t contraction(size_t pos, bool anyCase) const;
    size_t spaces(size_t pos, bool keepNewlines) const;
    size_t caseWord(size_t pos) const;
    size_t lowerWord(size_t pos) const;
    size_t upperWord(size_t pos) const;

    std::string_view text_;
    const SplitScanner& rules_;
};

/// 's 't 're 've 'm 'll 'd. Case folding maps U+017F (long s) to s and nothing else to these
/// letters.
size_t Scanner::contraction(size_t pos, bool anyCase) const {
    if (!rules_.contractions || pos >= text_.size() || text_[pos] != '\'') return pos;
    const auto fold = [anyCase](const Char& c) -> uint32_t {
        if (!anyCase) return c.value;
        if (c.value == 0x17F) return 's';
        return c.value >= 'A' && c.value <= 'Z' ? c.value + 32 : c.value;
    };
    const Char first = at(pos + 1);
    const uint32_t a = fold(first);
    if (a == 's' || a == 't' || a == 'm' || a == 'd') return first.next;
    const Char second = at(first.next);
    const uint32_t b = fold(second);
    if ((a == 'r' && b == 'e') || (a == 'v' && b == 'e') || (a == 'l' && b == 'l'))
        return second.next;
    return pos;
}

/// `\s*[\r\n]+` where keepNewlines, then `\s+(?!\S)`, then `\s+`: the run of spaces, less its last
/// character where a word follows that may want it.
size_t Scanner::spaces(size_t pos, bool keepNewlines) const {
    size_t p = pos, lastStart = pos, afterNewline = pos;
    while (p < text_.size()) {
        const Char c = at(p);
        if (c.cls != CharClass::Space) break;
        lastStart = p;
        p = c.next;
        if (isNewline(c.value)) afterNewline = p;
    }
    if (keepNewlines && afterNewline > pos) return afterNewline;
    return p < text_.size() && lastStart > pos ? lastStart : p;
}

size_t Scanner::gpt2(size_t pos) const {
    const size_t stop = contraction(pos, false);
    if (stop != pos) return stop;
    const size_t word = text_[pos] == ' ' ? pos + 1 : pos;
    const Char c = at(word);
    return c.cls == CharClass::Space ? spaces(pos, false) : run(c.next, c.cls);
}

/// `[^\r\n\p{L}\p{N}]`; a mark is in it even where marks count as letters.
bool Scanner::mayComeBeforeWord(const Char& c) const {
    if (c.next > text_.size() || isNewline(c.value)) return false;
    return c.cls == CharClass::Other || c.cls == CharClass::Space ||
           (rules_.marksAreLetters && isMark(c.value));
}

/// `[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+` at pos, as backtracking finds it:
/// the capitals give back what the second part needs.
size_t Scanner::lowerWord(size_t pos) const {
    size_t p = pos, lastBoth = pos;
    while (p < text_.size()) {
        const CodePoint c = decodeUtf8(text_, p);
        const CaseClass cls = c.isValid ? caseClass(c.value) : CaseClass{};
        if (!cls.isUpper) break;
        p += c.nBytes;
        if (cls.isLower) lastBoth = p;
    }
    const size_t capitals = p;
    while (p < text_.size()) {
        const CodePoint c = decodeUtf8(text_, p);
        if (!c.isValid || !caseClass(c.value).isLower) break;
        p += c.nBytes;
    }
    return p > capitals ? p : lastBoth;
}

/// `[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*` where lowerWord found nothing: only
/// capitals.
size_t Scanner::upperWord(size_t pos) const {
    while (pos < text_.size()) {
        const CodePoint c = decodeUtf8(text_, pos);
        if (!c.isValid || !caseClass(c.value).isUpper) break;
        pos += c.nBytes;
    }
    return pos;
}

size_t Scanner::caseWord(size_t pos) const {
    const Char c = at(pos);
    const bool hasPrefix = mayComeBeforeWord(c) && c.next > pos;
    size_t stop = pos;
    for (size_t (Scanner::*word)(size_t) const : {&Scanner::lowerWord, &Scanner::upperWord}) {
        if (hasPrefix) {
            stop = (this->*word)(c.next);
            if (stop > c.next) break;
        }
        stop = (this->*word)(pos);
        if (stop > pos) break;
    }
    return stop > pos ? std::max(stop, contraction(stop, true)) : pos;
}

size_t Scanner::llama(size_t pos) const {
    const bool hasCases = rules_.family == SplitScanner::Family::CaseWords;
    size_t stop = hasCases ? caseWord(pos) : contraction(pos, true);
    if (stop != pos) return stop;
    const Char c = at(pos);
    const Char next = at(c.next);
    if (!hasCases && mayComeBeforeWord(c) && next.cls == CharClass::Letter)
        return run(next.next, CharClass::Letter);
    if (!hasCases && c.cls == CharClass::Letter) return run(c.next, CharClass::Letter);
    if (c.cls == CharClass::Number) {
        stop = c.next;
        for (size_t n = 1; n < rules_.maxNumbers && at(stop).cls == CharClass::Number; ++n)
            stop = at(stop).next;
        return stop;
    }
    if (c.cls == CharClass::Other || (c.value == ' ' && next.cls == CharClass::Other)) {
        stop = run(c.next, CharClass::Other);
        while (stop < text_.size() &&
               (isNewline(static_cast<uint8_t>(text_[stop])) || (hasCases && text_[stop] == '/')))
            ++stop;
        return stop;
    }
    return spaces(pos, true);
}

}  // namespace

const std::vector<std::pair<std::string_view, SplitScanner>>& SplitScanner::known() {
    // Source: the tokenizer.json files of gpt2, Llama 3, Qwen2, Qwen3.5, gpt-oss, Mistral NeMo;
    // openai/tiktoken, tiktoken_ext/openai_public.py; llama.cpp 00ad355, src/llama-vocab.cpp.
    static const std::vector<std::pair<std::string_view, SplitScanner>> list{
        {R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)", kGpt2},
        {R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S))", kGpt2},
        {R"('(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)", kGpt2},
        {R"( ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)", kGpt2Bare},
        {R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)",
         kLlama},
        {R"('(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]++[\r\n]*|\s*[\r\n]|\s+(?!\S)|\s+)",
         kLlama},
        {R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)",
         kQwen2},
        {R"('(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]++[\r\n]*|\s*[\r\n]|\s+(?!\S)|\s+)",
         kQwen2},
        {R"([^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)",
         kQwen2Bare},
        {R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+|\p{N}| ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)",
         kQwen35},
        {R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+)",
         kO200k},
        {R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+)",
         kTekken},
    };
    return list;
}

std::optional<SplitScanner> SplitScanner::find(std::string_view expression) {
    for (const auto& [text, scanner] : known())
        if (text == expression) return scanner;
    return std::nullopt;
}

size_t SplitScanner::split(std::string_view text, size_t from, size_t maxBytes,
                           std::vector<std::string_view>& pieces) const {
    const Scanner scanner(text, *this);
    size_t pos = from;
    while (pos < text.size() && pos - from < maxBytes) {
        const size_t stop = family == Family::Gpt2 ? scanner.gpt2(pos) : scanner.llama(pos);
        pieces.push_back(text.substr(pos, stop - pos));
        pos = stop;
    }
    return pos;
}

}  // namespace vitrine::engine
