#include <algorithm>

#include "engine/text/jinja/renderer.h"

namespace vitrine::engine::jinja {

namespace {

std::string missing(const Value& object, const std::string& name) {
    const std::string type = object.isNone() ? "None" : typeNameOf(object) + std::string(" object");
    return "'" + type + "' has no attribute '" + name + "'";
}

/// Names that Python gives every object and that the sandbox keeps to itself.
bool isUnsafeName(std::string_view name) {
    static constexpr std::string_view kNames[] = {
        "__class__",       "__doc__",       "__dict__",
        "__init__",        "__new__",       "__module__",
        "__mro__",         "__bases__",     "__subclasses__",
        "__globals__",     "__builtins__",  "__getattribute__",
        "__reduce__",      "__reduce_ex__", "__hash__",
        "__repr__",        "__str__",       "__eq__",
        "__ne__",          "__lt__",        "__le__",
        "__gt__",          "__ge__",        "__dir__",
        "__format__",      "__sizeof__",    "__len__",
        "__getitem__",     "__iter__",      "__contains__",
        "__setattr__",     "__delattr__",   "__init_subclass__",
        "__subclasshook__"};
    return std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
}

/// An index from the end is made one from the front; −1 when outside.
int64_t clampedIndex(int64_t index, int64_t length) {
    if (index < 0) index += length;
    return index >= 0 && index < length ? index : -1;
}

}  // namespace

std::vector<Value> Renderer::listOf(const Value& value) {
    std::vector<Value> list;
    const Items items(*this, value);
    if (!room(items.size() * sizeof(Value))) return list;
    list.reserve(items.size());
    for (size_t i = 0; i < items.size() && tick() && room(0); ++i) list.push_back(items.at(i));
    return list;
}

Value Renderer::length(const Value& value) {
    switch (value.kind()) {
        case Kind::Iterator:
            if (value.asIterator().isOnce) break;
            [[fallthrough]];
        case Kind::Undefined:
        case Kind::String:
        case Kind::List:
        case Kind::Tuple:
        case Kind::Dict:
        case Kind::Range: return Value::integer(static_cast<int64_t>(Items(*this, value).size()));
        case Kind::Native: {
            Value n;
            if (std::string_view(value.asNative().typeName()) == "LoopContext" &&
                value.asNative().attribute(*this, "length", n))
                return n;
            break;
        }
        default: break;
    }
    return fail(std::string("object of type '") + typeNameOf(value) + "' has no len()");
}

Value Renderer::method(const Value& object, std::string_view name) {
    if (isUnsafeName(name))
        return Value::undefined("access to attribute '" + std::string(name) + "' of '" +
                                typeNameOf(object) + "' object is unsafe.");
    if (object.isString()) return stringMethod(object, name);
    if (object.is(Kind::Native)) {
        Value value;
        const Value held = object;
        held.asNative().attribute(*this, name, value);
        return value;
    }
    return containerMethod(object, name);
}

Value Renderer::attribute(const Value& object, const Value& name) {
    const std::string& text = name.asText().bytes();
    if (object.isUndefined() && text != "__class__") return failUndefined(object);
    Value found = method(object, text);
    if (!found.isUndefined() || found.object() != nullptr) return found;
    if (object.is(Kind::Dict)) {
        const Value* value = object.asDict().find(name);
        if (value != nullptr) return *value;
    }
    return Value::undefined(missing(object, text));
}

Value Renderer::item(const Value& object, const Value& key) {
    if (object.isUndefined()) return failUndefined(object);
    if (object.is(Kind::Dict) && isHashable(key) && checkHashable(key)) {
        const Value* value = object.asDict().find(key);
        if (value != nullptr) return *value;
    }
    const bool isSequence = object.is(Kind::List) || object.is(Kind::Tuple) ||
                            object.is(Kind::Range) || object.isString();
    if (isSequence && key.isWhole()) {
        const Items items(*this, object);
        const int64_t i = clampedIndex(key.asInt(), static_cast<int64_t>(items.size()));
        if (object.isString() && !tick(object.asText().size() / 64)) return {};
        if (i >= 0 && object.isString() && object.asText().isSafe) {
            Text one = items.at(static_cast<size_t>(i)).asText();
            one.isSafe = true;
            return Value::text(std::move(one));
        }
        if (i >= 0) return items.at(static_cast<size_t>(i));
    }
    if (key.isString()) {
        Value found = method(object, key.asText().bytes());
        if (!found.isUndefined() || found.object() != nullptr) return found;
        return Value::undefined(missing(object, key.asText().bytes().substr(0, 200)));
    }
    return Value::undefined(std::string(typeNameOf(object)) + " object has no element " +
                            reprOf(key));
}

Value Renderer::slice(const Value& object, const Value& start, const Value& stop,
                      const Value& step) {
    if (object.isUndefined()) return failUndefined(object);
    for (const Value* bound : {&start, &stop, &step})
        if (!bound->isNone() && !bound->isWhole())
            return fail("slice indices must be integers or None");
    const bool isSequence = object.is(Kind::List) || object.is(Kind::Tuple) ||
                            object.is(Kind::Range) || object.isString();
    if (!isSequence)
        return fail(std::string("'") + typeNameOf(object) + "' object is not subscriptable");
    const int64_t stride = step.isNone() ? 1 : std::max(step.asInt(), -INT64_MAX);
    if (stride == 0) return fail("slice step cannot be zero");
    const Items items(*this, object);
    const auto n = static_cast<int64_t>(items.size());
    const auto bound = [&](const Value& given, int64_t otherwise) {
        if (given.isNone()) return otherwise;
        const int64_t low = stride < 0 ? -1 : 0, high = stride < 0 ? n - 1 : n;
        int64_t i = given.asInt();
        if (i < 0) i = i < -n ? low : i + n;
        return std::clamp(i, low, std::max(low, high));
    };
    const int64_t from = bound(start, stride < 0 ? n - 1 : 0);
    const int64_t to = bound(stop, stride < 0 ? -1 : n);
    int64_t count = 0;
    if (stride > 0 && to > from) count = (to - from - 1) / stride + 1;
    if (stride < 0 && to < from) count = (from - to - 1) / -stride + 1;
    if (object.is(Kind::Range)) {
        const RangeObject& r = object.asRange();
        const auto fit = [](Int128 x) {
            return static_cast<int64_t>(std::clamp<Int128>(x, -INT64_MAX, INT64_MAX));
        };
        const Int128 unit = r.step;
        return Value::range(fit(r.start + from * unit), fit(r.start + to * unit),
                            fit(unit * stride));
    }
    if (object.isString() && stride == 1) {
        const Text& text = object.asText();
        if (!room(text.size())) return {};
        const size_t begin = byteOfCharacter(text.bytes(), static_cast<size_t>(from));
        const size_t size = byteOfCharacter(std::string_view(text.bytes()).substr(begin),
                                            static_cast<size_t>(count));
        return Value::text(text.sub(begin, begin + size));
    }
    if (object.isString()) {
        const Text& text = object.asText();
        if (!room(static_cast<uint64_t>(n) * 4)) return {};
        std::vector<uint32_t> begins;
        for (size_t pos = 0; pos < text.size(); pos += characterSize(text.bytes()[pos]))
            begins.push_back(static_cast<uint32_t>(pos));
        Builder out(*this);
        for (int64_t k = 0; k < count && tick(); ++k) {
            const size_t pos = begins[static_cast<size_t>(from + k * stride)];
            out.append(text, pos, pos + characterSize(text.bytes()[pos]));
        }
        Text part = out.take();
        part.isSafe = text.isSafe;
        return Value::text(std::move(part));
    }
    if (!room(static_cast<uint64_t>(count) * sizeof(Value))) return {};
    std::vector<Value> part;
    part.reserve(static_cast<size_t>(count));
    for (int64_t k = 0; k < count && tick(); ++k)
        part.push_back(items.at(static_cast<size_t>(from + k * stride)));
    return object.is(Kind::List) ? Value::list(std::move(part)) : Value::tuple(std::move(part));
}

}  // namespace vitrine::engine::jinja
