#include "engine/text/jinja/characters.h"
#include "engine/text/jinja/filters.h"
#include "engine/text/unicode.h"

namespace vitrine::engine::jinja {

namespace {

Value indent(Renderer& r, const Value& input, Arguments& arguments) {
    Params p(r, "indent", arguments, {"width", "first", "blank"});
    if (!p.ok()) return {};
    if (input.isUndefined()) return r.failUndefined(input);
    if (!input.isString()) return r.fail("indent wants a string");
    const bool indentsFirst = p.boolean(1, false), indentsBlank = p.boolean(2, false);
    Builder unit(r);
    if (p.isGiven(0) && p[0].isString())
        unit.append(p[0].asText());
    else
        unit.fill(Text(" ", false), p.integer(0, 4));
    const Text by = unit.take();
    Text text = input.asText();
    const bool isSafe = text.isSafe;
    text.append("\n", false);  // the last line counts although nothing follows it
    if (!r.room(text.size())) return {};
    Builder out(r);
    bool isFirst = true;
    for (const Line& line : linesOf(text.bytes())) {
        if (!r.tick()) break;
        if (!isFirst) out.append("\n");
        const bool isBlank = line.from == line.to;
        if (isFirst ? indentsFirst : indentsBlank || !isBlank) out.append(by);
        out.append(text, line.from, line.to);
        isFirst = false;
    }
    Text done = out.take();
    done.isSafe = isSafe;
    return Value::text(std::move(done));
}

Value truncate(Renderer& r, const Value& input, Arguments& arguments) {
    Params p(r, "truncate", arguments, {"length", "killwords", "end", "leeway"});
    const int64_t length = p.integer(0, 255), leeway = p.has(3) ? p.integer(3, 5) : 5;
    const bool kills = p.boolean(1, false);
    const Text end = p.text(2, "...");
    const auto nEnd = static_cast<int64_t>(countCharacters(end.bytes()));
    if (!p.ok()) return {};
    if (length < nEnd || leeway < 0) return r.fail("truncate(): the length is less than the end's");
    const Value n = r.length(input);
    if (r.failed() || n.asInt() - length <= leeway) return input;
    if (!input.isString()) return r.fail("truncate wants a string");
    const Text& text = input.asText();
    size_t to = byteOfCharacter(text.bytes(), static_cast<size_t>(length - nEnd));
    if (!kills) {
        const size_t blank = std::string_view(text.bytes()).substr(0, to).rfind(' ');
        if (blank != std::string_view::npos) to = blank;
    }
    Builder out(r);
    out.append(text, 0, to);
    out.append(end);
    return out.value();
}

/// Breaks one line as Python's textwrap does. Source: Python's documentation of textwrap, and its
/// rule where a hyphenated word may break.
class Wrapper {
public:
    Wrapper(Renderer& renderer, const Text& text, int64_t width, bool breaksLong, bool atHyphens)
        : r_(renderer),
          text_(text),
          width_(width),
          breaksLong_(breaksLong),
          atHyphens_(atHyphens) {}

    /// Byte ranges of the lines that [from, to) becomes.
    std::vector<Span> wrap(size_t from, size_t to) {
        chars_.clear();
        begins_.clear();
        for (size_t pos = from; pos < to && r_.room(16);) {
            const CodePoint c = decodeUtf8(text_.bytes(), pos);
            chars_.push_back(c.value);
            begins_.push_back(pos);
            pos += c.nBytes;
        }
        begins_.push_back(to);
        std::vector<Span> chunks;
        for (size_t pos = 0; pos < chars_.size() && r_.tick() && r_.room(chunks.size() * 16);) {
            const size_t end = chunkEnd(pos);
            chunks.push_back({pos, end});
            pos = end;
        }
        return lines(chunks);
    }

private:
    static bool isBlank(uint32_t c) { return c == ' ' || (c >= 0x09 && c <= 0x0D); }

    uint32_t at(size_t i) const { return i < chars_.size() ? chars_[i] : 0; }

    static bool isLetterLike(uint32_t c) { return isWordCharacter(c) && !isDecimal(c); }

    static bool isPunctuated(uint32_t c) {
        return isWordCharacter(c) ||
               (c < 0x80 && c != 0 &&
                std::string_view("!\"'&.,?").find(static_cast<char>(c)) != std::string_view::npos);
    }

    /// Two or more dashes and then a word, behind a word.
    size_t dashesEnd(size_t i) const {
        if (i == 0 || !isPunctuated(at(i - 1)) || at(i) != '-') return 0;
        size_t end = i;
        while (at(end) == '-') ++end;
        return end - i >= 2 && isWordCharacter(at(end)) ? end : 0;
    }

    size_t chunkEnd(size_t i) const {
        size_t end = i;
        if (isBlank(at(i))) {
            while (end < chars_.size() && isBlank(at(end))) ++end;
            return end;
        }
        if (atHyphens_)
            if (const size_t dashes = dashesEnd(i); dashes != 0) return dashes;
        for (++end; end < chars_.size() && !isBlank(at(end)); ++end) {
            if (!atHyphens_) continue;
            if (at(end) == '-') {
                const bool isBehind =
                    (end >= 2 && isLetterLike(at(end - 1)) && isLetterLike(at(end - 2))) ||
                    (end >= 3 && isPunctuated(at(end - 1)) && at(end - 2) == '-' &&
                     isLetterLike(at(end - 3)));
                const size_t second = at(end + 2) == '-' ? end + 3 : end + 2;
                const bool isBefore = isLetterLike(at(end + 1)) && isLetterLike(at(second));
                if (isBehind && isBefore) return end + 1;
            }
            if (dashesEnd(end) != 0) return end;
        }
        return end;
    }

    bool isBlankChunk(const Span& chunk) const {
        for (size_t i = chunk.from; i < chunk.to; ++i)
            if (!isPythonSpace(chars_[i])) return false;
        return true;
    }

    /// How much of a word that is too long for a line goes on it.
    size_t longWordEnd(const Span& chunk, size_t left) const {
        size_t end = chunk.from + left;
        if (!atHyphens_ || chunk.to - chunk.from <= left) return std::min(end, chunk.to);
        size_t hyphen = end;
        while (hyphen > chunk.from && at(hyphen - 1) != '-') --hyphen;
        if (hyphen <= chunk.from + 1) return end;
        for (size_t i = chunk.from; i + 1 < hyphen; ++i)
            if (at(i) != '-') return hyphen;
        return end;
    }

    std::vector<Span> lines(std::vector<Span> chunks) {
        std::vector<Span> done;
        const auto width = static_cast<size_t>(width_);
        size_t next = 0;
        while (next < chunks.size() && r_.room(done.size() * 16) && r_.tick()) {
            if (!done.empty() && isBlankChunk(chunks[next])) ++next;
            if (next >= chunks.size()) break;
            Span line{chunks[next].from, chunks[next].from};
            Span last = line;
            while (next < chunks.size() && chunks[next].to - line.from <= width) {
                last = chunks[next++];
                line.to = last.to;
            }
            if (next < chunks.size() && chunks[next].to - chunks[next].from > width) {
                if (breaksLong_) {
                    const size_t end = longWordEnd(chunks[next], width - (line.to - line.from));
                    last = {chunks[next].from, end};  // may be nothing: then blanks before it stay
                    line.to = end;
                    chunks[next].from = end;
                    if (chunks[next].from >= chunks[next].to) ++next;
                } else if (line.from == line.to) {
                    last = chunks[next++];
                    line.to = last.to;
                }
            }
            if (line.to > line.from && isBlankChunk(last)) line.to = last.from;
            if (line.to > line.from) done.push_back({begins_[line.from], begins_[line.to]});
        }
        return done;
    }

    Renderer& r_;
    const Text& text_;
    int64_t width_;
    bool breaksLong_, atHyphens_;
    std::vector<uint32_t> chars_;
    std::vector<size_t> begins_;
};

Value wordWrap(Renderer& r, const Value& input, Arguments& arguments) {
    Params p(r, "wordwrap", arguments,
             {"width", "break_long_words", "wrapstring", "break_on_hyphens"});
    const int64_t width = p.integer(0, 79);
    const bool breaksLong = p.boolean(1, true), atHyphens = p.boolean(3, true);
    const Text end = p.has(2) ? p.text(2, "\n") : Text("\n", false);
    if (!p.ok()) return {};
    if (input.isUndefined()) return r.failUndefined(input);
    if (!input.isString()) return r.fail("wordwrap wants a string");
    const Text& text = input.asText();
    if (!r.room(text.size() * 16)) return {};
    Builder out(r);
    Wrapper wrapper(r, text, width, breaksLong, atHyphens);
    bool isFirst = true;
    for (const Line& line : linesOf(text.bytes())) {
        if (width <= 0) return r.fail("invalid width (must be > 0)");
        if (!isFirst) out.append(end);
        isFirst = false;
        bool isFirstPart = true;
        for (const Span& part : wrapper.wrap(line.from, line.to)) {
            if (!isFirstPart) out.append(end);
            isFirstPart = false;
            out.append(text, part.from, part.to);
        }
        if (!r.tick()) break;
    }
    return out.value();
}

constexpr Filter kFilters[] = {{"indent", indent}, {"truncate", truncate}, {"wordwrap", wordWrap}};

}  // namespace

std::span<const Filter> layoutFilters() noexcept {
    return kFilters;
}

}  // namespace vitrine::engine::jinja
