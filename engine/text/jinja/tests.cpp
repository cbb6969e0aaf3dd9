#include <cmath>

#include "engine/text/jinja/filters.h"

namespace vitrine::engine::jinja {

namespace {

bool noArguments(Renderer& r, const char* name, Arguments& arguments) {
    return Params(r, name, arguments, {}).ok();
}

template <Kind kKind>
bool isKind(Renderer& r, const Value& v, Arguments& arguments) {
    return noArguments(r, "test", arguments) && v.is(kKind);
}

template <bool kValue>
bool isBool(Renderer& r, const Value& v, Arguments& arguments) {
    return noArguments(r, "test", arguments) && v.is(Kind::Bool) && v.asBool() == kValue;
}

bool isDefined(Renderer& r, const Value& v, Arguments& arguments) {
    return noArguments(r, "defined", arguments) && !v.isUndefined();
}

bool isNumber(Renderer& r, const Value& v, Arguments& arguments) {
    return noArguments(r, "number", arguments) && v.isNumber();
}

bool isSequence(Renderer& r, const Value& v, Arguments& arguments) {
    return noArguments(r, "sequence", arguments) &&
           (v.isString() || v.is(Kind::List) || v.is(Kind::Tuple) || v.is(Kind::Dict) ||
            v.isUndefined() || v.is(Kind::Range));
}

bool isIterable(Renderer& r, const Value& v, Arguments& arguments) {
    if (!noArguments(r, "iterable", arguments)) return false;
    return !v.isNone() && !v.isNumber() && !v.is(Kind::Native);
}

bool isCallable(Renderer& r, const Value& v, Arguments& arguments) {
    if (!noArguments(r, "callable", arguments)) return false;
    // An undefined value can be called: that then fails.
    return v.isUndefined() || (v.is(Kind::Native) && v.asNative().isCallable());
}

bool isSameAs(Renderer& r, const Value& v, Arguments& arguments) {
    Params p(r, "sameas", arguments, {"other"}, 1);
    if (!p.ok() || v.kind() != p[0].kind()) return false;
    if (v.is(Kind::Bool)) return v.asBool() == p[0].asBool();
    if (v.is(Kind::Int)) return v.asInt() == p[0].asInt() && v.asInt() >= -5 && v.asInt() <= 256;
    if (v.is(Kind::Float)) return false;
    if (v.isString() && countCharacters(v.asText().bytes()) <= 1)
        return v.asText().bytes() == p[0].asText().bytes();
    return v.object() == p[0].object();
}

bool isEscaped(Renderer& r, const Value& v, Arguments& arguments) {
    return noArguments(r, "escaped", arguments) && v.isString() && v.asText().isSafe;
}

bool isIn(Renderer& r, const Value& v, Arguments& arguments) {
    Params p(r, "in", arguments, {"seq"}, 1);
    return p.ok() && r.contains(p[0], v);
}

template <CompareOp kOp>
bool compare(Renderer& r, const Value& v, Arguments& arguments) {
    Params p(r, "comparison", arguments, {"other"}, 1);
    if (!p.ok()) return false;
    switch (kOp) {
        case CompareOp::Equal: return r.equals(v, p[0]);
        case CompareOp::NotEqual: return !r.equals(v, p[0]);
        case CompareOp::Less: return r.less(v, p[0], "<");
        case CompareOp::LessEqual: return r.lessOrEqual(v, p[0], "<=");
        case CompareOp::Greater: return r.less(p[0], v, ">");
        default: return r.lessOrEqual(p[0], v, ">=");
    }
}

/// value % divisor == rest.
bool hasRest(Renderer& r, const Value& v, const Value& divisor, int64_t rest) {
    if (v.isString()) {
        const Value text = r.binary(Op::Modulo, v, divisor);
        return !r.failed() && r.equals(text, Value::integer(rest));
    }
    const Value left = r.binary(Op::Modulo, v, divisor);
    return !r.failed() && r.equals(left, Value::integer(rest));
}

bool isOdd(Renderer& r, const Value& v, Arguments& arguments) {
    return noArguments(r, "odd", arguments) && hasRest(r, v, Value::integer(2), 1);
}

bool isEven(Renderer& r, const Value& v, Arguments& arguments) {
    return noArguments(r, "even", arguments) && hasRest(r, v, Value::integer(2), 0);
}

bool isDivisible(Renderer& r, const Value& v, Arguments& arguments) {
    Params p(r, "divisibleby", arguments, {"num"}, 1);
    return p.ok() && hasRest(r, v, p[0], 0);
}

template <bool kUpper>
bool isCase(Renderer& r, const Value& v, Arguments& arguments) {
    if (!noArguments(r, "case", arguments)) return false;
    const Value method = stringMethod(Value::text(r.str(v)), kUpper ? "isupper" : "islower");
    Arguments none;
    return r.truth(r.call(method, none));
}

bool isFilter(Renderer& r, const Value& v, Arguments& arguments) {
    return noArguments(r, "filter", arguments) && r.checkHashable(v) && v.isString() &&
           findFilter(v.asText().bytes()) != nullptr;
}

bool isTest(Renderer& r, const Value& v, Arguments& arguments) {
    return noArguments(r, "test", arguments) && r.checkHashable(v) && v.isString() &&
           findTest(v.asText().bytes()) != nullptr;
}

constexpr Test kTests[] = {
    {"defined", isDefined},
    {"undefined", isKind<Kind::Undefined>},
    {"none", isKind<Kind::None>},
    {"boolean", isKind<Kind::Bool>},
    {"true", isBool<true>},
    {"false", isBool<false>},
    {"integer", isKind<Kind::Int>},
    {"float", isKind<Kind::Float>},
    {"string", isKind<Kind::String>},
    {"mapping", isKind<Kind::Dict>},
    {"number", isNumber},
    {"sequence", isSequence},
    {"iterable", isIterable},
    {"callable", isCallable},
    {"sameas", isSameAs},
    {"escaped", isEscaped},
    {"in", isIn},
    {"odd", isOdd},
    {"even", isEven},
    {"divisibleby", isDivisible},
    {"lower", isCase<false>},
    {"upper", isCase<true>},
    {"filter", isFilter},
    {"test", isTest},
    {"==", compare<CompareOp::Equal>},
    {"eq", compare<CompareOp::Equal>},
    {"equalto", compare<CompareOp::Equal>},
    {"!=", compare<CompareOp::NotEqual>},
    {"ne", compare<CompareOp::NotEqual>},
    {">", compare<CompareOp::Greater>},
    {"gt", compare<CompareOp::Greater>},
    {"greaterthan", compare<CompareOp::Greater>},
    {">=", compare<CompareOp::GreaterEqual>},
    {"ge", compare<CompareOp::GreaterEqual>},
    {"<", compare<CompareOp::Less>},
    {"lt", compare<CompareOp::Less>},
    {"lessthan", compare<CompareOp::Less>},
    {"<=", compare<CompareOp::LessEqual>},
    {"le", compare<CompareOp::LessEqual>},
};

}  // namespace

const Test* findTest(std::string_view name) noexcept {
    for (const Test& test : kTests)
        if (test.name == name) return &test;
    return nullptr;
}

}  // namespace vitrine::engine::jinja
