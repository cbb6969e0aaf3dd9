#include "engine/text/jinja/characters.h"
#include "engine/text/jinja/filters.h"
#include "engine/text/unicode.h"

namespace vitrine::engine::jinja {

namespace {

/// A filter that is the method of the value's text.
template <size_t kName>
Value viaMethod(Renderer& r, const Value& input, Arguments& arguments) {
    constexpr const char* kNames[] = {"upper", "lower", "capitalize", "strip", "center"};
    Params p(r, kNames[kName], arguments, {kName == 4 ? "width" : kName == 3 ? "chars" : "-"});
    if (!p.ok()) return {};
    Arguments given;
    if (kName == 3 && p.has(0)) given.positional.push_back(p[0]);
    if (kName == 4) given.positional.push_back(p.isGiven(0) ? p[0] : Value::integer(80));
    return r.call(stringMethod(Value::text(r.str(input)), kNames[kName]), given);
}

Value title(Renderer& r, const Value& input, Arguments& arguments) {
    const Params p(r, "title", arguments, {});
    const Text text = r.str(input);
    if (!p.ok() || !r.tick(text.size())) return {};
    Builder out(r);
    const auto separates = [](uint32_t c) {
        return isPythonSpace(c) || c == '-' || c == '(' || c == '{' || c == '[' || c == '<';
    };
    size_t pos = 0;
    while (pos < text.size() && r.tick()) {
        CodePoint c = decodeUtf8(text.bytes(), pos);
        if (separates(c.value)) {
            out.append(text, pos, pos + c.nBytes);
            pos += c.nBytes;
            continue;
        }
        size_t end = pos + c.nBytes;
        while (end < text.size() && !separates(decodeUtf8(text.bytes(), end).value))
            end += characterSize(text.bytes()[end]);
        writeCased(out, text, pos, pos + c.nBytes, Case::Upper);
        writeCased(out, text, pos + c.nBytes, end, Case::Lower);
        pos = end;
    }
    return out.value();
}

Value replace(Renderer& r, const Value& input, Arguments& arguments) {
    Params p(r, "replace", arguments, {"old", "new", "count"}, 2);
    if (!p.ok()) return {};
    Text text = r.str(input);
    Text old = p.text(0, {}), with = p.text(1, {});
    if (!r.autoescape()) {
        text.isSafe = false;
    } else if (old.isSafe || (with.isSafe && !text.isSafe)) {
        Builder out(r);
        out.appendHtml(text);
        text = out.take();
        text.isSafe = true;
    }
    Arguments given;
    given.positional = {Value::text(std::move(old)), Value::text(std::move(with))};
    if (p.has(2)) given.positional.push_back(p[2]);
    return r.call(stringMethod(Value::text(std::move(text)), "replace"), given);
}

Value string(Renderer& r, const Value& input, Arguments& arguments) {
    return Params(r, "string", arguments, {}).ok() ? Value::text(r.str(input)) : Value();
}

Value format(Renderer& r, const Value& input, Arguments& arguments) {
    if (!arguments.positional.empty() && !arguments.named.empty())
        return r.fail("can't handle positional and keyword arguments at the same time");
    Value values = Value::tuple(arguments.positional);
    if (!arguments.named.empty()) {
        values = Value::dict();
        for (const auto& [name, value] : arguments.named) setMember(values, name, value, false);
    }
    return formatPercent(r, r.str(input), values);
}

Value wordCount(Renderer& r, const Value& input, Arguments& arguments) {
    const Params p(r, "wordcount", arguments, {});
    const Text text = r.str(input);
    if (!p.ok() || !r.tick(text.size())) return {};
    int64_t n = 0;
    bool isInWord = false;
    for (size_t pos = 0; pos < text.size(); pos += characterSize(text.bytes()[pos])) {
        const bool isWord = isWordCharacter(decodeUtf8(text.bytes(), pos).value);
        n += isWord && !isInWord ? 1 : 0;
        isInWord = isWord;
    }
    return Value::integer(n);
}

Value defaultValue(Renderer& r, const Value& input, Arguments& arguments) {
    Params p(r, "default", arguments, {"default_value", "boolean"});
    if (!p.ok()) return {};
    if (!input.isUndefined() && !(p.boolean(1, false) && !r.truth(input))) return input;
    return p.isGiven(0) ? p[0] : Value::string({}, false);
}

Value toJson(Renderer& r, const Value& input, Arguments& arguments) {
    Params p(r, "tojson", arguments, {"ensure_ascii", "indent", "separators", "sort_keys"});
    if (!p.ok()) return {};
    Builder out(r);
    writeJson(r, out, input, p);
    return out.value();
}

Value fromJson(Renderer& r, const Value& input, Arguments& arguments) {
    const Params p(r, "from_json", arguments, {});
    if (!p.ok()) return {};
    if (!input.isString()) return r.fail("from_json wants a string");
    return readJson(r, input.asText());
}

constexpr Filter kFilters[] = {
    {"upper", viaMethod<0>},  {"lower", viaMethod<1>},   {"capitalize", viaMethod<2>},
    {"trim", viaMethod<3>},   {"center", viaMethod<4>},  {"title", title},
    {"replace", replace},     {"string", string},        {"format", format},
    {"wordcount", wordCount}, {"default", defaultValue}, {"d", defaultValue},
    {"tojson", toJson},       {"from_json", fromJson},
};

}  // namespace

std::span<const Filter> textFilters() noexcept {
    return kFilters;
}

}  // namespace vitrine::engine::jinja
