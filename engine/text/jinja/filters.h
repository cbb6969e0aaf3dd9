#pragma once
// The tables of filters, tests and functions. Thread: constant tables.

#include <span>
#include <string_view>

#include "engine/text/jinja/renderer.h"

namespace vitrine::engine::jinja {

using Function = Value (*)(Renderer& renderer, const Value& input, Arguments& arguments);

struct Filter {
    std::string_view name;
    Function apply;
};

struct Test {
    std::string_view name;
    bool (*apply)(Renderer& renderer, const Value& input, Arguments& arguments);
};

/// Null when there is none of that name.
const Filter* findFilter(std::string_view name) noexcept;
const Test* findTest(std::string_view name) noexcept;

// One table per source file.
std::span<const Filter> textFilters() noexcept;
std::span<const Filter> layoutFilters() noexcept;
std::span<const Filter> listFilters() noexcept;
std::span<const Filter> selectFilters() noexcept;
std::span<const Filter> orderFilters() noexcept;
std::span<const Filter> numberFilters() noexcept;
std::span<const Filter> htmlFilters() noexcept;

std::span<const Filter> stringMethods() noexcept;
std::span<const Filter> stringSplitMethods() noexcept;

/// A function bound to the value that it is a method of.
Value bindMethod(const Value& self, const Filter& method);

/// Follows "a.b.0" through items. `attribute` is a string or an integer; none: the value itself.
Value attributePath(Renderer& renderer, const Value& item, const Value& attribute,
                    const Value* fallback = nullptr);
/// A string in lower case, anything else as it is.
Value ignoreCase(Renderer& renderer, const Value& value);

}  // namespace vitrine::engine::jinja
