#include "engine/text/pretokenizer.h"

#include <algorithm>
#include <array>
#include <utility>

#include "engine/text/unicode.h"

namespace vitrine::engine {

namespace {

bool isNewline(uint32_t c) {
    return c == '\r' || c == '\n';
}

/// One pass over a text; each match function returns the end of its match at `pos`, or pos for
/// none.
class Scanner {
public:
    explicit Scanner(std::string_view text) : text_(text) {}

    void gpt2(size_t pos, size_t end, std::vector<std::string_view>& pieces) const;
    void llama(size_t maxNumbers, std::vector<std::string_view>& pieces) const;
    void smolLm(std::vector<std::string_view>& pieces) const;

private:
    struct Char {
        uint32_t value = 0;
        CharClass cls = CharClass::Space;  ///< past the end: neither starts nor continues anything
        size_t next = 0;
    };

    Char at(size_t pos, size_t end) const {
        if (pos >= end) return {0, CharClass::Space, pos};
        const CodePoint c = decodeUtf8(text_.substr(0, end), pos);
        return {c.value, c.isValid ? charClass(c.value) : CharClass::Other, pos + c.nBytes};
    }

    size_t run(size_t pos, size_t end, CharClass cls) const {
        while (pos < end) {
            const Char c = at(pos, end);
            if (c.cls != cls) break;
            pos = c.next;
        }
        return pos;
    }

    size_t contraction(size_t pos, size_t end, bool anyCase) const;
    size_t spaces(size_t pos, size_t end, bool keepNewlines) const;

    std::string_view text_;
};

/// 's 't 're 've 'm 'll 'd. Case folding maps U+017F (long s) to s and nothing else to these
/// letters.
size_t Scanner::contraction(size_t pos, size_t end, bool anyCase) const {
    if (text_[pos] != '\'') return pos;
    const auto fold = [anyCase](const Char& c) -> uint32_t {
        if (!anyCase) return c.value;
        if (c.value == 0x17F) return 's';
        return c.value >= 'A' && c.value <= 'Z' ? c.value + 32 : c.value;
    };
    const Char first = at(pos + 1, end);
    const uint32_t a = fold(first);
    if (a == 's' || a == 't' || a == 'm' || a == 'd') return first.next;
    const Char second = at(first.next, end);
    const uint32_t b = fold(second);
    if ((a == 'r' && b == 'e') || (a == 'v' && b == 'e') || (a == 'l' && b == 'l'))
        return second.next;
    return pos;
}

/// `\s*[\r\n]+` where keepNewlines, then `\s+(?!\S)`, then `\s+`: the run of spaces, less its last
/// character where a word follows that may want it.
size_t Scanner::spaces(size_t pos, size_t end, bool keepNewlines) const {
    size_t p = pos, lastStart = pos, afterNewline = pos;
    while (p < end) {
        const Char c = at(p, end);
        if (c.cls != CharClass::Space) break;
        lastStart = p;
        p = c.next;
        if (isNewline(c.value)) afterNewline = p;
    }
    if (keepNewlines && afterNewline > pos) return afterNewline;
    return p < end && lastStart > pos ? lastStart : p;
}

/// `'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+` on [pos, end),
/// whose end counts as the end of the text.
void Scanner::gpt2(size_t pos, size_t end, std::vector<std::string_view>& pieces) const {
    while (pos < end) {
        size_t stop = contraction(pos, end, false);
        if (stop == pos) {
            const size_t word = text_[pos] == ' ' ? pos + 1 : pos;
            const Char c = at(word, end);
            stop = c.cls == CharClass::Space ? spaces(pos, end, false) : run(c.next, end, c.cls);
        }
        pieces.push_back(text_.substr(pos, stop - pos));
        pos = stop;
    }
}

/// `(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,maxNumbers}|
/// ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`
void Scanner::llama(size_t maxNumbers, std::vector<std::string_view>& pieces) const {
    const size_t end = text_.size();
    for (size_t pos = 0; pos < end;) {
        size_t stop = contraction(pos, end, true);
        const Char c = at(pos, end);
        const Char next = at(c.next, end);
        if (stop != pos) {
            // taken
        } else if (c.cls == CharClass::Letter ||
                   (c.cls != CharClass::Number && !isNewline(c.value) &&
                    next.cls == CharClass::Letter)) {
            stop = run(c.next, end, CharClass::Letter);
        } else if (c.cls == CharClass::Number) {
            stop = c.next;
            for (size_t n = 1; n < maxNumbers && at(stop, end).cls == CharClass::Number; ++n)
                stop = at(stop, end).next;
        } else if (c.cls == CharClass::Other || (c.value == ' ' && next.cls == CharClass::Other)) {
            stop = run(c.next, end, CharClass::Other);
            while (stop < end && isNewline(static_cast<uint8_t>(text_[stop]))) ++stop;
        } else {
            stop = spaces(pos, end, true);
        }
        pieces.push_back(text_.substr(pos, stop - pos));
        pos = stop;
    }
}

void Scanner::smolLm(std::vector<std::string_view>& pieces) const {
    size_t begin = 0;
    for (size_t pos = 0; pos < text_.size();) {
        const Char c = at(pos, text_.size());
        if (c.cls == CharClass::Number) {
            gpt2(begin, pos, pieces);
            pieces.push_back(text_.substr(pos, c.next - pos));
            begin = c.next;
        }
        pos = c.next;
    }
    gpt2(begin, text_.size(), pieces);
}

}  // namespace

std::optional<PreTokenizer> preTokenizerByName(std::string_view name) {
    static constexpr std::array<std::pair<std::string_view, PreTokenizer>, 12> kNames{{
        {"gpt-2", PreTokenizer::Gpt2},
        {"phi-2", PreTokenizer::Gpt2},
        {"olmo", PreTokenizer::Gpt2},
        {"smollm", PreTokenizer::SmolLm},
        {"starcoder", PreTokenizer::SmolLm},
        {"refact", PreTokenizer::SmolLm},
        {"llama-bpe", PreTokenizer::LlamaBpe},
        {"llama3", PreTokenizer::LlamaBpe},
        {"llama-v3", PreTokenizer::LlamaBpe},
        {"qwen2", PreTokenizer::Qwen2},
        {"deepseek-r1-qwen", PreTokenizer::Qwen2},
        {"megrez", PreTokenizer::Qwen2},
    }};
    const auto* it = std::find_if(kNames.begin(), kNames.end(),
                                  [&](const auto& entry) { return entry.first == name; });
    if (it == kNames.end()) return std::nullopt;
    return it->second;
}

void splitPieces(PreTokenizer kind, std::string_view text, std::vector<std::string_view>& pieces) {
    const Scanner scanner(text);
    switch (kind) {
        case PreTokenizer::Gpt2: scanner.gpt2(0, text.size(), pieces); return;
        case PreTokenizer::SmolLm: scanner.smolLm(pieces); return;
        case PreTokenizer::LlamaBpe: scanner.llama(3, pieces); return;
        case PreTokenizer::Qwen2: scanner.llama(1, pieces); return;
    }
}

}  // namespace vitrine::engine
