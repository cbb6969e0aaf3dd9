#include "engine/text/jinja/filters.h"
#include "engine/text/unicode.h"

namespace vitrine::engine::jinja {

Value prettyPrinted(Renderer& renderer, const Value& value);

namespace {

Value escapedValue(Renderer& r, const Text& text) {
    Builder out(r);
    out.appendHtml(text);
    Text done = out.take();
    done.isSafe = true;
    return Value::text(std::move(done));
}

Value escape(Renderer& r, const Value& input, Arguments& arguments) {
    return Params(r, "escape", arguments, {}).ok() ? escapedValue(r, r.str(input)) : Value();
}

Value forceEscape(Renderer& r, const Value& input, Arguments& arguments) {
    if (!Params(r, "forceescape", arguments, {}).ok()) return {};
    Text text = r.str(input);
    text.isSafe = false;
    return escapedValue(r, text);
}

Value safe(Renderer& r, const Value& input, Arguments& arguments) {
    if (!Params(r, "safe", arguments, {}).ok()) return {};
    Text text = r.str(input);
    text.isSafe = true;
    return Value::text(std::move(text));
}

/// The character that an entity stands for, and its length; 0 when it is none that is known.
uint32_t entityAt(std::string_view text, size_t& length) {
    static constexpr std::pair<std::string_view, uint32_t> kNames[] = {
        {"amp", '&'},      {"lt", '<'},      {"gt", '>'},        {"quot", '"'},
        {"apos", '\''},    {"nbsp", 0xA0},   {"copy", 0xA9},     {"reg", 0xAE},
        {"raquo", 0xBB},   {"laquo", 0xAB},  {"hellip", 0x2026}, {"mdash", 0x2014},
        {"ndash", 0x2013}, {"euro", 0x20AC}, {"times", 0xD7},    {"middot", 0xB7}};
    const size_t end = text.substr(0, 12).find(';');
    if (end == std::string_view::npos || end < 2) return 0;
    const std::string_view name = text.substr(1, end - 1);
    length = end + 1;
    for (const auto& [known, c] : kNames)
        if (known == name) return c;
    if (name[0] != '#') return 0;
    const bool isHex = name.size() > 1 && (name[1] == 'x' || name[1] == 'X');
    const auto value = parseInteger(name.substr(isHex ? 2 : 1), isHex ? 16 : 10);
    return value && *value > 0 && *value < 0x110000 && !(*value >= 0xD800 && *value < 0xE000)
               ? static_cast<uint32_t>(*value)
               : 0;
}

Value stripTags(Renderer& r, const Value& input, Arguments& arguments) {
    if (!Params(r, "striptags", arguments, {}).ok()) return {};
    const Text text = r.str(input);
    const std::string& bytes = text.bytes();
    Builder bare(r);
    size_t pos = 0;
    for (size_t start = bytes.find('<'); start != std::string::npos && r.tick();
         start = bytes.find('<', pos)) {
        const bool isComment = bytes.compare(start, 4, "<!--") == 0;
        const size_t end = isComment ? bytes.find("-->", start + 4) : bytes.find('>', start);
        if (end == std::string::npos) break;
        bare.append(text, pos, start);
        pos = end + (isComment ? 3 : 1);
    }
    bare.append(text, pos, text.size());
    Arguments none;
    const Value words = r.call(stringMethod(bare.value(), "split"), none);
    if (r.failed()) return {};
    Builder joined(r);
    for (size_t i = 0; i < words.items().size(); ++i) {
        if (i > 0) joined.append(" ");
        joined.append(words.items()[i].asText());
    }
    const Text plain = joined.take();
    Builder out(r);
    for (size_t at = 0; at < plain.size() && r.tick();) {
        size_t length = characterSize(plain.bytes()[at]);
        const uint32_t c = plain.bytes()[at] == '&'
                               ? entityAt(std::string_view(plain.bytes()).substr(at), length)
                               : 0;
        if (c == 0) {
            length = characterSize(plain.bytes()[at]);
            out.append(plain, at, at + length);
        } else {
            std::string one;
            appendUtf8(one, c);
            out.append(one, plain.isInputAt(at));
        }
        at += length;
    }
    return out.value();
}

void writeQuoted(Renderer& r, Builder& out, const Value& value, bool isQuery) {
    const Text text = r.str(value);
    constexpr char kHex[] = "0123456789ABCDEF";
    for (size_t i = 0; i < text.size() && r.tick(); ++i) {
        const char c = text.bytes()[i];
        const auto b = static_cast<uint8_t>(c);
        const bool isPlain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                             (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '-' ||
                             c == '~' || (c == '/' && !isQuery);
        const char code[] = {'%', kHex[b >> 4], kHex[b & 15]};
        if (isPlain)
            out.append(std::string_view(&c, 1), text.isInputAt(i));
        else if (c == ' ' && isQuery)
            out.append("+", text.isInputAt(i));
        else
            out.append(std::string_view(code, 3), text.isInputAt(i));
    }
}

Value urlEncode(Renderer& r, const Value& input, Arguments& arguments) {
    if (!Params(r, "urlencode", arguments, {}).ok()) return {};
    Builder out(r);
    const bool isPairs =
        !input.isString() && !input.isNumber() && !input.isNone() && !input.is(Kind::Native);
    if (!isPairs) {
        writeQuoted(r, out, input, false);
        return out.value();
    }
    const Items items(r, input);
    for (size_t i = 0; i < items.size() && r.tick(); ++i) {
        std::vector<Value> pair{items.at(i), {}};
        if (input.is(Kind::Dict))
            pair[1] = input.asDict().entries[i].second;
        else
            pair = r.listOf(items.at(i));
        if (pair.size() != 2) return r.fail("urlencode wants pairs");
        if (i > 0) out.append("&");
        writeQuoted(r, out, pair[0], true);
        out.append("=");
        writeQuoted(r, out, pair[1], true);
    }
    return out.value();
}

Value xmlAttributes(Renderer& r, const Value& input, Arguments& arguments) {
    Params p(r, "xmlattr", arguments, {"autospace"});
    if (!p.ok()) return {};
    if (input.isUndefined()) return r.failUndefined(input);
    if (!input.is(Kind::Dict)) return r.fail("xmlattr wants a mapping");
    Builder out(r);
    bool isFirst = !p.boolean(0, true);
    for (const auto& [key, value] : input.asDict().entries) {
        if (!r.tick() || value.isNone() || value.isUndefined()) continue;
        if (!key.isString()) return r.fail("xmlattr: names must be strings");
        if (key.asText().bytes().find_first_of(" \t\n\r\f\v/>=") != std::string::npos)
            return r.fail("Invalid character in attribute name: " + r.reprOf(key));
        if (!isFirst) out.append(" ");
        isFirst = false;
        out.appendHtml(key.asText());
        out.append("=\"");
        out.appendHtml(r.str(value));
        out.append("\"");
    }
    Text text = out.take();
    text.isSafe = r.autoescape();
    return Value::text(std::move(text));
}

Value pprint(Renderer& r, const Value& input, Arguments& arguments) {
    return Params(r, "pprint", arguments, {}).ok() ? prettyPrinted(r, input) : Value();
}

Value urlize(Renderer& r, const Value&, Arguments&) {
    return r.fail("the filter urlize is not available: prompts hold no HTML links");
}

constexpr Filter kFilters[] = {
    {"e", escape},
    {"escape", escape},
    {"forceescape", forceEscape},
    {"safe", safe},
    {"striptags", stripTags},
    {"urlencode", urlEncode},
    {"xmlattr", xmlAttributes},
    {"pprint", pprint},
    {"urlize", urlize},
};

}  // namespace

std::span<const Filter> htmlFilters() noexcept {
    return kFilters;
}

}  // namespace vitrine::engine::jinja
