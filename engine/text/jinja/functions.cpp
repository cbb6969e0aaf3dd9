#include <chrono>

#include "engine/text/jinja/filters.h"

namespace vitrine::engine::jinja {

namespace {

struct GlobalFunction final : NativeObject {
    explicit GlobalFunction(const Filter& f) : function(f) {}

    const char* typeName() const override { return "function"; }

    bool isCallable() const override { return true; }

    std::string printed(Renderer&) const override {
        return "<function " + std::string(function.name) + ">";
    }

    Value call(Renderer& r, Arguments& arguments) override {
        return function.apply(r, {}, arguments);
    }

    const Filter& function;
};

struct Namespace final : NativeObject {
    const char* typeName() const override { return "Namespace"; }

    std::string printed(Renderer& r) const override {
        return "<Namespace " + r.reprOf(members) + ">";
    }

    bool attribute(Renderer&, std::string_view name, Value& value) override {
        const Value* found = members.asDict().find(Value::string(name, false));
        if (found == nullptr) return false;
        value = *found;
        return true;
    }

    void clear() noexcept override { members = Value::none(); }

    Value members = Value::dict();
};

struct Cycler final : NativeObject {
    /// next() and reset().
    struct Step final : NativeObject {
        Step(Value c, bool resets) : cycler(std::move(c)), isReset(resets) {}

        const char* typeName() const override { return "method"; }

        bool isCallable() const override { return true; }

        void clear() noexcept override { cycler = {}; }

        Value call(Renderer&, Arguments&) override {
            auto& of = static_cast<Cycler&>(cycler.asNative());
            if (isReset) {
                of.position = 0;
                return Value::none();
            }
            Value value = of.items[of.position];
            of.position = (of.position + 1) % of.items.size();
            return value;
        }

        Value cycler;
        bool isReset;
    };

    const char* typeName() const override { return "Cycler"; }

    bool attribute(Renderer&, std::string_view name, Value& value) override {
        if (name == "current")
            value = items[position];
        else if (name == "pos")
            value = Value::integer(static_cast<int64_t>(position));
        else if (name == "next" || name == "reset")
            value = Value::object(Kind::Native,
                                  new Step(Value::object(Kind::Native, this), name == "reset"));
        else
            return false;
        return true;
    }

    std::vector<Value> items;
    size_t position = 0;
};

struct Joiner final : NativeObject {
    const char* typeName() const override { return "Joiner"; }

    bool isCallable() const override { return true; }

    Value call(Renderer&, Arguments&) override {
        if (isUsed) return separator;
        isUsed = true;
        return Value::string({}, false);
    }

    Value separator = Value::string(", ", false);
    bool isUsed = false;
};

Value range(Renderer& r, const Value&, Arguments& arguments) {
    constexpr int64_t kMaxLength = 100'000;
    const std::vector<Value>& given = arguments.positional;
    if (given.empty() || given.size() > 3 || !arguments.named.empty())
        return r.fail("range expected 1 to 3 arguments, got " + std::to_string(given.size()));
    for (const Value& value : given)
        if (!value.isWhole())
            return r.fail(std::string("'") + typeNameOf(value) +
                          "' object cannot be interpreted as an integer");
    const int64_t step = given.size() == 3 ? given[2].asInt() : 1;
    if (step == 0) return r.fail("range() arg 3 must not be zero");
    Value made = given.size() == 1 ? Value::range(0, given[0].asInt(), 1)
                                   : Value::range(given[0].asInt(), given[1].asInt(), step);
    if (made.asRange().length > kMaxLength || made.asRange().length < 0)
        return r.fail("Range too big: at most 100000 items");
    return made;
}

Value dict(Renderer& r, const Value&, Arguments& arguments) {
    Value made = Value::dict();
    if (arguments.positional.size() > 1) return r.fail("dict expected at most 1 argument");
    if (!arguments.positional.empty()) {
        const Value& source = arguments.positional[0];
        const Items items(r, source);
        for (size_t i = 0; i < items.size() && r.room(0); ++i) {
            const Value item = items.at(i);
            if (source.is(Kind::Dict)) {
                made.asDict().set(item, source.asDict().entries[i].second);
                continue;
            }
            const std::vector<Value> pair = r.listOf(item);
            if (pair.size() != 2)
                return r.fail("dictionary update sequence element #" + std::to_string(i) +
                              " has length " + std::to_string(pair.size()) + "; 2 is required");
            if (!r.checkHashable(pair[0])) return {};
            made.asDict().set(pair[0], pair[1]);
        }
    }
    for (auto& [name, value] : arguments.named) setMember(made, name, std::move(value), false);
    return made;
}

Value makeNamespace(Renderer& r, const Value& none, Arguments& arguments) {
    auto* space = new Namespace;
    Value made = Value::object(Kind::Native, space);
    space->members = dict(r, none, arguments);
    return r.failed() ? Value() : made;
}

Value cycler(Renderer& r, const Value&, Arguments& arguments) {
    if (arguments.positional.empty()) return r.fail("at least one item has to be provided");
    auto* made = new Cycler;
    made->items = std::move(arguments.positional);
    return Value::object(Kind::Native, made);
}

Value joiner(Renderer& r, const Value&, Arguments& arguments) {
    Params p(r, "joiner", arguments, {"sep"});
    auto* made = new Joiner;
    if (p.isGiven(0)) made->separator = p[0];
    return Value::object(Kind::Native, made);
}

Value lipsum(Renderer& r, const Value&, Arguments&) {
    return r.fail("lipsum() is not available: a prompt is not filled with random text");
}

Value raiseException(Renderer& r, const Value&, Arguments& arguments) {
    Params p(r, "raise_exception", arguments, {"message"}, 1);
    if (!p.ok()) return {};
    return r.fail("the template refuses this conversation: " + r.str(p[0]).bytes());
}

Value strftimeNow(Renderer& r, const Value&, Arguments& arguments) {
    Params p(r, "strftime_now", arguments, {"format"}, 1);
    if (!p.ok() || !p.isText(0)) return {};
    const Text& format = p[0].asText();
    if (format.size() > 65536) return r.fail("strftime_now(): the format is too long");
    std::tm time{};
    if (r.options().now) {
        time = *r.options().now;
    } else {
        const std::time_t now = std::time(nullptr);
        localtime_r(&now, &time);
    }
    return Value::string(formatTime(format.bytes(), time), format.hasInput());
}

constexpr Filter kFunctions[] = {
    {"range", range},
    {"dict", dict},
    {"namespace", makeNamespace},
    {"cycler", cycler},
    {"joiner", joiner},
    {"lipsum", lipsum},
    {"raise_exception", raiseException},
    {"strftime_now", strftimeNow},
};

}  // namespace

Value globalFunction(std::string_view name) {
    for (const Filter& function : kFunctions)
        if (function.name == name) return Value::object(Kind::Native, new GlobalFunction(function));
    return {};
}

bool isNamespace(const Value& value) {
    return value.is(Kind::Native) && dynamic_cast<Namespace*>(&value.asNative()) != nullptr;
}

void setNamespaceMember(Renderer& renderer, const Value& space, const std::string& name,
                        const Value& value) {
    if (!renderer.room(0)) return;
    setMember(static_cast<Namespace&>(space.asNative()).members, name, value, false);
}

}  // namespace vitrine::engine::jinja
