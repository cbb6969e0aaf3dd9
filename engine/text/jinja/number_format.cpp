#include <charconv>
#include <cmath>
#include <cstdio>

#include "engine/text/jinja/characters.h"
#include "engine/text/jinja/filters.h"
#include "engine/text/jinja/renderer.h"
#include "engine/text/unicode.h"

namespace vitrine::engine::jinja {

namespace {

constexpr int kMaxPrecision = 1000;

/// Decimal digits of any script as 0…9; each script has its ten in a row.
std::string withAsciiDigits(std::string_view text) {
    std::string ascii;
    for (size_t pos = 0; pos < text.size();) {
        const CodePoint c = decodeUtf8(text, pos);
        if (c.value >= 0x80 && isDecimal(c.value)) {
            uint32_t zero = c.value;
            while (isDecimal(zero - 1)) --zero;
            ascii += static_cast<char>('0' + (c.value - zero) % 10);
        } else {
            ascii += text.substr(pos, c.nBytes);
        }
        pos += c.nBytes;
    }
    return ascii;
}

/// Digits with single underscores between them, blanks at the sides: what int() and float() take.
std::optional<std::string> cleanNumber(std::string_view text) {
    const Span span = strippedSpan(text, true, true);
    const std::string ascii = withAsciiDigits(text.substr(span.from, span.to - span.from));
    text = ascii;
    std::string clean;
    for (size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '_') {
            clean += text[i];
            continue;
        }
        const auto isDigit = [&](size_t k) {
            return k < text.size() && std::isalnum(static_cast<unsigned char>(text[k])) != 0;
        };
        if (i == 0 || !isDigit(i - 1) || !isDigit(i + 1)) return std::nullopt;
    }
    if (clean.empty()) return std::nullopt;
    return clean;
}

}  // namespace

std::optional<int64_t> parseInteger(std::string_view text, int base) {
    const auto clean = cleanNumber(text);
    if (!clean) return std::nullopt;
    size_t pos = (*clean)[0] == '-' || (*clean)[0] == '+' ? 1 : 0;
    const bool isNegative = (*clean)[0] == '-';
    const auto mark = pos + 1 < clean->size() && (*clean)[pos] == '0'
                          ? static_cast<char>((*clean)[pos + 1] | 0x20)
                          : '\0';
    const int marked = mark == 'x' ? 16 : mark == 'o' ? 8 : mark == 'b' ? 2 : 0;
    if (marked != 0 && (base == 0 || base == marked)) {
        base = marked;
        pos += 2;
        if (pos < clean->size() && !std::isalnum(static_cast<unsigned char>((*clean)[pos])))
            return std::nullopt;
    } else if (base == 0) {
        base = 10;
    }
    const std::string digits = (isNegative ? "-" : "") + clean->substr(pos);
    if (pos >= clean->size() || (*clean)[pos] == '-') return std::nullopt;
    int64_t value = 0;
    const char* end = digits.data() + digits.size();
    const auto read = std::from_chars(digits.data(), end, value, base);
    if (read.ec != std::errc() || read.ptr != end) return std::nullopt;
    return value;
}

std::optional<double> parseDouble(std::string_view text) {
    const auto clean = cleanNumber(text);
    if (!clean) return std::nullopt;
    std::string lower = *clean;
    for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    size_t pos = lower[0] == '+' || lower[0] == '-' ? 1 : 0;
    const bool isNegative = lower[0] == '-';
    const std::string rest = lower.substr(pos);
    if (rest == "inf" || rest == "infinity") return isNegative ? -HUGE_VAL : HUGE_VAL;
    if (rest == "nan") return std::nan("");
    if (rest.empty() || rest.find_first_not_of("0123456789.e+-") != std::string::npos)
        return std::nullopt;
    double value = 0;
    const auto read = std::from_chars(rest.data(), rest.data() + rest.size(), value);
    if (rest[0] == '-' || rest[0] == '+' || read.ptr != rest.data() + rest.size())
        return std::nullopt;
    if (read.ec == std::errc::result_out_of_range) {
        // Too large or too small: the exponent's sign tells.
        const size_t e = rest.find('e');
        const bool isSmall = e != std::string::npos && e + 1 < rest.size() && rest[e + 1] == '-';
        value = isSmall ? 0 : HUGE_VAL;
    } else if (read.ec != std::errc()) {
        return std::nullopt;
    }
    return isNegative ? -value : value;
}

std::string formatDouble(double value, char type, int precision, bool isAlternate) {
    if (std::isnan(value)) return type == 'F' || type == 'E' || type == 'G' ? "NAN" : "nan";
    if (std::isinf(value)) {
        const bool isUpper = type == 'F' || type == 'E' || type == 'G';
        return std::string(value < 0 ? "-" : "") + (isUpper ? "INF" : "inf");
    }
    const std::string format =
        std::string("%") + (isAlternate ? "#" : "") + ".*" + std::string(1, type);
    const int n =
        std::snprintf(nullptr, 0, format.c_str(), std::min(precision, kMaxPrecision), value);
    std::string text(static_cast<size_t>(n) + 1, '\0');
    std::snprintf(text.data(), text.size(), format.c_str(), std::min(precision, kMaxPrecision),
                  value);
    text.pop_back();
    return text;
}

std::optional<std::string> integerText(int64_t value, char type, bool isAlternate) {
    const int base = type == 'x' || type == 'X' ? 16 : type == 'o' ? 8 : type == 'b' ? 2 : 10;
    char buffer[72];
    const uint64_t size =
        value < 0 ? uint64_t{0} - static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
    const auto written = std::to_chars(buffer, buffer + sizeof buffer, size, base);
    std::string digits(buffer, written.ptr);
    if (type == 'X')
        for (char& c : digits) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    const std::string prefix = isAlternate && base != 10 ? std::string("0") + type : std::string();
    return (value < 0 ? "-" : "") + prefix + digits;
}

void pad(Builder& out, const Text& text, int64_t width, char align, const Text& fill,
         size_t signBytes) {
    const auto n = static_cast<int64_t>(countCharacters(text.bytes()));
    const int64_t missing = width > n ? width - n : 0;
    if (align == '=') {
        out.append(text, 0, signBytes);
        out.fill(fill, missing);
        out.append(text, signBytes, text.size());
        return;
    }
    const int64_t before = align == '>' ? missing : align == '^' ? missing / 2 : 0;
    out.fill(fill, before);
    out.append(text);
    out.fill(fill, missing - before);
}

/// round(value, precision) of Python: to even in the middle, exact in decimal.
Value roundHalfEven(Renderer& r, const Value& value, int64_t precision) {
    if (value.isWhole()) {
        if (precision >= 0) return Value::integer(value.asInt());
        if (precision < -18) return Value::integer(0);
        int64_t unit = 1;
        for (int64_t i = precision; i < 0; ++i) unit *= 10;
        const int64_t a = value.asInt();
        int64_t low = a / unit * unit;
        if (a % unit < 0) low -= unit;
        const int64_t rest = a - low;
        const bool isUp = rest > unit - rest || (rest == unit - rest && low / unit % 2 != 0);
        if (isUp && __builtin_add_overflow(low, unit, &low))
            return r.fail("the number does not fit 64 bits");
        return Value::integer(low);
    }
    const double x = value.asDouble();
    if (!std::isfinite(x) || precision > 330) return Value::number(x);
    if (precision < -330) return Value::number(std::copysign(0.0, x));
    if (precision >= 0) {
        const auto rounded = parseDouble(formatDouble(x, 'f', static_cast<int>(precision), false));
        return Value::number(std::copysign(std::fabs(rounded.value_or(x)), x));
    }
    // Digits before the point: those of %e, cut where the precision says.
    const int exponent = x == 0 ? 0 : static_cast<int>(std::floor(std::log10(std::fabs(x))));
    const auto digits = static_cast<int>(exponent + precision);
    if (digits < 0) {
        const double unit = std::pow(10.0, static_cast<double>(-precision));
        return Value::number(std::copysign(std::fabs(x) > unit / 2 ? unit : 0.0, x));
    }
    const auto rounded = parseDouble(formatDouble(x, 'e', digits, false));
    return Value::number(rounded.value_or(x));
}

}  // namespace vitrine::engine::jinja
