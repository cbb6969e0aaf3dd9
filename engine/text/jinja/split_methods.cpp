#include <algorithm>

#include "engine/text/jinja/filters.h"
#include "engine/text/unicode.h"

namespace vitrine::engine::jinja {

namespace {

/// Pieces of a text as Python cuts them.
class Splitter {
public:
    Splitter(Renderer& renderer, const Text& text) : r_(renderer), text_(text) {}

    void add(size_t from, size_t to) {
        if (r_.room(sizeof(StringObject) + (to - from)))
            pieces_.push_back(Value::text(text_.sub(from, to)));
    }

    void atBlanks(int64_t maxSplit) {
        const std::string& bytes = text_.bytes();
        size_t pos = strippedSpan(bytes, true, false).from;
        for (; pos < bytes.size() && r_.tick(); --maxSplit) {
            if (maxSplit == 0) return add(pos, bytes.size());
            size_t end = pos;
            while (end < bytes.size() && !isPythonSpace(decodeUtf8(bytes, end).value))
                end += characterSize(bytes[end]);
            add(pos, end);
            pos = end;
            while (pos < bytes.size() && isPythonSpace(decodeUtf8(bytes, pos).value))
                pos += characterSize(bytes[pos]);
        }
    }

    void atBlanksFromRight(int64_t maxSplit) {
        const std::string_view bytes = text_.bytes();
        size_t end = strippedSpan(bytes, false, true).to;
        for (; end > 0 && r_.tick(); --maxSplit) {
            if (maxSplit == 0) {
                add(0, end);
                break;
            }
            size_t begin = end;
            while (begin > 0) {
                size_t before = begin - 1;
                while (before > 0 && (static_cast<uint8_t>(bytes[before]) & 0xC0u) == 0x80u)
                    --before;
                if (isPythonSpace(decodeUtf8(bytes, before).value)) break;
                begin = before;
            }
            add(begin, end);
            end = strippedSpan(bytes.substr(0, begin), false, true).to;
        }
        std::reverse(pieces_.begin(), pieces_.end());
    }

    void atText(const std::string& separator, int64_t maxSplit) {
        size_t pos = 0;
        for (; maxSplit != 0 && r_.tick(); --maxSplit) {
            const size_t at = text_.bytes().find(separator, pos);
            if (at == std::string::npos) break;
            add(pos, at);
            pos = at + separator.size();
        }
        add(pos, text_.size());
    }

    void atTextFromRight(const std::string& separator, int64_t maxSplit) {
        size_t end = text_.size();
        for (; maxSplit != 0 && r_.tick() && end >= separator.size(); --maxSplit) {
            const size_t at = text_.bytes().rfind(separator, end - separator.size());
            if (at == std::string::npos) break;
            add(at + separator.size(), end);
            end = at;
        }
        add(0, end);
        std::reverse(pieces_.begin(), pieces_.end());
    }

    Value list() { return Value::list(std::move(pieces_)); }

private:
    Renderer& r_;
    const Text& text_;
    std::vector<Value> pieces_;
};

template <bool kFromRight>
Value split(Renderer& r, const Value& self, Arguments& arguments) {
    Params p(r, "split", arguments, {"sep", "maxsplit"});
    const int64_t maxSplit = p.integer(1, -1);
    const Text& text = self.asText();
    if (!p.ok() || (p.has(0) && !p.isText(0)) || !r.tick(text.size() / 16)) return {};
    Splitter splitter(r, text);
    if (!p.has(0)) {
        if (kFromRight)
            splitter.atBlanksFromRight(maxSplit);
        else
            splitter.atBlanks(maxSplit);
    } else if (p[0].asText().empty()) {
        return r.fail("empty separator");
    } else if (kFromRight) {
        splitter.atTextFromRight(p[0].asText().bytes(), maxSplit);
    } else {
        splitter.atText(p[0].asText().bytes(), maxSplit);
    }
    return splitter.list();
}

Value splitLines(Renderer& r, const Value& self, Arguments& arguments) {
    Params p(r, "splitlines", arguments, {"keepends"});
    const bool keepsEnds = p.boolean(0, false);
    const Text& text = self.asText();
    if (!p.ok() || !r.room(text.size())) return {};
    Splitter splitter(r, text);
    for (const Line& line : linesOf(text.bytes()))
        splitter.add(line.from, keepsEnds ? line.next : line.to);
    return splitter.list();
}

template <bool kFromRight>
Value partition(Renderer& r, const Value& self, Arguments& arguments) {
    Params p(r, "partition", arguments, {"sep"}, 1);
    if (!p.ok() || !p.isText(0) || !r.tick(self.asText().size() / 16)) return {};
    const Text& text = self.asText();
    const std::string& separator = p[0].asText().bytes();
    if (separator.empty()) return r.fail("empty separator");
    const size_t at = kFromRight ? text.bytes().rfind(separator) : text.bytes().find(separator);
    Text none;
    none.isSafe = text.isSafe;
    const Value empty = Value::text(std::move(none));
    if (at == std::string::npos)
        return kFromRight ? Value::tuple({empty, empty, self}) : Value::tuple({self, empty, empty});
    const size_t behind = at + separator.size();
    return Value::tuple({Value::text(text.sub(0, at)), Value::text(text.sub(at, behind)),
                         Value::text(text.sub(behind, text.size()))});
}

Value expandTabs(Renderer& r, const Value& self, Arguments& arguments) {
    Params p(r, "expandtabs", arguments, {"tabsize"});
    const int64_t size = p.integer(0, 8);
    const Text& text = self.asText();
    if (!p.ok()) return {};
    Builder out(r);
    int64_t column = 0;
    for (size_t pos = 0; pos < text.size() && r.tick();) {
        const char c = text.bytes()[pos];
        const size_t next = pos + characterSize(c);
        if (c == '\t') {
            const int64_t n = size > 0 ? size - column % size : 0;
            out.fill(Text(" ", text.isInputAt(pos)), n);
            column += n;
        } else {
            out.append(text, pos, next);
            column = c == '\n' || c == '\r' ? 0 : column + 1;
        }
        pos = next;
    }
    Text done = out.take();
    done.isSafe = text.isSafe;
    return Value::text(std::move(done));
}

Value join(Renderer& r, const Value& self, Arguments& arguments) {
    Params p(r, "join", arguments, {"iterable"}, 1);
    if (!p.ok()) return {};
    const Items items(r, p[0]);
    Builder out(r);
    for (size_t i = 0; i < items.size() && r.tick(); ++i) {
        const Value item = items.at(i);
        if (!item.isString() && !self.asText().isSafe)
            return r.fail("sequence item " + std::to_string(i) + ": expected str instance, " +
                          typeNameOf(item) + " found");
        if (i > 0) out.append(self.asText());
        if (self.asText().isSafe)
            out.appendHtml(r.str(item));
        else
            out.append(item.asText());
    }
    Text text = out.take();
    text.isSafe = self.asText().isSafe;
    return Value::text(std::move(text));
}

/// There are no bytes here; that the method is there is all that templates ask.
Value encode(Renderer& r, const Value&, Arguments&) {
    return r.fail("str.encode() is not available: there are no byte strings");
}

constexpr Filter kMethods[] = {
    {"split", split<false>},
    {"rsplit", split<true>},
    {"splitlines", splitLines},
    {"partition", partition<false>},
    {"rpartition", partition<true>},
    {"expandtabs", expandTabs},
    {"join", join},
    {"encode", encode},
};

}  // namespace

std::span<const Filter> stringSplitMethods() noexcept {
    return kMethods;
}

}  // namespace vitrine::engine::jinja
