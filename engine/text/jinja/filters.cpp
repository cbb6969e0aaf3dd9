#include "engine/text/jinja/filters.h"

namespace vitrine::engine::jinja {

const Filter* findFilter(std::string_view name) noexcept {
    for (const auto table : {textFilters(), layoutFilters(), listFilters(), selectFilters(),
                             orderFilters(), numberFilters(), htmlFilters()})
        for (const Filter& filter : table)
            if (filter.name == name) return &filter;
    return nullptr;
}

Value attributePath(Renderer& r, const Value& item, const Value& attribute, const Value* fallback) {
    if (attribute.isNone()) return item;
    Value value = item;
    const auto step = [&](const Value& key) {
        value = r.item(value, key);
        if (fallback != nullptr && value.isUndefined()) value = *fallback;
    };
    if (!attribute.isString()) {
        step(attribute);
        return value;
    }
    const std::string& path = attribute.asText().bytes();
    for (size_t from = 0; from <= path.size() && r.tick();) {
        const size_t to = std::min(path.find('.', from), path.size());
        const std::string part = path.substr(from, to - from);
        const bool isIndex =
            !part.empty() && part.find_first_not_of("0123456789") == std::string::npos;
        const auto index = isIndex ? parseInteger(part, 10) : std::nullopt;
        step(index ? Value::integer(*index) : Value::string(part, false));
        from = to + 1;
    }
    return value;
}

Value ignoreCase(Renderer& r, const Value& value) {
    if (!value.isString() || !r.tick(value.asText().size())) return value;
    Builder out(r);
    writeCased(out, value.asText(), 0, value.asText().size(), Case::Lower);
    return out.value();
}

}  // namespace vitrine::engine::jinja
