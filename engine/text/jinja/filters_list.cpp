#include <algorithm>

#include "engine/text/jinja/filters.h"

namespace vitrine::engine::jinja {

namespace {

Value first(Renderer& r, const Value& input, Arguments& arguments) {
    if (!Params(r, "first", arguments, {}).ok()) return {};
    if (input.is(Kind::Iterator) && input.asIterator().isOnce) {
        Value value;
        if (r.pull(input.asIterator(), value)) return value;
        return Value::undefined("No first item, sequence was empty.");
    }
    const Items items(r, input);
    return items.size() > 0 ? items.at(0) : Value::undefined("No first item, sequence was empty.");
}

Value last(Renderer& r, const Value& input, Arguments& arguments) {
    if (!Params(r, "last", arguments, {}).ok()) return {};
    if (input.is(Kind::Iterator) && input.asIterator().isOnce)
        return r.fail(std::string("'") + typeNameOf(input) + "' object is not reversible");
    const Items items(r, input);
    return items.size() > 0 ? items.at(items.size() - 1)
                            : Value::undefined("No last item, sequence was empty.");
}

Value length(Renderer& r, const Value& input, Arguments& arguments) {
    return Params(r, "length", arguments, {}).ok() ? r.length(input) : Value();
}

Value list(Renderer& r, const Value& input, Arguments& arguments) {
    return Params(r, "list", arguments, {}).ok() ? Value::list(r.listOf(input)) : Value();
}

Value reverse(Renderer& r, const Value& input, Arguments& arguments) {
    if (!Params(r, "reverse", arguments, {}).ok()) return {};
    if (input.isString()) return r.slice(input, Value::none(), Value::none(), Value::integer(-1));
    std::vector<Value> items = r.listOf(input);
    std::reverse(items.begin(), items.end());
    return Value::iterator(std::move(items), "list_reverseiterator");
}

Value join(Renderer& r, const Value& input, Arguments& arguments) {
    Params p(r, "join", arguments, {"d", "attribute"});
    if (!p.ok()) return {};
    std::vector<Value> items = r.listOf(input);
    if (p.has(1))
        for (Value& item : items) item = attributePath(r, item, p[1]);
    Text separator = p.text(0, "");
    bool isSafe = r.autoescape() && separator.isSafe;
    for (const Value& item : items)
        isSafe = isSafe || (r.autoescape() && item.isString() && item.asText().isSafe);
    Builder out(r);
    for (size_t i = 0; i < items.size() && r.tick(); ++i) {
        if (i > 0 && isSafe) out.appendHtml(separator);
        if (i > 0 && !isSafe) out.append(separator);
        if (isSafe)
            out.appendHtml(r.str(items[i]));
        else
            r.writeStr(out, items[i]);
    }
    Text text = out.take();
    text.isSafe = isSafe;
    return Value::text(std::move(text));
}

Value batch(Renderer& r, const Value& input, Arguments& arguments) {
    Params p(r, "batch", arguments, {"linecount", "fill_with"}, 1);
    const int64_t size = p.integer(0, 1);
    if (!p.ok()) return {};
    std::vector<Value> rows, row;
    const Items items(r, input);
    for (size_t i = 0; i < items.size() && r.room(row.size() * sizeof(Value)); ++i) {
        if (static_cast<int64_t>(row.size()) == size) {
            rows.push_back(Value::list(std::move(row)));
            row.clear();
        }
        row.push_back(items.at(i));
    }
    if (!row.empty()) {
        const auto n = static_cast<int64_t>(row.size());
        if (p.has(1) && n < size) {
            const auto missing = static_cast<uint64_t>(size - n);
            if (!r.room(missing > (uint64_t{1} << 40) ? UINT64_MAX / 2 : missing * sizeof(Value)))
                return {};
            row.resize(static_cast<size_t>(size), p[1]);
        }
        rows.push_back(Value::list(std::move(row)));
    }
    return Value::iterator(std::move(rows), "generator");
}

Value sliceInto(Renderer& r, const Value& input, Arguments& arguments) {
    Params p(r, "slice", arguments, {"slices", "fill_with"}, 1);
    const int64_t n = p.integer(0, 1);
    if (!p.ok()) return {};
    const std::vector<Value> items = r.listOf(input);
    if (n == 0) return r.fail("integer division or modulo by zero");
    const auto size = static_cast<int64_t>(items.size());
    std::vector<Value> columns;
    int64_t from = 0;
    for (int64_t i = 0; i < n && r.room(columns.size() * sizeof(Value)); ++i) {
        const bool hasExtra = i < size % n;
        const int64_t to = from + size / n + (hasExtra ? 1 : 0);
        std::vector<Value> column(items.begin() + from, items.begin() + to);
        if (p.has(1) && !hasExtra) column.push_back(p[1]);
        columns.push_back(Value::list(std::move(column)));
        from = to;
    }
    return Value::iterator(std::move(columns), "generator");
}

Value items(Renderer& r, const Value& input, Arguments& arguments) {
    if (!Params(r, "items", arguments, {}).ok()) return {};
    if (input.isUndefined()) return Value::iterator({}, "generator");
    if (!input.is(Kind::Dict)) return r.fail("Can only get item pairs from a mapping.");
    std::vector<Value> pairs;
    for (const auto& [key, value] : input.asDict().entries) {
        if (!r.room(128)) break;
        pairs.push_back(Value::tuple({key, value}));
    }
    return Value::iterator(std::move(pairs), "generator");
}

Value attr(Renderer& r, const Value& input, Arguments& arguments) {
    Params p(r, "attr", arguments, {"name"}, 1);
    if (!p.ok() || !p.isText(0)) return {};
    if (input.isUndefined()) return r.failUndefined(input);
    const std::string& name = p[0].asText().bytes();
    Value found = r.method(input, name);
    if (!found.isUndefined() || found.object() != nullptr) return found;
    return Value::undefined("'" + std::string(typeNameOf(input)) + " object' has no attribute '" +
                            name.substr(0, 200) + "'");
}

/// A prompt must come out the same each time: the first is as good as any.
Value random(Renderer& r, const Value& input, Arguments& arguments) {
    if (!Params(r, "random", arguments, {}).ok()) return {};
    const Items all(r, input);
    return all.size() > 0 ? all.at(0) : Value::undefined("No random item, sequence was empty.");
}

constexpr Filter kFilters[] = {
    {"first", first},     {"last", last}, {"length", length}, {"count", length},
    {"list", list},       {"join", join}, {"batch", batch},   {"slice", sliceInto},
    {"reverse", reverse}, {"attr", attr}, {"items", items},   {"random", random},
};

}  // namespace

std::span<const Filter> listFilters() noexcept {
    return kFilters;
}

}  // namespace vitrine::engine::jinja
