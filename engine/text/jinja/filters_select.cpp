#include "engine/text/jinja/filters.h"

namespace vitrine::engine::jinja {

namespace {

Value map(Renderer& r, const Value& input, Arguments& arguments) {
    if (!r.truth(input)) return Value::iterator({}, "generator");
    std::vector<Value> mapped;
    const Items items(r, input);
    if (!r.room(items.size() * sizeof(Value))) return {};
    if (arguments.positional.empty()) {
        Params p(r, "map", arguments, {"attribute", "default"});
        if (p.ok() && !p.isGiven(0)) return r.fail("map requires a filter argument");
        for (size_t i = 0; p.ok() && i < items.size() && r.tick(); ++i)
            mapped.push_back(attributePath(r, items.at(i), p[0], p.has(1) ? &p[1] : nullptr));
        return Value::iterator(std::move(mapped), "generator");
    }
    const Value name = arguments.positional[0];
    for (size_t i = 0; i < items.size() && r.tick(); ++i) {
        Arguments given = arguments;
        given.positional.erase(given.positional.begin());
        mapped.push_back(r.callFilter(name, items.at(i), given));
    }
    return Value::iterator(std::move(mapped), "generator");
}

template <bool kByAttribute, bool kKeeps>
Value select(Renderer& r, const Value& input, Arguments& arguments) {
    if (!r.truth(input)) return Value::iterator({}, "generator");
    std::vector<Value>& given = arguments.positional;
    Value attribute, test;
    if (kByAttribute) {
        if (given.empty()) return r.fail("Missing parameter for attribute name");
        attribute = given[0];
        given.erase(given.begin());
    }
    const bool hasTest = !given.empty();
    if (hasTest) {
        test = given[0];
        given.erase(given.begin());
    }
    std::vector<Value> kept;
    const Items items(r, input);
    for (size_t i = 0; i < items.size() && r.room(kept.size() * sizeof(Value)); ++i) {
        const Value item = items.at(i);
        const Value looked = kByAttribute ? attributePath(r, item, attribute) : item;
        Arguments copy = arguments;
        const bool isMet =
            !r.failed() && (hasTest ? r.callTest(test, looked, copy) : r.truth(looked));
        if (isMet == kKeeps) kept.push_back(item);
    }
    return Value::iterator(std::move(kept), "generator");
}

constexpr Filter kFilters[] = {
    {"map", map},
    {"select", select<false, true>},
    {"reject", select<false, false>},
    {"selectattr", select<true, true>},
    {"rejectattr", select<true, false>},
};

}  // namespace

std::span<const Filter> selectFilters() noexcept {
    return kFilters;
}

}  // namespace vitrine::engine::jinja
