#include <algorithm>
#include <cmath>

#include "engine/text/jinja/filters.h"

namespace vitrine::engine::jinja {

bool Renderer::checkOwn(const Value& container, const char* method) {
    if (container.object()->isOwn()) return room(0);
    fail(std::string(method) + "() would change the conversation, which a template may not");
    return false;
}

namespace {

ListObject& listObject(const Value& self) {
    return *static_cast<ListObject*>(self.object());
}

Value append(Renderer& r, const Value& self, Arguments& arguments) {
    Params p(r, "append", arguments, {"object"}, 1);
    if (!p.ok() || !r.checkOwn(self, "append")) return {};
    self.items().push_back(p[0]);
    listObject(self).recount();
    return Value::none();
}

Value extend(Renderer& r, const Value& self, Arguments& arguments) {
    Params p(r, "extend", arguments, {"iterable"}, 1);
    if (!p.ok() || !r.checkOwn(self, "extend")) return {};
    const std::vector<Value> more = r.listOf(p[0]);
    self.items().insert(self.items().end(), more.begin(), more.end());
    listObject(self).recount();
    return Value::none();
}

Value insert(Renderer& r, const Value& self, Arguments& arguments) {
    Params p(r, "insert", arguments, {"index", "object"}, 2);
    int64_t at = p.integer(0, 0);
    if (!p.ok() || !r.checkOwn(self, "insert") || !r.tick(self.items().size() / 16)) return {};
    const auto n = static_cast<int64_t>(self.items().size());
    if (at < 0) at = at < -n ? 0 : at + n;
    self.items().insert(self.items().begin() + std::min(at, n), p[1]);
    listObject(self).recount();
    return Value::none();
}

Value pop(Renderer& r, const Value& self, Arguments& arguments) {
    Params p(r, "pop", arguments, {"index"});
    int64_t at = p.integer(0, -1);
    if (!p.ok() || !r.checkOwn(self, "pop") || !r.tick(self.items().size() / 16)) return {};
    const auto n = static_cast<int64_t>(self.items().size());
    if (at < 0) at += n;
    if (at < 0 || at >= n) return r.fail("pop index out of range");
    Value taken = self.items()[static_cast<size_t>(at)];
    self.items().erase(self.items().begin() + at);
    return taken;
}

Value removeItem(Renderer& r, const Value& self, Arguments& arguments) {
    Params p(r, "remove", arguments, {"value"}, 1);
    if (!p.ok() || !r.checkOwn(self, "remove")) return {};
    for (size_t i = 0; i < self.items().size() && r.tick(); ++i) {
        if (!r.equals(self.items()[i], p[0])) continue;
        self.items().erase(self.items().begin() + static_cast<std::ptrdiff_t>(i));
        return Value::none();
    }
    return r.fail("list.remove(x): x not in list");
}

Value clearList(Renderer& r, const Value& self, Arguments&) {
    if (!r.checkOwn(self, "clear")) return {};
    listObject(self).clear();
    return Value::none();
}

Value reverse(Renderer& r, const Value& self, Arguments&) {
    if (!r.checkOwn(self, "reverse") || !r.tick(self.items().size() / 16)) return {};
    std::reverse(self.items().begin(), self.items().end());
    return Value::none();
}

Value sort(Renderer& r, const Value& self, Arguments& arguments) {
    Params p(r, "sort", arguments, {"key", "reverse"});
    if (!p.ok() || p.has(0) || !r.checkOwn(self, "sort")) return r.fail("sort() takes no key");
    std::vector<std::pair<Value, Value>> keyed;
    for (const Value& item : self.items()) keyed.emplace_back(item, item);
    r.sort(keyed, p.boolean(1, false));
    for (size_t i = 0; i < keyed.size() && !r.failed(); ++i)
        self.items()[i] = std::move(keyed[i].second);
    return Value::none();
}

Value copyList(Renderer& r, const Value& self, Arguments&) {
    return Value::list(r.listOf(self));
}

Value countItems(Renderer& r, const Value& self, Arguments& arguments) {
    Params p(r, "count", arguments, {"value"}, 1);
    int64_t n = 0;
    for (size_t i = 0; p.ok() && i < self.items().size() && r.tick(); ++i)
        n += r.equals(self.items()[i], p[0]) ? 1 : 0;
    return Value::integer(n);
}

Value indexOf(Renderer& r, const Value& self, Arguments& arguments) {
    Params p(r, "index", arguments, {"value", "start", "stop"}, 1);
    const auto n = static_cast<int64_t>(self.items().size());
    int64_t from = p.integer(1, 0), to = p.integer(2, n);
    if (from < 0) from = std::max<int64_t>(from + n, 0);
    if (to < 0) to += n;
    for (int64_t i = from; p.ok() && i < std::min(to, n) && r.tick(); ++i)
        if (r.equals(self.items()[static_cast<size_t>(i)], p[0])) return Value::integer(i);
    return r.fail(r.reprOf(p[0]).substr(0, 80) + " is not in list");
}

// ---- dictionaries ----

Value get(Renderer& r, const Value& self, Arguments& arguments) {
    Params p(r, "get", arguments, {"key", "default"}, 1);
    if (!p.ok() || !r.checkHashable(p[0])) return {};
    const Value* value = self.asDict().find(p[0]);
    return value != nullptr ? *value : p[1];
}

/// Views show the dictionary as it is when they are made.
template <int kPart>
Value view(Renderer& r, const Value& self, Arguments& arguments) {
    const Params p(r, "items", arguments, {});
    std::vector<Value> items;
    const auto& entries = self.asDict().entries;
    if (!p.ok() || !r.room(entries.size() * (kPart == 2 ? 128 : sizeof(Value)))) return {};
    for (const auto& [key, value] : entries)
        items.push_back(kPart == 0 ? key : kPart == 1 ? value : Value::tuple({key, value}));
    constexpr const char* kNames[] = {"dict_keys", "dict_values", "dict_items"};
    Value made = Value::iterator(std::move(items), kNames[kPart]);
    made.asIterator().isOnce = false;
    return made;
}

Value copyDict(Renderer& r, const Value& self, Arguments&) {
    Value copy = Value::dict();
    if (!r.room(self.asDict().entries.size() * 2 * sizeof(Value))) return {};
    for (const auto& [key, value] : self.asDict().entries) copy.asDict().set(key, value);
    return copy;
}

Value popKey(Renderer& r, const Value& self, Arguments& arguments) {
    Params p(r, "pop", arguments, {"key", "default"}, 1);
    if (!p.ok() || !r.checkHashable(p[0]) || !r.checkOwn(self, "pop") ||
        !r.tick(self.asDict().entries.size()))
        return {};
    const Value* value = self.asDict().find(p[0]);
    if (value == nullptr)
        return p.isGiven(1) ? p[1] : r.fail("there is no key " + r.reprOf(p[0]).substr(0, 80));
    Value taken = *value;
    self.asDict().erase(p[0]);
    return taken;
}

Value setDefault(Renderer& r, const Value& self, Arguments& arguments) {
    Params p(r, "setdefault", arguments, {"key", "default"}, 1);
    if (!p.ok() || !r.checkHashable(p[0]) || !r.checkOwn(self, "setdefault")) return {};
    if (const Value* value = self.asDict().find(p[0])) return *value;
    self.asDict().set(p[0], p[1]);
    return p[1];
}

Value update(Renderer& r, const Value& self, Arguments& arguments) {
    if (!r.checkOwn(self, "update")) return {};
    const Value all = globalFunction("dict");
    Arguments given = std::move(arguments);
    const Value more = r.call(all, given);
    if (r.failed()) return {};
    for (const auto& [key, value] : more.asDict().entries) self.asDict().set(key, value);
    return Value::none();
}

Value clearDict(Renderer& r, const Value& self, Arguments&) {
    if (!r.checkOwn(self, "clear")) return {};
    self.asDict().clear();
    return Value::none();
}

// ---- numbers ----

Value isInteger(Renderer&, const Value& self, Arguments&) {
    return Value::boolean(std::floor(self.asDouble()) == self.asDouble());
}

Value bitLength(Renderer&, const Value& self, Arguments&) {
    const int64_t v = self.asInt();
    uint64_t rest = v < 0 ? uint64_t{0} - static_cast<uint64_t>(v) : static_cast<uint64_t>(v);
    int64_t n = 0;
    for (; rest != 0; rest >>= 1) ++n;
    return Value::integer(n);
}

constexpr Filter kListMethods[] = {
    {"append", append},     {"extend", extend},    {"insert", insert},   {"pop", pop},
    {"remove", removeItem}, {"clear", clearList},  {"reverse", reverse}, {"sort", sort},
    {"copy", copyList},     {"count", countItems}, {"index", indexOf},
};
constexpr Filter kTupleMethods[] = {{"count", countItems}, {"index", indexOf}};
constexpr Filter kDictMethods[] = {
    {"get", get},         {"keys", view<0>}, {"values", view<1>},        {"items", view<2>},
    {"copy", copyDict},   {"pop", popKey},   {"setdefault", setDefault}, {"update", update},
    {"clear", clearDict},
};
constexpr Filter kFloatMethods[] = {{"is_integer", isInteger}};
constexpr Filter kIntMethods[] = {{"bit_length", bitLength}};

}  // namespace

Value containerMethod(const Value& self, std::string_view name) {
    std::span<const Filter> table;
    if (self.is(Kind::List)) table = kListMethods;
    if (self.is(Kind::Tuple)) table = kTupleMethods;
    if (self.is(Kind::Dict)) table = kDictMethods;
    if (self.is(Kind::Float)) table = kFloatMethods;
    if (self.isWhole()) table = kIntMethods;
    for (const Filter& method : table)
        if (method.name == name) return bindMethod(self, method);
    if (self.is(Kind::Tuple) && static_cast<ListObject*>(self.object())->isGroup) {
        if (name == "grouper") return self.items()[0];
        if (name == "list") return self.items()[1];
    }
    if (self.isNumber() && (name == "real" || (name == "numerator" && self.isWhole())))
        return self.isWhole() ? Value::integer(self.asInt()) : self;
    if (self.isNumber() && name == "imag")
        return self.isWhole() ? Value::integer(0) : Value::number(0);
    if (self.isWhole() && name == "denominator") return Value::integer(1);
    if (self.is(Kind::Range)) {
        if (name == "start") return Value::integer(self.asRange().start);
        if (name == "stop") return Value::integer(self.asRange().stop);
        if (name == "step") return Value::integer(self.asRange().step);
    }
    return {};
}

}  // namespace vitrine::engine::jinja
