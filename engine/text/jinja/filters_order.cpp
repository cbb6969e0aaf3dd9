#include "engine/text/jinja/filters.h"

namespace vitrine::engine::jinja {

namespace {

/// What items are compared by: an attribute, without regard to case unless told so.
Value keyOf(Renderer& r, const Value& item, const Value& attribute, bool isCaseSensitive,
            const Value* fallback = nullptr) {
    Value key = attributePath(r, item, attribute, fallback);
    return isCaseSensitive ? key : ignoreCase(r, key);
}

/// Of several attributes ("age,name") the key is a list.
Value keysOf(Renderer& r, const Value& item, const Value& attribute, bool isCaseSensitive) {
    std::vector<Value> keys;
    if (!attribute.isString()) {
        keys.push_back(keyOf(r, item, attribute, isCaseSensitive));
        return Value::list(std::move(keys));
    }
    const std::string& names = attribute.asText().bytes();
    for (size_t from = 0; from <= names.size();) {
        const size_t to = std::min(names.find(',', from), names.size());
        keys.push_back(
            keyOf(r, item, Value::string(names.substr(from, to - from), false), isCaseSensitive));
        from = to + 1;
    }
    return Value::list(std::move(keys));
}

std::vector<Value> valuesOf(std::vector<std::pair<Value, Value>>& keyed) {
    std::vector<Value> values;
    values.reserve(keyed.size());
    for (auto& [key, value] : keyed) values.push_back(std::move(value));
    return values;
}

Value sort(Renderer& r, const Value& input, Arguments& arguments) {
    Params p(r, "sort", arguments, {"reverse", "case_sensitive", "attribute"});
    if (!p.ok()) return {};
    const bool isReverse = p.boolean(0, false), isCaseSensitive = p.boolean(1, false);
    std::vector<std::pair<Value, Value>> keyed;
    const Items items(r, input);
    if (!r.room(items.size() * 4 * sizeof(Value))) return {};
    for (size_t i = 0; i < items.size() && r.tick() && r.room(0); ++i)
        keyed.emplace_back(keysOf(r, items.at(i), p[2], isCaseSensitive), items.at(i));
    r.sort(keyed, isReverse);
    return Value::list(valuesOf(keyed));
}

Value dictSort(Renderer& r, const Value& input, Arguments& arguments) {
    Params p(r, "dictsort", arguments, {"case_sensitive", "by", "reverse"});
    if (!p.ok()) return {};
    const bool isCaseSensitive = p.boolean(0, false), isReverse = p.boolean(2, false);
    const std::string by = p.text(1, "key").bytes();
    if (by != "key" && by != "value")
        return r.fail("You can only sort by either \"key\" or \"value\"");
    if (input.isUndefined()) return r.failUndefined(input);
    if (!input.is(Kind::Dict)) return r.fail("dictsort wants a mapping");
    std::vector<std::pair<Value, Value>> keyed;
    for (const auto& [key, value] : input.asDict().entries) {
        if (!r.room(256)) break;
        keyed.emplace_back(keyOf(r, by == "key" ? key : value, Value::none(), isCaseSensitive),
                           Value::tuple({key, value}));
    }
    r.sort(keyed, isReverse);
    return Value::list(valuesOf(keyed));
}

Value unique(Renderer& r, const Value& input, Arguments& arguments) {
    Params p(r, "unique", arguments, {"case_sensitive", "attribute"});
    if (!p.ok()) return {};
    const bool isCaseSensitive = p.boolean(0, false);
    const Value seen = Value::dict();
    std::vector<Value> kept;
    const Items items(r, input);
    for (size_t i = 0; i < items.size() && r.room(kept.size() * sizeof(Value)); ++i) {
        Value item = items.at(i);
        const Value key = keyOf(r, item, p[1], isCaseSensitive);
        if (r.failed() || !r.checkHashable(key)) return {};
        if (seen.asDict().find(key) != nullptr) continue;
        seen.asDict().set(key, Value::none());
        kept.push_back(std::move(item));
    }
    return Value::iterator(std::move(kept), "generator");
}

template <bool kMax>
Value extreme(Renderer& r, const Value& input, Arguments& arguments) {
    Params p(r, kMax ? "max" : "min", arguments, {"case_sensitive", "attribute"});
    if (!p.ok()) return {};
    const bool isCaseSensitive = p.boolean(0, false);
    const Items items(r, input);
    if (items.size() == 0) return Value::undefined("No aggregated item, sequence was empty.");
    Value best = items.at(0);
    Value bestKey = keyOf(r, best, p[1], isCaseSensitive);
    for (size_t i = 1; i < items.size() && r.tick(); ++i) {
        Value item = items.at(i);
        Value key = keyOf(r, item, p[1], isCaseSensitive);
        if (kMax ? !r.less(bestKey, key, ">") : !r.less(key, bestKey)) continue;
        best = std::move(item);
        bestKey = std::move(key);
    }
    return best;
}

Value sum(Renderer& r, const Value& input, Arguments& arguments) {
    Params p(r, "sum", arguments, {"attribute", "start"});
    if (!p.ok()) return {};
    Value total = p.isGiven(1) ? p[1] : Value::integer(0);
    if (total.isString()) return r.fail("sum() can't sum strings [use ''.join(seq) instead]");
    const Items items(r, input);
    for (size_t i = 0; i < items.size() && r.tick(); ++i)
        total = r.binary(Op::Add, total, attributePath(r, items.at(i), p[0]));
    return total;
}

Value groupBy(Renderer& r, const Value& input, Arguments& arguments) {
    Params p(r, "groupby", arguments, {"attribute", "default", "case_sensitive"}, 1);
    if (!p.ok()) return {};
    const bool isCaseSensitive = p.boolean(2, false);
    const Value* fallback = p.has(1) ? &p[1] : nullptr;
    std::vector<std::pair<Value, Value>> keyed;
    const Items items(r, input);
    if (!r.room(items.size() * 2 * sizeof(Value))) return {};
    for (size_t i = 0; i < items.size() && r.tick() && r.room(0); ++i)
        keyed.emplace_back(keyOf(r, items.at(i), p[0], isCaseSensitive, fallback), items.at(i));
    r.sort(keyed, false);
    std::vector<Value> groups;
    for (size_t from = 0; from < keyed.size() && r.tick() && r.room(0);) {
        std::vector<Value> members;
        size_t to = from;
        for (; to < keyed.size() && r.equals(keyed[from].first, keyed[to].first); ++to)
            members.push_back(keyed[to].second);
        if (to == from) break;  // it failed
        Value key = keyOf(r, members[0], p[0], true, fallback);
        Value group = Value::tuple({std::move(key), Value::list(std::move(members))});
        static_cast<ListObject*>(group.object())->isGroup = true;
        groups.push_back(std::move(group));
        from = to;
    }
    return Value::list(std::move(groups));
}

constexpr Filter kFilters[] = {
    {"sort", sort},         {"dictsort", dictSort}, {"unique", unique},   {"min", extreme<false>},
    {"max", extreme<true>}, {"sum", sum},           {"groupby", groupBy},
};

}  // namespace

std::span<const Filter> orderFilters() noexcept {
    return kFilters;
}

}  // namespace vitrine::engine::jinja
