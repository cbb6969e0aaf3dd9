#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "engine/text/jinja/filters.h"
#include "engine/text/jinja/json_value.h"
#include "engine/text/json_text.h"
#include "engine/text/unicode.h"

namespace vitrine::engine::jinja {

namespace {

using Json = nlohmann::ordered_json;

Value valueOf(const Json& json, bool isInput) {
    switch (json.type()) {
        case Json::value_t::boolean: return Value::boolean(json.get<bool>());
        case Json::value_t::number_integer: return Value::integer(json.get<int64_t>());
        case Json::value_t::number_unsigned:
            if (json.get<uint64_t>() > static_cast<uint64_t>(INT64_MAX))
                return Value::number(json.get<double>());
            return Value::integer(json.get<int64_t>());
        case Json::value_t::number_float: return Value::number(json.get<double>());
        case Json::value_t::string:
            return Value::string(json.get_ref<const std::string&>(), isInput);
        case Json::value_t::array: {
            std::vector<Value> items;
            for (const Json& item : json) items.push_back(valueOf(item, isInput));
            return Value::list(std::move(items));
        }
        case Json::value_t::object: {
            Value dict = Value::dict();
            for (const auto& [key, item] : json.items())
                setMember(dict, key, valueOf(item, isInput), isInput);
            return dict;
        }
        default: return Value::none();
    }
}

/// Source: Python's json.dumps, which chat templates take tojson for.
struct Writer {
    Renderer& r;
    Builder& out;
    Text unit;              ///< one level of indentation
    bool hasLines = false;  ///< indent was given
    bool isAscii = false, sortsKeys = false;
    Text itemSeparator, keySeparator;

    void newline(int level) {
        if (!hasLines) return;
        out.append("\n");
        out.fill(unit, level);
    }

    void string(const Text& text) {
        const std::string& bytes = text.bytes();
        out.append("\"");
        size_t from = 0;
        for (size_t pos = 0; pos < bytes.size() && r.tick();) {
            const CodePoint c = decodeUtf8(bytes, pos);
            const std::string escape = escapeOf(c.value);
            if (!escape.empty()) {
                out.append(text, from, pos);
                out.append(escape, text.isInputAt(pos));
                from = pos + c.nBytes;
            }
            pos += c.nBytes;
        }
        out.append(text, from, bytes.size());
        out.append("\"");
    }

    std::string escapeOf(uint32_t c) const {
        static constexpr std::string_view kChars = "\"\\\n\r\t\f\b", kNames = "\"\\nrtfb";
        const size_t i = c < 0x80 ? kChars.find(static_cast<char>(c)) : std::string_view::npos;
        if (i != std::string_view::npos) return std::string("\\") + kNames[i];
        if (c >= 0x20 && (c < 0x7F || !isAscii)) return {};
        char code[16];
        if (c < 0x10000)
            std::snprintf(code, sizeof code, "\\u%04x", c);
        else
            std::snprintf(code, sizeof code, "\\u%04x\\u%04x", 0xD800 + ((c - 0x10000) >> 10),
                          0xDC00 + ((c - 0x10000) & 0x3FF));
        return code;
    }

    std::string scalar(const Value& value) const {
        switch (value.kind()) {
            case Kind::None: return "null";
            case Kind::Bool: return value.asBool() ? "true" : "false";
            case Kind::Int: return std::to_string(value.asInt());
            case Kind::Float: {
                const double d = value.asDouble();
                if (std::isnan(d)) return "NaN";
                if (std::isinf(d)) return d < 0 ? "-Infinity" : "Infinity";
                return floatRepr(d);
            }
            default: return {};
        }
    }

    void array(const std::vector<Value>& items, int level) {
        if (items.empty()) return out.append("[]");
        out.append("[");
        for (size_t i = 0; i < items.size() && r.tick(); ++i) {
            if (i > 0) out.append(itemSeparator);
            newline(level + 1);
            write(items[i], level + 1);
        }
        newline(level);
        out.append("]");
    }

    void object(const DictObject& dict, int level) {
        if (dict.entries.empty()) return out.append("{}");
        std::vector<std::pair<Value, Value>> entries = dict.entries;
        if (sortsKeys) r.sort(entries, false);
        out.append("{");
        for (size_t i = 0; i < entries.size() && r.tick(); ++i) {
            const auto& [key, value] = entries[i];
            if (i > 0) out.append(itemSeparator);
            newline(level + 1);
            if (key.isString())
                string(key.asText());
            else if (const std::string name = scalar(key); !name.empty())
                out.append("\"" + name + "\"");
            else
                r.fail(std::string("keys must be str, int, float, bool or None, not ") +
                       typeNameOf(key));
            out.append(keySeparator);
            write(value, level + 1);
        }
        newline(level);
        out.append("}");
    }

    void write(const Value& value, int level) {
        const Renderer::Depth guard(r);
        if (!r.tick()) return;
        if (value.isString()) return string(value.asText());
        if (value.is(Kind::List) || value.is(Kind::Tuple)) return array(value.items(), level);
        if (value.is(Kind::Dict)) return object(value.asDict(), level);
        const std::string text = scalar(value);
        if (text.empty())
            r.fail(std::string("Object of type ") + typeNameOf(value) +
                   " is not JSON serializable");
        out.append(text);
    }
};

}  // namespace

Result<Value> valueOfJson(std::string_view json, bool isInput) {
    if (!isShallowJson(json)) return makeError(Errc::Format, "the JSON is nested too deeply");
    const Json parsed = Json::parse(json, nullptr, false);
    if (parsed.is_discarded()) return makeError(Errc::Format, "the text is not JSON");
    return valueOf(parsed, isInput);
}

/// Parameters: ensure_ascii, indent, separators, sort_keys.
void writeJson(Renderer& r, Builder& out, const Value& value, Params& params) {
    Writer writer{r,
                  out,
                  {},
                  params.has(1),
                  params.boolean(0, false),
                  params.boolean(3, false),
                  Text(params.has(1) ? "," : ", ", false),
                  Text(": ", false)};
    if (params.has(1) && params[1].isString()) {
        writer.unit = params[1].asText();
    } else if (params.has(1)) {
        Builder unit(r);
        unit.fill(Text(" ", false), params.integer(1, 0));
        writer.unit = unit.take();
    }
    if (params.has(2)) {
        const std::vector<Value> pair = r.listOf(params[2]);
        if (pair.size() != 2 || !pair[0].isString() || !pair[1].isString()) {
            r.fail("tojson(): separators must be two strings");
            return;
        }
        writer.itemSeparator = pair[0].asText();
        writer.keySeparator = pair[1].asText();
    }
    writer.write(value, 0);
}

Value readJson(Renderer& r, const Text& text) {
    // Parsing takes some sixty times the bytes of the text.
    if (text.size() > (size_t{1} << 20)) return r.fail("from_json: the text is too long");
    if (!r.tick(text.size())) return {};
    auto value = valueOfJson(text.bytes(), text.hasInput());
    if (!value) return r.fail("from_json: " + value.error().message);
    return std::move(*value);
}

}  // namespace vitrine::engine::jinja
