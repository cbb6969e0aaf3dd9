#include "engine/text/jinja/filters.h"

namespace vitrine::engine::jinja {

namespace {

/// Filters here make generators: an item is looked at when it is asked for.
Value map(Renderer& r, const Value& input, Arguments& arguments) {
    if (!r.truth(input)) return Value::iterator({}, "generator");
    Source source(r, input);
    if (arguments.positional.empty()) {
        Params p(r, "map", arguments, {"attribute", "default"});
        if (p.ok() && !p.isGiven(0)) return r.fail("map requires a filter argument");
        return Value::generator([source, attribute = p[0], fallback = p[1], hasFallback = p.has(1)](
                                    Renderer& renderer, Value& value) mutable {
            Value item;
            if (!source.next(renderer, item)) return false;
            value = attributePath(renderer, item, attribute, hasFallback ? &fallback : nullptr);
            return true;
        });
    }
    const Value name = arguments.positional[0];
    Arguments given = std::move(arguments);
    given.positional.erase(given.positional.begin());
    return Value::generator([source, name, given](Renderer& renderer, Value& value) mutable {
        Value item;
        if (!source.next(renderer, item)) return false;
        Arguments copy = given;
        value = renderer.callFilter(name, item, copy);
        return true;
    });
}

template <bool kByAttribute, bool kKeeps>
Value select(Renderer& r, const Value& input, Arguments& arguments) {
    if (!r.truth(input)) return Value::iterator({}, "generator");
    Arguments given = std::move(arguments);
    const auto takeFirst = [&] {
        if (given.positional.empty()) return Value();
        Value value = std::move(given.positional.front());
        given.positional.erase(given.positional.begin());
        return value;
    };
    if (kByAttribute && given.positional.empty())
        return r.fail("Missing parameter for attribute name");
    const Value attribute = kByAttribute ? takeFirst() : Value();
    const bool hasTest = !given.positional.empty();
    const Value test = takeFirst();
    Source source(r, input);
    return Value::generator([source, attribute, test, hasTest, given](Renderer& renderer,
                                                                      Value& value) mutable {
        while (source.next(renderer, value)) {
            const Value looked = kByAttribute ? attributePath(renderer, value, attribute) : value;
            Arguments copy = given;
            const bool isMet =
                !renderer.failed() &&
                (hasTest ? renderer.callTest(test, looked, copy) : renderer.truth(looked));
            if (isMet == kKeeps) return true;
        }
        return false;
    });
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
