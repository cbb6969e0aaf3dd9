#include "engine/text/jinja/filters.h"
#include "engine/text/jinja/renderer.h"

namespace vitrine::engine::jinja {

namespace {

struct Macro final : NativeObject {
    Macro(const Stmt& s, Value outer, bool caller)
        : stmt(s), scope(std::move(outer)), isCaller(caller) {
        account(sizeof(*this));
    }

    const char* typeName() const override { return "Macro"; }

    bool isCallable() const override { return true; }

    void clear() noexcept override { scope = {}; }

    std::string printed(Renderer&) const override {
        return isCaller ? "<Macro anonymous>" : "<Macro '" + stmt.name + "'>";
    }

    Value call(Renderer& r, Arguments& arguments) override {
        return r.callMacro(stmt, scope, arguments);
    }

    bool attribute(Renderer&, std::string_view name, Value& value) override {
        if (name == "name") {
            value = isCaller ? Value::none() : Value::string(stmt.name, false);
        } else if (name == "arguments") {
            std::vector<Value> names;
            for (const Parameter& p : stmt.parameters)
                names.push_back(Value::string(p.name, false));
            value = Value::tuple(std::move(names));
        } else if (name == "caller" || name == "catch_kwargs" || name == "catch_varargs") {
            value = Value::boolean(name == "caller"         ? stmt.usesCaller
                                   : name == "catch_kwargs" ? stmt.usesKwargs
                                                            : stmt.usesVarargs);
        } else {
            return false;
        }
        return true;
    }

    const Stmt& stmt;
    Value scope;
    bool isCaller;
};

struct BoundMethod final : NativeObject {
    BoundMethod(Value s, const Filter& m) : self(std::move(s)), method(m) {}

    const char* typeName() const override { return "builtin_function_or_method"; }

    bool isCallable() const override { return true; }

    void clear() noexcept override { self = {}; }

    std::string printed(Renderer&) const override {
        return "<built-in method " + std::string(method.name) + " of " + typeNameOf(self) +
               " object>";
    }

    Value call(Renderer& r, Arguments& arguments) override {
        return method.apply(r, self, arguments);
    }

    Value self;
    const Filter& method;
};

/// `self`: the template's blocks as functions.
struct Self final : NativeObject {
    struct BlockFunction final : NativeObject {
        explicit BlockFunction(const Stmt& b) : block(b) {}

        const char* typeName() const override { return "BlockReference"; }

        bool isCallable() const override { return true; }

        Value call(Renderer& r, Arguments&) override { return r.callBlock(block); }

        const Stmt& block;
    };

    const char* typeName() const override { return "TemplateReference"; }

    bool attribute(Renderer& r, std::string_view name, Value& value) override {
        const auto it = r.program().blocks.find(name);
        if (it == r.program().blocks.end()) return false;
        value = Value::object(Kind::Native, new BlockFunction(*it->second));
        return true;
    }
};

}  // namespace

Value makeMacro(const Stmt& stmt, Value scope, bool isCaller) {
    return Value::object(Kind::Native, new Macro(stmt, std::move(scope), isCaller));
}

Value bindMethod(const Value& self, const Filter& method) {
    return Value::object(Kind::Native, new BoundMethod(self, method));
}

Value makeSelf() {
    return Value::object(Kind::Native, new Self);
}

Value NativeObject::call(Renderer& renderer, Arguments&) {
    return renderer.fail(std::string("'") + typeName() + "' object is not callable");
}

Value Renderer::call(const Value& callee, Arguments& arguments) {
    if (isFailed_) return {};
    if (callee.isUndefined()) return failUndefined(callee);
    if (!callee.is(Kind::Native))
        return fail(std::string("'") + typeNameOf(callee) + "' object is not callable");
    const Value held = callee;
    return held.asNative().call(*this, arguments);
}

Value Renderer::failUndefined(const Value& value) {
    const auto* says = static_cast<const StringObject*>(value.object());
    return fail(says != nullptr ? says->text.bytes() : "the value is undefined");
}

Value Renderer::callFilter(const Value& name, const Value& input, Arguments& arguments) {
    const Filter* filter = name.isString() ? findFilter(name.asText().bytes()) : nullptr;
    if (filter == nullptr) return fail("No filter named " + reprOf(name) + ".");
    return filter->apply(*this, input, arguments);
}

bool Renderer::callTest(const Value& name, const Value& input, Arguments& arguments) {
    const Test* test = name.isString() ? findTest(name.asText().bytes()) : nullptr;
    if (test == nullptr) {
        fail("No test named " + reprOf(name) + ".");
        return false;
    }
    return test->apply(*this, input, arguments);
}

Value Renderer::callMacro(const Stmt& macro, const Value& definedIn, Arguments& arguments) {
    const Depth guard(*this);
    if (!tick()) return {};
    const std::string name = macro.name.empty() ? "None" : "'" + macro.name + "'";
    auto* inner = new Scope(definedIn);
    const Value holder = Value::object(Kind::Native, inner);
    const size_t nPositional = arguments.positional.size(), nNames = macro.parameters.size();
    std::vector<std::pair<std::string, Value>> named = std::move(arguments.named);
    const auto takeNamed = [&](const std::string& key, Value& value) {
        for (auto it = named.begin(); it != named.end(); ++it) {
            if (it->first != key) continue;
            value = std::move(it->second);
            named.erase(it);
            return true;
        }
        return false;
    };
    std::vector<bool> isGiven(nNames, true);
    bool hasCaller = false;
    for (size_t i = 0; i < nNames; ++i) {
        const Parameter& p = macro.parameters[i];
        hasCaller = hasCaller || p.symbol == program_.callerSymbol;
        Value value;
        if (i < nPositional)
            value = arguments.positional[i];
        else
            isGiven[i] = takeNamed(p.name, value);
        if (isGiven[i]) inner->set(p.symbol, std::move(value));
    }
    if (macro.usesCaller && !hasCaller) {
        Value caller;
        if (!takeNamed("caller", caller)) caller = Value::undefined("No caller defined");
        inner->set(program_.callerSymbol, std::move(caller));
    }
    if (macro.usesKwargs) {
        const Value dict = Value::dict();
        for (auto& [key, value] : named) setMember(dict, key, std::move(value), false);
        inner->set(program_.kwargsSymbol, dict);
    } else if (!named.empty()) {
        return fail("macro " + name + " takes no keyword argument '" + named[0].first + "'");
    }
    if (macro.usesVarargs) {
        std::vector<Value> rest;
        for (size_t i = nNames; i < nPositional; ++i) rest.push_back(arguments.positional[i]);
        inner->set(program_.varargsSymbol, Value::tuple(std::move(rest)));
    } else if (nPositional > nNames) {
        return fail("macro " + name + " takes not more than " + std::to_string(nNames) +
                    " argument(s)");
    }
    const Value was = scope_;
    scope_ = holder;
    for (size_t i = 0; i < nNames; ++i) {
        const Parameter& p = macro.parameters[i];
        if (isGiven[i]) continue;
        inner->set(p.symbol, p.fallback != nullptr
                                 ? evaluate(*p.fallback)
                                 : Value::undefined("parameter '" + p.name + "' was not provided"));
    }
    Value output;
    capture(macro.body, false, output);
    scope_ = was;
    return output;
}

// ---- Params ----

Params::Params(Renderer& renderer, const char* function, Arguments& arguments,
               std::initializer_list<const char*> names, size_t nRequired)
    : renderer_(renderer),
      function_(function),
      values_(names.size(), Value::none()),
      given_(names.size()) {
    const auto refuse = [&](const std::string& what) {
        isOk_ = false;
        renderer_.fail(std::string(function_) + "() " + what);
    };
    if (arguments.positional.size() > names.size()) {
        refuse("takes at most " + std::to_string(names.size()) + " arguments (" +
               std::to_string(arguments.positional.size()) + " given)");
        return;
    }
    for (size_t i = 0; i < arguments.positional.size(); ++i) {
        values_[i] = arguments.positional[i];
        given_[i] = true;
    }
    for (auto& [name, value] : arguments.named) {
        size_t i = 0;
        for (const char* known : names) {
            if (name == known) break;
            ++i;
        }
        if (i == names.size()) {
            refuse("got an unexpected keyword argument '" + name + "'");
            return;
        }
        if (given_[i]) {
            refuse("got multiple values for argument '" + name + "'");
            return;
        }
        values_[i] = value;
        given_[i] = true;
    }
    for (size_t i = 0; i < nRequired; ++i)
        if (!given_[i]) {
            refuse("is missing the argument '" + std::string(names.begin()[i]) + "'");
            return;
        }
}

int64_t Params::integer(size_t i, int64_t fallback) {
    if (!given_[i]) return fallback;
    if (values_[i].isWhole()) return values_[i].asInt();
    isOk_ = false;
    renderer_.fail(std::string(function_) + "(): '" + typeNameOf(values_[i]) +
                   "' object cannot be interpreted as an integer");
    return fallback;
}

bool Params::boolean(size_t i, bool fallback) {
    return given_[i] ? renderer_.truth(values_[i]) : fallback;
}

Text Params::text(size_t i, std::string_view fallback) {
    return given_[i] ? renderer_.str(values_[i]) : Text(std::string(fallback), false);
}

bool Params::isText(size_t i) {
    if (values_[i].isString()) return true;
    isOk_ = false;
    renderer_.fail(std::string(function_) + "() argument must be str, not " +
                   typeNameOf(values_[i]));
    return false;
}

}  // namespace vitrine::engine::jinja
