#include <cmath>

#include "engine/text/jinja/filters.h"
#include "engine/text/jinja/renderer.h"

namespace vitrine::engine::jinja {

namespace {

enum class Order : uint8_t { Less, Equal, Greater, None };

Order orderOf(double a, double b) {
    return a < b ? Order::Less : a > b ? Order::Greater : a == b ? Order::Equal : Order::None;
}

/// Exact between integers and floating point: 64 bits of mantissa hold both.
Order numberOrder(const Value& a, const Value& b) {
    const auto wide = [](const Value& v) {
        return v.is(Kind::Float) ? static_cast<long double>(v.asDouble())
                                 : static_cast<long double>(v.asInt());
    };
    const long double x = wide(a), y = wide(b);
    return x < y ? Order::Less : x > y ? Order::Greater : x == y ? Order::Equal : Order::None;
}

bool isSequence(const Value& v) {
    return v.is(Kind::List) || v.is(Kind::Tuple);
}

const char* nameOf(Op op) {
    switch (op) {
        case Op::Add: return "+";
        case Op::Subtract: return "-";
        case Op::Multiply: return "*";
        case Op::Divide: return "/";
        case Op::FloorDivide: return "//";
        case Op::Modulo: return "%";
        default: return "** or pow()";
    }
}

/// a op b of doubles as Python has it; b is not zero where it divides.
double floatResult(Op op, double a, double b) {
    switch (op) {
        case Op::Add: return a + b;
        case Op::Subtract: return a - b;
        case Op::Multiply: return a * b;
        case Op::Divide: return a / b;
        default: break;
    }
    double rest = std::fmod(a, b);
    if (rest != 0 && (rest < 0) != (b < 0)) rest += b;
    if (op == Op::Modulo) return rest == 0 ? std::copysign(0.0, b) : rest;
    const double quotient = (a - rest) / b;
    const double whole = std::floor(quotient);
    return quotient == 0 ? std::copysign(0.0, a / b) : quotient - whole > 0.5 ? whole + 1 : whole;
}

/// Nothing when it does not fit 64 bits.
std::optional<int64_t> integerResult(Op op, int64_t a, int64_t b) {
    int64_t result = 0;
    switch (op) {
        case Op::Add:
            if (__builtin_add_overflow(a, b, &result)) return std::nullopt;
            return result;
        case Op::Subtract:
            if (__builtin_sub_overflow(a, b, &result)) return std::nullopt;
            return result;
        case Op::Multiply:
            if (__builtin_mul_overflow(a, b, &result)) return std::nullopt;
            return result;
        default: break;
    }
    if (b == -1) {  // the smallest integer has no opposite
        if (op == Op::Modulo) return 0;
        if (__builtin_sub_overflow(int64_t{0}, a, &result)) return std::nullopt;
        return result;
    }
    int64_t quotient = a / b, rest = a % b;
    if (rest != 0 && (rest < 0) != (b < 0)) {
        --quotient;
        rest += b;
    }
    return op == Op::Modulo ? rest : quotient;
}

std::optional<int64_t> integerPower(int64_t base, int64_t exponent) {
    int64_t result = 1;
    if (base == 0 || base == 1) return exponent == 0 ? 1 : base;
    if (base == -1) return exponent % 2 == 0 ? 1 : -1;
    for (; exponent > 0; --exponent)
        if (__builtin_mul_overflow(result, base, &result)) return std::nullopt;
    return result;
}

Value power(Renderer& r, const Value& a, const Value& b) {
    if (a.isWhole() && b.isWhole() && b.asInt() >= 0) {
        const auto result = integerPower(a.asInt(), b.asInt());
        return result ? Value::integer(*result) : r.fail("the number does not fit 64 bits");
    }
    const double x = a.asDouble(), y = b.asDouble();
    if (x == 0 && y < 0) return r.fail("0.0 cannot be raised to a negative power");
    if (x < 0 && y != std::floor(y) && std::isfinite(y))
        return r.fail("the power of a negative number is complex");
    const double result = std::pow(x, y);
    if (std::isinf(result) && std::isfinite(x) && std::isfinite(y))
        return r.fail("Numerical result out of range");
    return Value::number(result);
}

Value arithmetic(Renderer& r, Op op, const Value& a, const Value& b) {
    if (op == Op::Power) return power(r, a, b);
    const bool divides = op == Op::Divide || op == Op::FloorDivide || op == Op::Modulo;
    if (divides && b.asDouble() == 0) return r.fail("division by zero");
    if (op == Op::Divide && a.isWhole() && b.isWhole())
        return Value::number(static_cast<double>(static_cast<long double>(a.asInt()) /
                                                 static_cast<long double>(b.asInt())));
    if (a.is(Kind::Float) || b.is(Kind::Float))
        return Value::number(floatResult(op, a.asDouble(), b.asDouble()));
    const auto result = integerResult(op, a.asInt(), b.asInt());
    return result ? Value::integer(*result) : r.fail("the number does not fit 64 bits");
}

Value repeat(Renderer& r, const Value& sequence, int64_t times) {
    if (sequence.isString()) {
        Builder out(r);
        out.fill(sequence.asText(), times);
        Text text = out.take();
        text.isSafe = sequence.asText().isSafe;
        return Value::text(std::move(text));
    }
    const std::vector<Value>& items = sequence.items();
    const uint64_t n = times > 0 ? static_cast<uint64_t>(times) : 0;
    const bool isTooMuch = !items.empty() && n > (uint64_t{1} << 40) / items.size();
    if (!r.room(isTooMuch ? UINT64_MAX / 2 : n * items.size() * sizeof(Value))) return {};
    std::vector<Value> all;
    all.reserve(items.size() * static_cast<size_t>(n));
    for (uint64_t i = 0; i < n && !items.empty(); ++i)
        all.insert(all.end(), items.begin(), items.end());
    return sequence.is(Kind::List) ? Value::list(std::move(all)) : Value::tuple(std::move(all));
}

Value joined(Renderer& r, const Value& a, const Value& b) {
    if (a.isString()) {
        Builder out(r);
        const bool isSafe = a.asText().isSafe || b.asText().isSafe;
        for (const Value* part : {&a, &b}) {
            if (isSafe)
                out.appendHtml(part->asText());
            else
                out.append(part->asText());
        }
        Text text = out.take();
        text.isSafe = isSafe;
        return Value::text(std::move(text));
    }
    if (!r.room((a.items().size() + b.items().size()) * sizeof(Value))) return {};
    std::vector<Value> all;
    all.reserve(a.items().size() + b.items().size());
    all.insert(all.end(), a.items().begin(), a.items().end());
    all.insert(all.end(), b.items().begin(), b.items().end());
    return a.is(Kind::List) ? Value::list(std::move(all)) : Value::tuple(std::move(all));
}

}  // namespace

bool Renderer::truth(const Value& value) {
    switch (value.kind()) {
        case Kind::Undefined:
        case Kind::None: return false;
        case Kind::Bool: return value.asBool();
        case Kind::Int: return value.asInt() != 0;
        case Kind::Float: return value.asDouble() != 0;
        case Kind::String: return !value.asText().empty();
        case Kind::List:
        case Kind::Tuple: return !value.items().empty();
        case Kind::Dict: return !value.asDict().entries.empty();
        case Kind::Range: return value.asRange().length > 0;
        case Kind::Iterator: return value.asIterator().isOnce || !value.asIterator().items.empty();
        case Kind::Native: return true;
    }
    return true;
}

bool Renderer::equals(const Value& a, const Value& b) {
    const Depth guard(*this);
    if (!tick()) return false;
    if (a.isNumber() && b.isNumber()) return numberOrder(a, b) == Order::Equal;
    if (a.kind() != b.kind()) return false;
    switch (a.kind()) {
        case Kind::Undefined:
        case Kind::None: return true;
        case Kind::String:
            return tick(std::min(a.asText().size(), b.asText().size()) / 256) &&
                   a.asText().bytes() == b.asText().bytes();
        case Kind::List:
        case Kind::Tuple:
            if (a.object() == b.object()) return true;
            if (a.items().size() != b.items().size()) return false;
            for (size_t i = 0; i < a.items().size(); ++i)
                if (!equals(a.items()[i], b.items()[i])) return false;
            return true;
        case Kind::Dict: {
            if (a.object() == b.object()) return true;
            if (a.asDict().entries.size() != b.asDict().entries.size()) return false;
            for (const auto& [key, value] : a.asDict().entries) {
                const Value* other = b.asDict().find(key);
                if (other == nullptr || !equals(value, *other)) return false;
            }
            return true;
        }
        case Kind::Range: {
            const RangeObject &x = a.asRange(), &y = b.asRange();
            return x.length == y.length && (x.length == 0 || x.start == y.start) &&
                   (x.length < 2 || x.step == y.step);
        }
        default: return a.object() == b.object();
    }
}

namespace {

Order sequenceOrder(Renderer& r, const Value& a, const Value& b, const char* op);

Order valueOrder(Renderer& r, const Value& a, const Value& b, const char* op) {
    const Renderer::Depth guard(r);
    if (!r.tick()) return Order::None;
    if (a.isNumber() && b.isNumber()) return numberOrder(a, b);
    if (a.isString() && b.isString()) {
        if (!r.tick(std::min(a.asText().size(), b.asText().size()) / 256)) return Order::None;
        const int order = a.asText().bytes().compare(b.asText().bytes());
        return orderOf(order, 0);
    }
    if (isSequence(a) && a.kind() == b.kind()) return sequenceOrder(r, a, b, op);
    for (const Value* v : {&a, &b}) {
        if (!v->isUndefined()) continue;
        r.failUndefined(*v);
        return Order::None;
    }
    r.fail(std::string("'") + op + "' not supported between instances of '" + typeNameOf(a) +
           "' and '" + typeNameOf(b) + "'");
    return Order::None;
}

Order sequenceOrder(Renderer& r, const Value& a, const Value& b, const char* op) {
    const size_t n = std::min(a.items().size(), b.items().size());
    for (size_t i = 0; i < n && !r.failed(); ++i)
        if (!r.equals(a.items()[i], b.items()[i]))
            return valueOrder(r, a.items()[i], b.items()[i], op);
    return numberOrder(Value::integer(static_cast<int64_t>(a.items().size())),
                       Value::integer(static_cast<int64_t>(b.items().size())));
}

}  // namespace

bool Renderer::less(const Value& a, const Value& b, const char* op) {
    return valueOrder(*this, a, b, op) == Order::Less;
}

bool Renderer::lessOrEqual(const Value& a, const Value& b, const char* op) {
    const Order order = valueOrder(*this, a, b, op);
    return order == Order::Less || order == Order::Equal;
}

bool Renderer::contains(const Value& container, const Value& item) {
    if (container.isString()) {
        if (!item.isString()) {
            fail(std::string("'in <string>' requires string as left operand, not ") +
                 typeNameOf(item));
            return false;
        }
        return tick(container.asText().size() / 64) &&
               container.asText().bytes().find(item.asText().bytes()) != std::string::npos;
    }
    if (container.is(Kind::Dict))
        return checkHashable(item) && container.asDict().find(item) != nullptr;
    if (container.isNumber() || container.isNone() || container.is(Kind::Native)) {
        fail(std::string("argument of type '") + typeNameOf(container) + "' is not iterable");
        return false;
    }
    const Items items(*this, container);
    for (size_t i = 0; i < items.size() && tick(); ++i) {
        const Value one = items.at(i);
        if ((one.object() != nullptr && one.object() == item.object()) || equals(one, item))
            return true;
    }
    return false;
}

namespace {

size_t hashCost(const Value& tuple) {
    size_t cost = tuple.items().size();
    for (const Value& item : tuple.items()) cost += item.isString() ? item.asText().size() / 32 : 0;
    return cost;
}

}  // namespace

bool Renderer::checkHashable(const Value& key) {
    if (key.isString()) return tick(key.asText().size() / 32);
    if (isHashable(key)) return tick(key.is(Kind::Tuple) ? hashCost(key) : 1);
    fail(std::string("unhashable type: '") + typeNameOf(key) + "'");
    return false;
}

Value Renderer::unary(Op op, const Value& value) {
    if (isFailed_) return {};
    if (value.isUndefined()) return failUndefined(value);
    if (!value.isNumber())
        return fail(std::string("bad operand type for unary ") + (op == Op::Negate ? "-" : "+") +
                    ": '" + typeNameOf(value) + "'");
    if (value.is(Kind::Float))
        return Value::number(op == Op::Negate ? -value.asDouble() : value.asDouble());
    return op == Op::Plus ? Value::integer(value.asInt())
                          : binary(Op::Subtract, Value::integer(0), value);
}

Value Renderer::binary(Op op, const Value& a, const Value& b) {
    if (op == Op::Modulo && a.isString()) return formatPercent(*this, a.asText(), b);
    for (const Value* v : {&a, &b})
        if (v->isUndefined()) return failUndefined(*v);
    if (a.isNumber() && b.isNumber()) return arithmetic(*this, op, a, b);
    const bool aIsSequence = a.isString() || isSequence(a),
               bIsSequence = b.isString() || isSequence(b);
    if (op == Op::Multiply && aIsSequence && b.isWhole()) return repeat(*this, a, b.asInt());
    if (op == Op::Multiply && bIsSequence && a.isWhole()) return repeat(*this, b, a.asInt());
    if (op == Op::Add && aIsSequence && a.kind() == b.kind()) return joined(*this, a, b);
    if (op == Op::Add && a.isString())
        return fail(std::string("can only concatenate str (not \"") + typeNameOf(b) + "\") to str");
    return fail(std::string("unsupported operand type(s) for ") + nameOf(op) + ": '" +
                typeNameOf(a) + "' and '" + typeNameOf(b) + "'");
}

/// A merge sort: it stays within its bounds whatever the order of values is.
void Renderer::sort(std::vector<std::pair<Value, Value>>& keyed, bool isReverse) {
    std::vector<std::pair<Value, Value>> other(keyed.size());
    for (size_t width = 1; width < keyed.size() && tick(); width *= 2) {
        for (size_t begin = 0; begin < keyed.size(); begin += 2 * width) {
            const size_t middle = std::min(begin + width, keyed.size());
            const size_t end = std::min(begin + 2 * width, keyed.size());
            size_t a = begin, b = middle;
            for (size_t out = begin; out < end; ++out) {
                const bool takesB =
                    a == middle || (b < end && !isFailed_ &&
                                    (isReverse ? less(keyed[a].first, keyed[b].first)
                                               : less(keyed[b].first, keyed[a].first)));
                other[out] = std::move(keyed[takesB ? b++ : a++]);
            }
        }
        keyed.swap(other);
    }
}

}  // namespace vitrine::engine::jinja
