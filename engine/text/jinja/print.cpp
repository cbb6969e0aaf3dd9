#include <charconv>
#include <cmath>

#include "engine/text/jinja/characters.h"
#include "engine/text/jinja/renderer.h"
#include "engine/text/unicode.h"

namespace vitrine::engine::jinja {

Builder::~Builder() {
    renderer_.release(chargedBytes_);
}

bool Builder::failed() const {
    return renderer_.failed();
}

void Builder::chargeGrowth() {
    const size_t sizeBytes = text_.sizeBytes();
    if (sizeBytes <= chargedBytes_) return;
    renderer_.charge(sizeBytes - chargedBytes_);
    chargedBytes_ = sizeBytes;
}

void Builder::append(std::string_view bytes, bool isInput) {
    if (!renderer_.room(bytes.size())) return;
    text_.append(bytes, isInput);
    chargeGrowth();
}

void Builder::append(const Text& text, size_t from, size_t to) {
    if (from >= to || !renderer_.room(to - from)) return;
    text_.append(text, from, to);
    chargeGrowth();
}

void Builder::appendHtml(const Text& text) {
    if (text.isSafe) return append(text);
    const std::string& bytes = text.bytes();
    size_t from = 0;
    for (size_t pos = bytes.find_first_of("&<>\"'"); pos != std::string::npos;
         pos = bytes.find_first_of("&<>\"'", pos + 1)) {
        append(text, from, pos);
        const char c = bytes[pos];
        append(c == '&'   ? "&amp;"
               : c == '<' ? "&lt;"
               : c == '>' ? "&gt;"
               : c == '"' ? "&#34;"
                          : "&#39;",
               text.isInputAt(pos));
        from = pos + 1;
    }
    append(text, from, bytes.size());
}

void Builder::fill(const Text& unit, int64_t times) {
    if (times <= 0 || unit.empty()) return;
    const auto n = static_cast<uint64_t>(times);
    const bool isTooMuch = n > (uint64_t{1} << 40) / unit.size();
    if (!renderer_.room(isTooMuch ? UINT64_MAX / 2 : n * unit.size())) return;
    for (uint64_t i = 0; i < n && renderer_.tick(); ++i) append(unit);
}

Text Builder::take() {
    renderer_.release(chargedBytes_);
    chargedBytes_ = 0;
    return std::move(text_);
}

namespace {

/// What repr writes for a character between quotes; empty: as it is.
std::string escapeInQuotes(uint32_t c, char quote) {
    switch (c) {
        case '\n': return "\\n";
        case '\r': return "\\r";
        case '\t': return "\\t";
        case '\\': return "\\\\";
        default: break;
    }
    if (c == static_cast<uint32_t>(quote)) return std::string("\\") + quote;
    return isPrintable(c) ? std::string() : numericEscape(c);
}

void writeQuoted(Renderer& r, Builder& out, const Text& text) {
    const std::string& bytes = text.bytes();
    const bool isDouble =
        bytes.find('\'') != std::string::npos && bytes.find('"') == std::string::npos;
    const char quote = isDouble ? '"' : '\'';
    if (text.isSafe) out.append("Markup(");
    out.append(std::string_view(&quote, 1));
    size_t from = 0;
    for (size_t pos = 0; pos < bytes.size() && r.tick();) {
        const CodePoint c = decodeUtf8(bytes, pos);
        const size_t next = pos + c.nBytes;
        const std::string escape = escapeInQuotes(c.value, quote);
        if (!escape.empty()) {
            out.append(text, from, pos);
            out.append(escape, text.isInputAt(pos));
            from = next;
        }
        pos = next;
    }
    out.append(text, from, bytes.size());
    out.append(std::string_view(&quote, 1));
    if (text.isSafe) out.append(")");
}

void writeSequence(Renderer& r, Builder& out, const std::vector<Value>& items, const char* open,
                   const char* close) {
    out.append(open);
    for (size_t i = 0; i < items.size() && r.tick(); ++i) {
        if (i > 0) out.append(", ");
        r.writeRepr(out, items[i]);
    }
    out.append(close);
}

void writeDict(Renderer& r, Builder& out, const DictObject& dict) {
    out.append("{");
    for (size_t i = 0; i < dict.entries.size() && r.tick(); ++i) {
        if (i > 0) out.append(", ");
        r.writeRepr(out, dict.entries[i].first);
        out.append(": ");
        r.writeRepr(out, dict.entries[i].second);
    }
    out.append("}");
}

}  // namespace

/// The shortest digits that read back the same, as Python writes them.
std::string floatRepr(double value) {
    if (std::isnan(value)) return "nan";
    if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
    char buffer[64];
    const auto written =
        std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::scientific);
    const std::string text(buffer, written.ptr);
    const size_t e = text.find('e');
    const int exponent = std::stoi(text.substr(e + 1));
    if (exponent < -4 || exponent >= 16) return text;
    std::string digits = text.substr(0, e);
    const bool isNegative = digits[0] == '-';
    if (isNegative) digits.erase(0, 1);
    if (digits.size() > 1) digits.erase(1, 1);  // the point
    std::string plain;
    if (exponent < 0) {
        plain = "0." + std::string(static_cast<size_t>(-exponent - 1), '0') + digits;
    } else {
        const auto nWhole = static_cast<size_t>(exponent) + 1;
        if (digits.size() <= nWhole)
            plain = digits + std::string(nWhole - digits.size(), '0') + ".0";
        else
            plain = digits.substr(0, nWhole) + "." + digits.substr(nWhole);
    }
    return isNegative ? "-" + plain : plain;
}

Text Renderer::str(const Value& value) {
    if (value.isString()) return value.asText();
    Builder out(*this);
    writeStr(out, value);
    return out.take();
}

void Renderer::writeStr(Builder& out, const Value& value) {
    if (value.isString())
        out.append(value.asText());
    else if (!value.isUndefined())
        writeRepr(out, value);
}

void Renderer::writeRepr(Builder& out, const Value& value) {
    const Depth guard(*this);
    if (!tick()) return;
    switch (value.kind()) {
        case Kind::Undefined: return out.append("Undefined");
        case Kind::None: return out.append("None");
        case Kind::Bool: return out.append(value.asBool() ? "True" : "False");
        case Kind::Int: return out.append(std::to_string(value.asInt()));
        case Kind::Float: return out.append(floatRepr(value.asDouble()));
        case Kind::String: return writeQuoted(*this, out, value.asText());
        case Kind::List: return writeSequence(*this, out, value.items(), "[", "]");
        case Kind::Tuple:
            return writeSequence(*this, out, value.items(), "(",
                                 value.items().size() == 1 ? ",)" : ")");
        case Kind::Dict: return writeDict(*this, out, value.asDict());
        case Kind::Range: {
            const RangeObject& r = value.asRange();
            return out.append("range(" + std::to_string(r.start) + ", " + std::to_string(r.stop) +
                              (r.step != 1 ? ", " + std::to_string(r.step) : "") + ")");
        }
        case Kind::Iterator: {
            const IteratorObject& iterator = value.asIterator();
            if (iterator.isOnce)
                return out.append("<" + std::string(iterator.typeName) + " object>");
            out.append(iterator.typeName);
            return writeSequence(*this, out, iterator.items, "([", "])");
        }
        case Kind::Native: {
            const Value held = value;
            return out.append(held.asNative().printed(*this), true);
        }
    }
}

std::string Renderer::reprOf(const Value& value) {
    Builder out(*this);
    writeRepr(out, value);
    return out.take().bytes();
}

}  // namespace vitrine::engine::jinja
