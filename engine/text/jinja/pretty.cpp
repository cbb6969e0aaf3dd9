#include "engine/text/jinja/renderer.h"

namespace vitrine::engine::jinja {

Value prettyPrinted(Renderer& renderer, const Value& value);

namespace {

constexpr size_t kWidth = 80;

/// Python's pprint.pformat: keys sorted, lines of 80 characters. Source: Python's documentation of
/// pprint and its layout rules.
class Pretty {
public:
    explicit Pretty(Renderer& renderer) : r_(renderer), out_(renderer) {}

    void write(const Value& value, size_t indent, size_t allowance, int level) {
        const Renderer::Depth guard(r_);
        const std::string plain = reprOf(value);
        if (!r_.tick(plain.size())) return;
        const size_t n = countCharacters(plain);
        if (n + indent + allowance <= kWidth) return put(plain);
        if (value.is(Kind::Dict) && !value.asDict().entries.empty())
            return dict(value, indent, allowance, level);
        if ((value.is(Kind::List) || value.is(Kind::Tuple)) && !value.items().empty())
            return sequence(value, indent, allowance, level);
        if (value.isString() && !value.asText().empty())
            return text(value, indent, allowance, level);
        put(plain);
    }

    Value take() { return out_.value(); }

private:
    void put(const std::string& bytes) { out_.append(bytes, true); }

    void newline(size_t indent) {
        put("\n");
        out_.fill(Text(" ", true), static_cast<int64_t>(indent));
    }

    /// With the keys of dictionaries sorted, at every level.
    std::string reprOf(const Value& value) { return r_.reprOf(sorted(value)); }

    std::vector<std::pair<Value, Value>> entriesOf(const Value& dict) {
        std::vector<std::pair<Value, Value>> entries = dict.asDict().entries;
        bool isComparable = true;
        for (const auto& entry : entries)
            isComparable = isComparable && entry.first.kind() == entries[0].first.kind() &&
                           (entry.first.isNumber() || entry.first.isString());
        if (isComparable) r_.sort(entries, false);
        return entries;
    }

    Value sorted(const Value& value) {
        const Renderer::Depth guard(r_);
        if (!r_.tick() || !r_.room(0)) return {};
        if (value.is(Kind::Dict)) {
            Value dict = Value::dict();
            for (const auto& [key, item] : entriesOf(value)) dict.asDict().set(key, sorted(item));
            return dict;
        }
        if (!value.is(Kind::List) && !value.is(Kind::Tuple)) return value;
        std::vector<Value> items;
        for (const Value& item : value.items()) items.push_back(sorted(item));
        return value.is(Kind::List) ? Value::list(std::move(items))
                                    : Value::tuple(std::move(items));
    }

    void dict(const Value& value, size_t indent, size_t allowance, int level) {
        const auto entries = entriesOf(value);
        put("{");
        for (size_t i = 0; i < entries.size() && r_.tick(); ++i) {
            if (i > 0) {
                put(",");
                newline(indent + 1);
            }
            const std::string key = reprOf(entries[i].first);
            put(key + ": ");
            write(entries[i].second, indent + 1 + countCharacters(key) + 2,
                  i + 1 == entries.size() ? allowance + 1 : 1, level + 1);
        }
        put("}");
    }

    void sequence(const Value& value, size_t indent, size_t allowance, int level) {
        const std::vector<Value>& items = value.items();
        const std::string end = value.is(Kind::List) ? "]" : items.size() == 1 ? ",)" : ")";
        put(value.is(Kind::List) ? "[" : "(");
        for (size_t i = 0; i < items.size() && r_.tick(); ++i) {
            if (i > 0) {
                put(",");
                newline(indent + 1);
            }
            write(items[i], indent + 1, i + 1 == items.size() ? allowance + end.size() : 1,
                  level + 1);
        }
        put(end);
    }

    std::string reprOf(const Text& text, size_t from, size_t to) {
        return r_.reprOf(Value::text(text.sub(from, to)));
    }

    void text(const Value& value, size_t indent, size_t allowance, int level) {
        const Text& text = value.asText();
        if (level == 1) {
            ++indent;
            ++allowance;
        }
        const auto width = static_cast<int64_t>(kWidth) - static_cast<int64_t>(indent);
        const auto fits = [&](const std::string& repr, int64_t within) {
            return static_cast<int64_t>(countCharacters(repr)) <= within;
        };
        std::vector<std::string> chunks;
        const std::vector<Line> lines = linesOf(text.bytes());
        for (size_t i = 0; i < lines.size() && r_.tick(); ++i) {
            const bool isLast = i + 1 == lines.size();
            const int64_t less = isLast ? static_cast<int64_t>(allowance) : 0;
            std::string repr = reprOf(text, lines[i].from, lines[i].next);
            if (fits(repr, width - less)) {
                chunks.push_back(std::move(repr));
                continue;
            }
            size_t begin = lines[i].from, pos = begin;
            while (pos < lines[i].next && r_.tick(pos - begin)) {
                const size_t end = wordEnd(text.bytes(), pos, lines[i].next);
                const bool isLastWord = isLast && end == lines[i].next;
                if (pos > begin &&
                    !fits(reprOf(text, begin, end), width - (isLastWord ? less : 0))) {
                    chunks.push_back(reprOf(text, begin, pos));
                    begin = pos;
                }
                pos = end;
            }
            if (begin < pos) chunks.push_back(reprOf(text, begin, pos));
        }
        const bool hasBrackets = level == 1 && chunks.size() > 1;
        if (hasBrackets) put("(");
        for (size_t i = 0; i < chunks.size(); ++i) {
            if (i > 0) newline(indent);
            put(chunks[i]);
        }
        if (hasBrackets) put(")");
    }

    /// Behind a word and the white space that follows it.
    static size_t wordEnd(const std::string& bytes, size_t pos, size_t to) {
        while (pos<to&& static_cast<uint8_t>(bytes[pos])> ' ') ++pos;
        while (pos < to && static_cast<uint8_t>(bytes[pos]) <= ' ') ++pos;
        return pos;
    }

    Renderer& r_;
    Builder out_;
};

}  // namespace

Value prettyPrinted(Renderer& renderer, const Value& value) {
    Pretty pretty(renderer);
    pretty.write(value, 0, 0, 1);
    return pretty.take();
}

}  // namespace vitrine::engine::jinja
