#include <cmath>

#include "engine/text/jinja/filters.h"

namespace vitrine::engine::jinja {

namespace {

Value absolute(Renderer& r, const Value& input, Arguments& arguments) {
    if (!Params(r, "abs", arguments, {}).ok()) return {};
    if (input.isUndefined()) return r.failUndefined(input);
    if (!input.isNumber())
        return r.fail(std::string("bad operand type for abs(): '") + typeNameOf(input) + "'");
    if (input.is(Kind::Float)) return Value::number(std::fabs(input.asDouble()));
    return input.asInt() < 0 ? r.binary(Op::Subtract, Value::integer(0), input)
                             : Value::integer(input.asInt());
}

Value wholeOf(Renderer& r, double value, const Value& fallback, bool isText) {
    if (std::isnan(value) || (std::isinf(value) && isText)) return fallback;
    if (std::isinf(value)) return r.fail("cannot convert float infinity to integer");
    if (!(value > -9.3e18 && value < 9.2e18)) return r.fail("the number does not fit 64 bits");
    return Value::integer(static_cast<int64_t>(value));
}

Value toInteger(Renderer& r, const Value& input, Arguments& arguments) {
    Params p(r, "int", arguments, {"default", "base"});
    const int64_t base = p.integer(1, 10);
    if (!p.ok()) return {};
    const Value fallback = p.isGiven(0) ? p[0] : Value::integer(0);
    if (input.isUndefined()) return r.failUndefined(input);
    if (input.isWhole()) return Value::integer(input.asInt());
    if (input.is(Kind::Float)) return wholeOf(r, input.asDouble(), fallback, false);
    if (!input.isString() || !r.tick(input.asText().size())) return fallback;
    const std::string& text = input.asText().bytes();
    if (base == 0 || (base >= 2 && base <= 36))
        if (const auto value = parseInteger(text, static_cast<int>(base)))
            return Value::integer(*value);
    const auto value = parseDouble(text);
    return value ? wholeOf(r, *value, fallback, true) : fallback;
}

Value toFloat(Renderer& r, const Value& input, Arguments& arguments) {
    Params p(r, "float", arguments, {"default"});
    if (!p.ok()) return {};
    if (input.isUndefined()) return r.failUndefined(input);
    if (input.isNumber()) return Value::number(input.asDouble());
    if (input.isString() && r.tick(input.asText().size()))
        if (const auto value = parseDouble(input.asText().bytes())) return Value::number(*value);
    return p.isGiven(0) ? p[0] : Value::number(0);
}

Value round(Renderer& r, const Value& input, Arguments& arguments) {
    Params p(r, "round", arguments, {"precision", "method"});
    const int64_t precision = p.integer(0, 0);
    const std::string method = p.text(1, "common").bytes();
    if (!p.ok()) return {};
    if (method != "common" && method != "ceil" && method != "floor")
        return r.fail("method must be common, ceil or floor");
    if (input.isUndefined()) return r.failUndefined(input);
    if (!input.isNumber())
        return r.fail(std::string("type ") + typeNameOf(input) + " doesn't define __round__");
    if (method == "common") return roundHalfEven(r, input, precision);
    const double unit = std::pow(10.0, static_cast<double>(precision));
    const double scaled = input.asDouble() * unit;
    if (!std::isfinite(scaled) || unit == 0) return r.fail("the number is too large to round");
    return Value::number(((method == "ceil" ? std::ceil(scaled) : std::floor(scaled)) + 0.0) /
                         unit);
}

Value fileSize(Renderer& r, const Value& input, Arguments& arguments) {
    Params p(r, "filesizeformat", arguments, {"binary"});
    const bool isBinary = p.boolean(0, false);
    Arguments none;
    if (!p.ok()) return {};
    std::optional<double> size;
    if (input.isNumber()) size = input.asDouble();
    if (input.isString()) size = parseDouble(input.asText().bytes());
    if (!size) return r.fail("filesizeformat wants a number");
    const double base = isBinary ? 1024 : 1000;
    constexpr const char* kLetters[] = {"k", "M", "G", "T", "P", "E", "Z", "Y"};
    if (*size == 1) return Value::string("1 Byte", false);
    if (*size < base)
        return std::isfinite(*size)
                   ? Value::string(formatDouble(std::trunc(*size) + 0.0, 'f', 0, false) + " Bytes",
                                   false)
                   : r.fail("filesizeformat wants a finite number");
    double unit = base * base;
    size_t i = 0;
    for (; i + 1 < std::size(kLetters) && !(*size < unit); ++i) unit *= base;
    const std::string letter = isBinary && i == 0 ? "K" : kLetters[i];
    return Value::string(
        formatDouble(base * *size / unit, 'f', 1, false) + " " + letter + (isBinary ? "iB" : "B"),
        false);
}

constexpr Filter kFilters[] = {{"abs", absolute},
                               {"int", toInteger},
                               {"float", toFloat},
                               {"round", round},
                               {"filesizeformat", fileSize}};

}  // namespace

std::span<const Filter> numberFilters() noexcept {
    return kFilters;
}

}  // namespace vitrine::engine::jinja
