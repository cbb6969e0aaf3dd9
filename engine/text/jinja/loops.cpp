#include "engine/text/jinja/renderer.h"

namespace vitrine::engine::jinja {

namespace {

/// The variable `loop`. Source: Jinja's documentation, "For".
struct Loop final : NativeObject {
    Loop(const Stmt& s, Value outer, Items i, int d)
        : stmt(s), scope(std::move(outer)), items(std::move(i)), depth(d) {
        account(sizeof(*this));
    }

    const char* typeName() const override { return "LoopContext"; }

    bool isCallable() const override { return stmt.isRecursive; }

    std::string printed(Renderer&) const override {
        return "<LoopContext " + std::to_string(index + 1) + "/" + std::to_string(items.size()) +
               ">";
    }

    void clear() noexcept override {
        scope = {};
        items = {};
        changed.clear();
    }

    Value call(Renderer& r, Arguments& arguments) override {
        if (!stmt.isRecursive)
            return r.fail("The loop must have the 'recursive' marker to be called recursively.");
        if (arguments.positional.size() != 1 || !arguments.named.empty())
            return r.fail("loop() takes one argument, the items of the inner loop");
        return r.callLoop(stmt, scope, arguments.positional[0], depth + 1);
    }

    bool attribute(Renderer& r, std::string_view name, Value& value) override;

    const Stmt& stmt;
    Value scope;
    Items items;
    size_t index = 0;
    int depth = 0;
    bool hasChanged = false;  ///< changed() was asked before
    std::vector<Value> changed;
};

/// loop.cycle and loop.changed, bound to their loop.
struct LoopFunction final : NativeObject {
    LoopFunction(Value l, bool cycles) : loop(std::move(l)), isCycle(cycles) {}

    const char* typeName() const override { return "method"; }

    bool isCallable() const override { return true; }

    void clear() noexcept override { loop = {}; }

    Value call(Renderer& r, Arguments& arguments) override {
        auto& of = static_cast<Loop&>(loop.asNative());
        const std::vector<Value>& given = arguments.positional;
        if (isCycle) {
            if (given.empty()) return r.fail("no items for cycling given");
            return given[of.index % given.size()];
        }
        bool isSame = of.hasChanged && of.changed.size() == given.size();
        for (size_t i = 0; isSame && i < given.size(); ++i)
            isSame = r.equals(of.changed[i], given[i]);
        of.hasChanged = true;
        of.changed = given;
        return Value::boolean(!isSame);
    }

    Value loop;
    bool isCycle;
};

bool Loop::attribute(Renderer&, std::string_view name, Value& value) {
    const auto n = static_cast<int64_t>(items.size()), i = static_cast<int64_t>(index);
    const auto set = [&](Value v) {
        value = std::move(v);
        return true;
    };
    if (name == "index") return set(Value::integer(i + 1));
    if (name == "index0") return set(Value::integer(i));
    if (name == "first") return set(Value::boolean(i == 0));
    if (name == "last") return set(Value::boolean(i + 1 >= n));
    if (name == "length") return set(Value::integer(n));
    if (name == "revindex") return set(Value::integer(n - i));
    if (name == "revindex0") return set(Value::integer(n - i - 1));
    if (name == "depth") return set(Value::integer(depth + 1));
    if (name == "depth0") return set(Value::integer(depth));
    if (name == "previtem")
        return set(i > 0 ? items.at(index - 1) : Value::undefined("there is no previous item"));
    if (name == "nextitem")
        return set(i + 1 < n ? items.at(index + 1) : Value::undefined("there is no next item"));
    if (name == "cycle" || name == "changed")
        return set(Value::object(
            Kind::Native, new LoopFunction(Value::object(Kind::Native, this), name == "cycle")));
    return false;
}

}  // namespace

/// The items that pass the loop's own condition.
std::vector<Value> Renderer::selected(const Stmt& loop, const Items& items) {
    std::vector<Value> kept;
    const Value outer = scope_;
    for (size_t i = 0; i < items.size() && tick(); ++i) {
        Value item = items.at(i);
        scope_ = Value::object(Kind::Native, new Scope(outer));
        assign(loop.targets[0], item);
        if (truth(evaluate(*loop.test)) && room(kept.size() * sizeof(Value)))
            kept.push_back(std::move(item));
    }
    scope_ = outer;
    return kept;
}

Flow Renderer::executeFor(const Stmt& stmt, const Value& source, int depth) {
    if (isFailed_) return Flow::Normal;
    Items items(*this, source);
    if (items.isValid && stmt.test != nullptr)
        items = Items(*this, Value::list(selected(stmt, items)));
    if (!items.isValid || isFailed_) return Flow::Normal;
    const Value outer = scope_;
    const Value variable = Value::object(Kind::Native, new Loop(stmt, outer, items, depth));
    auto& loop = static_cast<Loop&>(variable.asNative());
    bool isEmpty = true;
    for (size_t i = 0; i < items.size() && tick(); ++i) {
        isEmpty = false;
        loop.index = i;
        scope_ = Value::object(Kind::Native, new Scope(outer));
        scope().set(program_.loopSymbol, variable);
        assign(stmt.targets[0], items.at(i));
        const Flow flow = execute(stmt.body);
        if (flow == Flow::Break) break;
    }
    scope_ = outer;
    return isEmpty && !isFailed_ ? executeScoped(stmt.otherwise) : Flow::Normal;
}

Value Renderer::callLoop(const Stmt& loop, const Value& scope, const Value& items, int depth) {
    const Depth guard(*this);
    if (isFailed_) return {};
    Builder builder(*this);
    Builder* const outer = out_;
    const Value was = scope_;
    out_ = &builder;
    scope_ = scope;
    executeFor(loop, items, depth);
    scope_ = was;
    out_ = outer;
    Text text = builder.take();
    text.isSafe = autoescape_;
    return Value::text(std::move(text));
}

// ---- Items ----

Items::Items(Renderer& renderer, const Value& source) : source_(source) {
    isValid = true;
    switch (source.kind()) {
        case Kind::Undefined: break;
        case Kind::List:
        case Kind::Tuple: size_ = source.items().size(); break;
        case Kind::Dict: size_ = source.asDict().entries.size(); break;
        case Kind::Range: size_ = static_cast<size_t>(source.asRange().length); break;
        case Kind::String:
            renderer.tick(source.asText().size() / 64);
            size_ = countCharacters(source.asText().bytes());
            break;
        case Kind::Iterator: {
            IteratorObject& iterator = source.asIterator();
            if (iterator.produce) {
                std::vector<Value> all;
                Value value;
                while (renderer.room(all.size() * sizeof(Value)) && renderer.pull(iterator, value))
                    all.push_back(value);
                size_ = all.size();
                source_ = Value::tuple(std::move(all));
                break;
            }
            begin_ = iterator.next;
            size_ = iterator.items.size() - begin_;
            if (iterator.isOnce) iterator.next = iterator.items.size();
            break;
        }
        default:
            isValid = false;
            renderer.fail(std::string("'") + typeNameOf(source) + "' object is not iterable");
    }
}

bool Renderer::pull(IteratorObject& iterator, Value& value) {
    const Depth guard(*this);
    if (!tick()) return false;
    if (iterator.produce) return iterator.produce(*this, value) && !isFailed_;
    if (iterator.next >= iterator.items.size()) return false;
    value = iterator.items[iterator.next++];
    return true;
}

Source::Source(Renderer& renderer, const Value& value) : value_(value) {
    if (!value.is(Kind::Iterator) || !value.asIterator().isOnce) items_ = Items(renderer, value);
}

bool Source::next(Renderer& renderer, Value& value) {
    if (value_.is(Kind::Iterator) && value_.asIterator().isOnce)
        return renderer.pull(value_.asIterator(), value);
    if (!renderer.tick() || index_ >= items_.size()) return false;
    value = items_.at(index_++);
    return true;
}

size_t Items::size() const {
    // Lists and dictionaries may grow while they are walked.
    if (source_.is(Kind::List)) return source_.items().size();
    if (source_.is(Kind::Dict)) return source_.asDict().entries.size();
    return size_;
}

Value Items::at(size_t index) const {
    if (index >= size()) return {};
    switch (source_.kind()) {
        case Kind::List:
        case Kind::Tuple: return source_.items()[index];
        case Kind::Dict: return source_.asDict().entries[index].first;
        case Kind::Range:
            return Value::integer(source_.asRange().start +
                                  source_.asRange().step * static_cast<int64_t>(index));
        case Kind::Iterator: return source_.asIterator().items[begin_ + index];
        case Kind::String: break;
        default: return {};
    }
    const Text& text = source_.asText();
    const std::string& bytes = text.bytes();
    const auto part = [&](size_t from, size_t to) {
        Text one = text.sub(from, to);
        one.isSafe = false;
        return Value::text(std::move(one));
    };
    if (size_ == bytes.size()) return part(index, index + 1);
    if (index < cursor_) cursor_ = cursorByte_ = 0;
    for (; cursor_ < index; ++cursor_) cursorByte_ += characterSize(bytes[cursorByte_]);
    return part(cursorByte_, cursorByte_ + characterSize(bytes[cursorByte_]));
}

}  // namespace vitrine::engine::jinja
