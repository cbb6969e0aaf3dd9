#include <algorithm>
#include <cmath>

#include "engine/text/jinja/characters.h"
#include "engine/text/jinja/filters.h"
#include "engine/text/jinja/renderer.h"
#include "engine/text/unicode.h"

namespace vitrine::engine::jinja {

namespace {

bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

/// Python's "Format Specification Mini-Language".
struct Spec {
    Text fill = Text(" ", false);
    char align = '\0', sign = '-', group = '\0', type = '\0';
    bool isAlternate = false, hasZero = false, hasSign = false, clearsZero = false, isRight = true;
    int64_t width = 0, precision = -1;

    explicit Spec(const Text& text) {
        const std::string& s = text.bytes();
        size_t pos = 0;
        const auto is = [&](std::string_view set) {
            return pos < s.size() && set.find(s[pos]) != std::string_view::npos;
        };
        const auto number = [&] {
            int64_t n = 0;
            for (; pos < s.size() && isDigit(s[pos]); ++pos)
                n = std::min<int64_t>(n * 10 + (s[pos] - '0'), int64_t{1} << 40);
            return n;
        };
        const size_t first = s.empty() ? 0 : characterSize(s[0]);
        if (first < s.size() && std::string_view("<>^=").find(s[first]) != std::string_view::npos) {
            fill = text.sub(0, first);
            align = s[first];
            pos = first + 1;
        } else if (is("<>^=")) {
            align = s[pos++];
        }
        if (is("+- ")) {
            sign = s[pos++];
            hasSign = true;
        }
        if (is("z")) {
            clearsZero = true;
            ++pos;
        }
        if (is("#")) {
            isAlternate = true;
            ++pos;
        }
        if (is("0")) {
            hasZero = true;
            ++pos;
        }
        width = number();
        if (is(",_")) group = s[pos++];
        if (is(".")) {
            ++pos;
            isRight = pos < s.size() && isDigit(s[pos]);
            precision = number();
        }
        if (pos < s.size()) type = s[pos++];
        isRight = isRight && pos >= s.size();
        if (hasZero && align == '\0') {
            fill = Text("0", false);
            align = '0';  // settled by what is formatted
        }
    }
};

/// Separators into the whole part of digits (behind sign and prefix).
std::string grouped(const std::string& digits, size_t from, char group, size_t nPerGroup) {
    size_t end = from;
    while (end < digits.size() && std::isxdigit(static_cast<unsigned char>(digits[end])) != 0 &&
           (nPerGroup == 4 || isDigit(digits[end])))
        ++end;
    std::string text = digits.substr(0, from);
    for (size_t i = from; i < end; ++i) {
        text += digits[i];
        if ((end - i - 1) % nPerGroup == 0 && i + 1 < end) text += group;
    }
    return text + digits.substr(end);
}

void writeNumber(Renderer& r, Builder& out, std::string digits, const Spec& spec) {
    if (digits[0] != '-' && spec.sign != '-') digits.insert(0, 1, spec.sign);
    size_t signBytes = digits[0] == '-' || digits[0] == '+' || digits[0] == ' ' ? 1 : 0;
    if (spec.isAlternate && digits.size() > signBytes + 1 && digits[signBytes] == '0' &&
        std::isalpha(static_cast<unsigned char>(digits[signBytes + 1])) != 0)
        signBytes += 2;
    const char align = spec.align == '\0' ? '>' : spec.align == '0' ? '=' : spec.align;
    if (spec.group != '\0') {
        const bool isBinary = std::string_view("bBoxX").find(spec.type) != std::string_view::npos &&
                              spec.type != '\0';
        const size_t nPerGroup = isBinary ? 4 : 3;
        // Zeros that fill the width are grouped too.
        if (spec.align == '0' && spec.width < 1000) {
            while (static_cast<int64_t>(grouped(digits, signBytes, spec.group, nPerGroup).size()) <
                   spec.width)
                digits.insert(signBytes, 1, '0');
        }
        digits = grouped(digits, signBytes, spec.group, nPerGroup);
    }
    if (!r.failed())
        pad(out, Text(std::move(digits), false), spec.width, align, spec.fill, signBytes);
}

/// The exponent form without the zeros that end its digits.
std::string shortExponent(double value, int precision, bool isAlternate) {
    std::string digits = formatDouble(value, 'e', precision, isAlternate);
    const size_t e = digits.find('e');
    if (isAlternate || digits.find('.') == std::string::npos) return digits;
    size_t end = e;
    while (digits[end - 1] == '0') --end;
    if (digits[end - 1] == '.') --end;
    return digits.erase(end, e - end);
}

void writeDouble(Renderer& r, Builder& out, double value, const Spec& spec) {
    if (spec.precision > 1000) {
        r.fail("precision too big");
        return;
    }
    const int precision = spec.precision < 0 ? 6 : static_cast<int>(spec.precision);
    std::string digits;
    if (spec.type == '\0' && spec.precision < 0) {
        digits = floatRepr(value);
    } else if (spec.type == '\0') {
        digits = formatDouble(value, 'g', std::max(precision, 1), spec.isAlternate);
        const bool isPlain = digits.find_first_not_of("-0123456789") == std::string::npos;
        // Without a type there is a digit behind the point, unless that needs the exponent form.
        if (isPlain && static_cast<int>(digits.size()) - (value < 0 ? 1 : 0) < precision)
            digits += ".0";
        else if (isPlain)
            digits = shortExponent(value, std::max(precision - 1, 0), spec.isAlternate);
    } else if (spec.type == '%') {
        digits = formatDouble(value * 100, 'f', precision, spec.isAlternate) + "%";
    } else {
        digits =
            formatDouble(value, spec.type == 'n' ? 'g' : spec.type, precision, spec.isAlternate);
    }
    writeNumber(r, out, std::move(digits), spec);
}

void writeInteger(Renderer& r, Builder& out, const Value& value, const Spec& spec) {
    if (spec.precision >= 0) {
        r.fail("Precision not allowed in integer format specifier");
    } else if (spec.type == 'c') {
        std::string one;
        if (value.asInt() < 0 || value.asInt() > 0x10FFFF)
            r.fail("%c arg not in range(0x110000)");
        else
            appendUtf8(one, static_cast<uint32_t>(value.asInt()));
        pad(out, Text(cleanUtf8(one), false), spec.width,
            spec.align == '\0' || spec.align == '0' ? '<' : spec.align, spec.fill);
    } else {
        writeNumber(r, out, *integerText(value.asInt(), spec.type, spec.isAlternate), spec);
    }
}

/// One str.format call.
class BraceFormat {
public:
    BraceFormat(Renderer& renderer, Arguments& arguments) : r_(renderer), arguments_(arguments) {}

    void write(Builder& out, const Text& format, int level) {
        if (level > 2) {
            r_.fail("Max string recursion exceeded");
            return;
        }
        const std::string& f = format.bytes();
        size_t pos = 0;
        while (pos < f.size() && r_.tick()) {
            const size_t brace = std::min(f.find_first_of("{}", pos), f.size());
            out.append(format, pos, brace);
            pos = brace;
            if (pos >= f.size()) break;
            if (pos + 1 < f.size() && f[pos + 1] == f[pos]) {
                out.append(format, pos, pos + 1);
                pos += 2;
            } else if (f[pos] == '}') {
                r_.fail("Single '}' encountered in format string");
            } else {
                pos = field(out, format, pos + 1, level);
            }
        }
    }

private:
    size_t field(Builder& out, const Text& format, size_t begin, int level) {
        const std::string& f = format.bytes();
        size_t end = begin, colon = std::string::npos, bang = std::string::npos;
        int depth = 1;
        bool isInBrackets = false;
        for (; end < f.size(); ++end) {
            const char c = f[end];
            if (c == '[' && colon == std::string::npos) isInBrackets = true;
            if (c == ']') isInBrackets = false;
            if (isInBrackets) continue;
            if (c == '{') ++depth;
            if (c == '}' && --depth == 0) break;
            if (c == ':' && depth == 1 && colon == std::string::npos) colon = end;
            if (c == '!' && depth == 1 && colon == std::string::npos && bang == std::string::npos)
                bang = end;
        }
        if (end >= f.size()) {
            r_.fail("expected '}' before end of string");
            return f.size();
        }
        const size_t nameEnd = std::min({end, colon, bang});
        Value value = lookUp(f.substr(begin, nameEnd - begin));
        if (bang != std::string::npos) {
            const char conversion = bang + 1 < f.size() ? f[bang + 1] : '\0';
            const bool isRight = std::min(colon, end) == bang + 2;
            if (!isRight || std::string_view("rsa").find(conversion) == std::string_view::npos)
                r_.fail("bad conversion in the format string");
            Builder converted(r_);
            if (conversion == 's')
                r_.writeStr(converted, value);
            else if (conversion == 'r')
                r_.writeRepr(converted, value);
            else
                writeAscii(r_, converted, value);
            value = converted.value();
        }
        Builder spec(r_);
        if (colon != std::string::npos) write(spec, format.sub(colon + 1, end), level + 1);
        if (r_.failed()) return end + 1;
        if (format.isSafe) {
            Builder one(r_);
            formatValue(r_, one, value, spec.take());
            Text text = one.take();
            text.isSafe = value.isString() && value.asText().isSafe;
            out.appendHtml(text);
        } else {
            formatValue(r_, out, value, spec.take());
        }
        return end + 1;
    }

    Value lookUp(const std::string& field) {
        const size_t first = std::min(field.find_first_of(".["), field.size());
        Value value = root(field.substr(0, first));
        size_t pos = first;
        while (pos < field.size() && r_.tick()) {
            const bool isItem = field[pos] == '[';
            size_t end = isItem ? field.find(']', pos) : field.find_first_of(".[", pos + 1);
            if (isItem && end == std::string::npos) return r_.fail("Missing ']' in format string");
            end = std::min(end, field.size());
            const std::string name = field.substr(pos + 1, end - pos - 1);
            if (name.empty()) return r_.fail("Empty attribute in format string");
            const Value key = Value::string(name, false);
            if (!isItem)
                value = r_.attribute(value, key);
            else if (const auto index = indexOf(name))
                value = r_.item(value, Value::integer(*index));
            else
                value = r_.item(value, key);
            pos = isItem ? end + 1 : end;
        }
        return value;
    }

    static std::optional<int64_t> indexOf(const std::string& name) {
        if (name.empty() || name.size() > 12) return std::nullopt;
        int64_t index = 0;
        for (const char c : name) {
            if (!isDigit(c)) return std::nullopt;
            index = index * 10 + (c - '0');
        }
        return index;
    }

    Value root(const std::string& name) {
        std::optional<int64_t> index = indexOf(name);
        if (name.empty()) index = next_++;
        if (index) (name.empty() ? isAutomatic_ : isManual_) = true;
        if (isAutomatic_ && isManual_)
            return r_.fail("the format numbers some fields and leaves others without number");
        if (!index) {
            for (const auto& [known, value] : arguments_.named)
                if (known == name) return value;
            return r_.fail("there is no argument '" + name.substr(0, 60) + "' for the format");
        }
        if (*index >= static_cast<int64_t>(arguments_.positional.size()))
            return r_.fail("Replacement index " + std::to_string(*index) +
                           " out of range for positional args tuple");
        return arguments_.positional[static_cast<size_t>(*index)];
    }

    Renderer& r_;
    Arguments& arguments_;
    int64_t next_ = 0;
    bool isAutomatic_ = false, isManual_ = false;
};

}  // namespace

void writeAscii(Renderer& r, Builder& out, const Value& value) {
    Builder repr(r);
    r.writeRepr(repr, value);
    const Text text = repr.take();
    for (size_t pos = 0; pos < text.size() && r.tick();) {
        const CodePoint c = decodeUtf8(text.bytes(), pos);
        if (c.value < 0x80)
            out.append(text, pos, pos + 1);
        else
            out.append(numericEscape(c.value), text.isInputAt(pos));
        pos += c.nBytes;
    }
}

void formatValue(Renderer& r, Builder& out, const Value& value, const Text& specText) {
    if (specText.empty()) return r.writeStr(out, value);
    const Spec spec(specText);
    const auto allows = [&](std::string_view types) {
        return spec.isRight &&
               (spec.type == '\0' || types.find(spec.type) != std::string_view::npos);
    };
    if (value.isString() && allows("s") && !spec.hasSign && !spec.clearsZero && spec.align != '=' &&
        spec.group == '\0' && !spec.isAlternate) {
        Text text = value.asText();
        if (spec.precision >= 0)
            text = text.sub(0, byteOfCharacter(text.bytes(), static_cast<size_t>(spec.precision)));
        pad(out, text, spec.width, spec.align == '\0' || spec.align == '0' ? '<' : spec.align,
            spec.fill);
    } else if (value.isWhole() && allows("bcdoxXn") && !spec.clearsZero) {
        writeInteger(r, out, value, spec);
    } else if (value.isNumber() && allows("eEfFgGn%")) {
        writeDouble(r, out, value.asDouble(), spec);
    } else {
        r.fail("Invalid format specifier " + r.reprOf(Value::text(specText)) +
               " for object of type '" + typeNameOf(value) + "'");
    }
}

Value formatBraces(Renderer& renderer, const Text& format, Arguments& arguments) {
    Builder out(renderer);
    BraceFormat(renderer, arguments).write(out, format, 1);
    Text text = out.take();
    text.isSafe = format.isSafe;
    return Value::text(std::move(text));
}

}  // namespace vitrine::engine::jinja
