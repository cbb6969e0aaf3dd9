#include <algorithm>

#include "engine/text/jinja/characters.h"
#include "engine/text/jinja/filters.h"
#include "engine/text/unicode.h"

namespace vitrine::engine::jinja {

namespace {

/// The result of a method: marked as safe where its string is.
Value done(Builder& out, const Value& self) {
    Text text = out.take();
    text.isSafe = self.asText().isSafe;
    return Value::text(std::move(text));
}

template <Case kCase>
Value cased(Renderer& r, const Value& self, Arguments& arguments) {
    const Params p(r, "case", arguments, {});
    Builder out(r);
    if (p.ok() && r.tick(self.asText().size()))
        writeCased(out, self.asText(), 0, self.asText().size(), kCase);
    return done(out, self);
}

template <bool kLeft, bool kRight>
Value strip(Renderer& r, const Value& self, Arguments& arguments) {
    Params p(r, "strip", arguments, {"chars"});
    if (!p.ok() || (p.has(0) && !p.isText(0))) return {};
    const Text& text = self.asText();
    std::vector<uint32_t> set;
    const size_t setBytes = p.has(0) ? p[0].asText().size() : 0;
    if (!r.room(setBytes * sizeof(uint32_t)) || !r.tick(setBytes)) return {};
    for (size_t pos = 0; pos < setBytes;) {
        const CodePoint c = decodeUtf8(p[0].asText().bytes(), pos);
        set.push_back(c.value);
        pos += c.nBytes;
    }
    std::sort(set.begin(), set.end());
    const Span span = strippedSpan(text.bytes(), kLeft, kRight, p.has(0) ? &set : nullptr);
    if (!r.tick(span.from + text.size() - span.to + text.size() / 64)) return {};
    return Value::text(text.sub(span.from, span.to));
}

/// Start and end of find, count, startswith: characters, as slices have them; bytes come back.
bool window(Params& p, size_t first, const Text& text, Span& span) {
    const auto n = static_cast<int64_t>(countCharacters(text.bytes()));
    const auto bound = [&](size_t i, int64_t otherwise) {
        int64_t at = p.has(i) ? p.integer(i, otherwise) : otherwise;
        if (at < 0) at = std::max<int64_t>(at + n, 0);
        return at;
    };
    const int64_t from = bound(first, 0), to = std::min(bound(first + 1, n), n);
    span.from = byteOfCharacter(text.bytes(), static_cast<size_t>(std::min(from, n)));
    span.to = byteOfCharacter(text.bytes(), static_cast<size_t>(to));
    return p.ok() && from <= n && from <= to;
}

template <bool kAtStart>
Value beginsOrEnds(Renderer& r, const Value& self, Arguments& arguments) {
    Params p(r, kAtStart ? "startswith" : "endswith", arguments, {"prefix", "start", "end"}, 1);
    Span span;
    if (!p.ok() || !r.tick(self.asText().size() / 64)) return {};
    const bool isInside = window(p, 1, self.asText(), span);
    std::vector<Value> options{p[0]};
    if (p[0].is(Kind::Tuple)) options = p[0].items();
    for (const Value& option : options) {
        if (!option.isString())
            return r.fail(std::string(kAtStart ? "startswith" : "endswith") +
                          " first arg must be str or a tuple of str, not " + typeNameOf(option));
        const std::string_view part =
            std::string_view(self.asText().bytes()).substr(span.from, span.to - span.from);
        const std::string& wanted = option.asText().bytes();
        if (isInside && (kAtStart ? part.starts_with(wanted) : part.ends_with(wanted)))
            return Value::boolean(true);
    }
    return Value::boolean(false);
}

template <bool kFromRight, bool kMustBeThere>
Value find(Renderer& r, const Value& self, Arguments& arguments) {
    Params p(r, "find", arguments, {"sub", "start", "end"}, 1);
    Span span;
    if (!p.ok() || !p.isText(0) || !r.tick(self.asText().size() / 16)) return {};
    const std::string& bytes = self.asText().bytes();
    const std::string& wanted = p[0].asText().bytes();
    size_t at = std::string::npos;
    if (window(p, 1, self.asText(), span)) {
        const std::string_view part =
            std::string_view(bytes).substr(span.from, span.to - span.from);
        at = kFromRight ? part.rfind(wanted) : part.find(wanted);
    }
    if (at == std::string::npos)
        return kMustBeThere ? r.fail("substring not found") : Value::integer(-1);
    return Value::integer(
        static_cast<int64_t>(countCharacters(std::string_view(bytes).substr(0, span.from + at))));
}

Value count(Renderer& r, const Value& self, Arguments& arguments) {
    Params p(r, "count", arguments, {"sub", "start", "end"}, 1);
    Span span;
    if (!p.ok() || !p.isText(0) || !r.tick(self.asText().size() / 4)) return {};
    if (!window(p, 1, self.asText(), span)) return Value::integer(0);
    const std::string_view part =
        std::string_view(self.asText().bytes()).substr(span.from, span.to - span.from);
    const std::string& wanted = p[0].asText().bytes();
    if (wanted.empty()) return Value::integer(static_cast<int64_t>(countCharacters(part)) + 1);
    int64_t n = 0;
    for (size_t pos = part.find(wanted); pos != std::string_view::npos;
         pos = part.find(wanted, pos + wanted.size()))
        ++n;
    return Value::integer(n);
}

Value replace(Renderer& r, const Value& self, Arguments& arguments) {
    Params p(r, "replace", arguments, {"old", "new", "count"}, 2);
    if (!p.ok() || !p.isText(0) || !p.isText(1)) return {};
    const Text &text = self.asText(), &with = p[1].asText();
    const std::string& old = p[0].asText().bytes();
    int64_t left = p.integer(2, -1);
    if (left < 0) left = INT64_MAX;
    Builder out(r);
    size_t from = 0;
    if (!r.tick(text.size() / 16)) return {};
    for (size_t pos = 0; left > 0 && r.tick(); --left) {
        const size_t at = old.empty() ? pos : text.bytes().find(old, pos);
        if (at > text.size()) break;
        out.append(text, from, at);
        if (text.isSafe)
            out.appendHtml(with);
        else
            out.append(with);
        from = at + old.size();
        if (old.empty() && at == text.size()) break;
        pos = old.empty() ? at + characterSize(text.bytes()[at]) : from;
    }
    out.append(text, from, text.size());
    return done(out, self);
}

template <char kAlign>
Value aligned(Renderer& r, const Value& self, Arguments& arguments) {
    Params p(r, "justify", arguments, {"width", "fillchar"}, 1);
    const int64_t width = p.integer(0, 0);
    if (!p.ok() || (p.isGiven(1) && !p.isText(1))) return {};
    const Text fill = p.text(1, " ");
    if (countCharacters(fill.bytes()) != 1)
        return r.fail("The fill character must be exactly one character long");
    const Text& text = self.asText();
    const auto n = static_cast<int64_t>(countCharacters(text.bytes()));
    Builder out(r);
    // Python's center puts the odd blank to the left where the width is odd.
    const int64_t missing = width > n ? width - n : 0;
    const int64_t before = kAlign == '<'   ? 0
                           : kAlign == '>' ? missing
                                           : missing / 2 + (missing & width & 1);
    out.fill(fill, before);
    out.append(text);
    out.fill(fill, missing - before);
    return done(out, self);
}

Value zfill(Renderer& r, const Value& self, Arguments& arguments) {
    Params p(r, "zfill", arguments, {"width"}, 1);
    const int64_t width = p.integer(0, 0);
    if (!p.ok()) return {};
    const Text& text = self.asText();
    const bool hasSign = !text.empty() && (text.bytes()[0] == '-' || text.bytes()[0] == '+');
    Builder out(r);
    pad(out, text, width, '=', Text("0", false), hasSign ? 1 : 0);
    return done(out, self);
}

template <bool kPrefix>
Value removeAffix(Renderer& r, const Value& self, Arguments& arguments) {
    Params p(r, kPrefix ? "removeprefix" : "removesuffix", arguments, {"affix"}, 1);
    if (!p.ok() || !p.isText(0)) return {};
    const Text& text = self.asText();
    const std::string& affix = p[0].asText().bytes();
    if (kPrefix && text.bytes().starts_with(affix))
        return Value::text(text.sub(affix.size(), text.size()));
    if (!kPrefix && text.bytes().ends_with(affix))
        return Value::text(text.sub(0, text.size() - affix.size()));
    return self;
}

template <bool (*kIs)(uint32_t)>
Value all(Renderer& r, const Value& self, Arguments& arguments) {
    const Params p(r, "is", arguments, {});
    const std::string& bytes = self.asText().bytes();
    if (!p.ok() || !r.tick(bytes.size())) return {};
    for (size_t pos = 0; pos < bytes.size();) {
        const CodePoint c = decodeUtf8(bytes, pos);
        if (!kIs(c.value)) return Value::boolean(false);
        pos += c.nBytes;
    }
    return Value::boolean(!bytes.empty());
}

template <bool (*kIs)(uint32_t) noexcept>
Value allQuiet(Renderer& r, const Value& self, Arguments& arguments) {
    return all<static_cast<bool (*)(uint32_t)>(kIs)>(r, self, arguments);
}

template <bool kUpper>
Value isCase(Renderer& r, const Value& self, Arguments& arguments) {
    const Params p(r, kUpper ? "isupper" : "islower", arguments, {});
    const std::string& bytes = self.asText().bytes();
    if (!p.ok() || !r.tick(bytes.size())) return {};
    bool hasOne = false;
    for (size_t pos = 0; pos < bytes.size();) {
        const CodePoint c = decodeUtf8(bytes, pos);
        if (isTitleCase(c.value) || (kUpper ? isLowerCase(c.value) : isUpperCase(c.value)))
            return Value::boolean(false);
        hasOne = hasOne || (kUpper ? isUpperCase(c.value) : isLowerCase(c.value));
        pos += c.nBytes;
    }
    return Value::boolean(hasOne);
}

Value isTitle(Renderer& r, const Value& self, Arguments& arguments) {
    const Params p(r, "istitle", arguments, {});
    const std::string& bytes = self.asText().bytes();
    if (!p.ok() || !r.tick(bytes.size())) return {};
    bool isBehindCased = false, hasOne = false;
    for (size_t pos = 0; pos < bytes.size();) {
        const CodePoint c = decodeUtf8(bytes, pos);
        const bool isUpper = isUpperCase(c.value) || isTitleCase(c.value);
        const bool isLower = isLowerCase(c.value);
        if ((isUpper && isBehindCased) || (isLower && !isBehindCased)) return Value::boolean(false);
        isBehindCased = isUpper || isLower;
        hasOne = hasOne || isBehindCased;
        pos += c.nBytes;
    }
    return Value::boolean(hasOne);
}

bool isAlphanumeric(uint32_t c) {
    return isLetter(c) || isNumeric(c);
}

bool isAscii(uint32_t c) {
    return c < 0x80;
}

Value isAsciiText(Renderer& r, const Value& self, Arguments& arguments) {
    if (self.asText().empty()) return Value::boolean(true);
    return all<isAscii>(r, self, arguments);
}

Value isPrintableText(Renderer& r, const Value& self, Arguments& arguments) {
    if (self.asText().empty()) return Value::boolean(true);
    return allQuiet<isPrintable>(r, self, arguments);
}

Value isIdentifier(Renderer& r, const Value& self, Arguments& arguments) {
    const std::string& bytes = self.asText().bytes();
    const Value isWord = all<isWordCharacter>(r, self, arguments);
    const bool isRight = r.truth(isWord) && !isNumeric(decodeUtf8(bytes, 0).value);
    return Value::boolean(isRight);
}

Value format(Renderer& r, const Value& self, Arguments& arguments) {
    return formatBraces(r, self.asText(), arguments);
}

Value formatMap(Renderer& r, const Value& self, Arguments& arguments) {
    Params p(r, "format_map", arguments, {"mapping"}, 1);
    if (!p.ok() || !p[0].is(Kind::Dict)) return r.fail("format_map() wants a mapping");
    Arguments named;
    for (const auto& [key, value] : p[0].asDict().entries)
        if (key.isString()) named.named.emplace_back(key.asText().bytes(), value);
    return formatBraces(r, self.asText(), named);
}

constexpr Filter kMethods[] = {
    {"upper", cased<Case::Upper>},
    {"lower", cased<Case::Lower>},
    {"casefold", cased<Case::Fold>},
    {"title", cased<Case::Title>},
    {"capitalize", cased<Case::Capitalize>},
    {"swapcase", cased<Case::Swap>},
    {"strip", strip<true, true>},
    {"lstrip", strip<true, false>},
    {"rstrip", strip<false, true>},
    {"startswith", beginsOrEnds<true>},
    {"endswith", beginsOrEnds<false>},
    {"find", find<false, false>},
    {"rfind", find<true, false>},
    {"index", find<false, true>},
    {"rindex", find<true, true>},
    {"count", count},
    {"replace", replace},
    {"center", aligned<'^'>},
    {"ljust", aligned<'<'>},
    {"rjust", aligned<'>'>},
    {"zfill", zfill},
    {"removeprefix", removeAffix<true>},
    {"removesuffix", removeAffix<false>},
    {"isalpha", allQuiet<isLetter>},
    {"isdigit", allQuiet<isDigitCharacter>},
    {"isdecimal", allQuiet<isDecimal>},
    {"isnumeric", allQuiet<isNumeric>},
    {"isalnum", all<isAlphanumeric>},
    {"isspace", allQuiet<isPythonSpace>},
    {"isascii", isAsciiText},
    {"isprintable", isPrintableText},
    {"isidentifier", isIdentifier},
    {"isupper", isCase<true>},
    {"islower", isCase<false>},
    {"istitle", isTitle},
    {"format", format},
    {"format_map", formatMap},
};

}  // namespace

std::span<const Filter> stringMethods() noexcept {
    return kMethods;
}

Value stringMethod(const Value& self, std::string_view name) {
    for (const auto table : {stringMethods(), stringSplitMethods()})
        for (const Filter& method : table)
            if (method.name == name) return bindMethod(self, method);
    return {};
}

}  // namespace vitrine::engine::jinja
