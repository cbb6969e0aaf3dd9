#pragma once
// Typed ids: one template, then a line per id, so that a page number can no longer pass for a
// token. Thread: plain values.

#include <compare>
#include <cstdint>
#include <functional>

namespace vitrine::engine {

template <class Tag>
struct Id {
    int32_t value = -1;  ///< -1 = none

    constexpr Id() = default;

    constexpr explicit Id(int32_t v) : value(v) {}

    constexpr bool isValid() const noexcept { return value >= 0; }

    constexpr auto operator<=>(const Id&) const = default;
};

using TokenId = Id<struct TokenTag>;
using PageId = Id<struct PageTag>;
using LayerId = Id<struct LayerTag>;
using HeadId = Id<struct HeadTag>;

}  // namespace vitrine::engine

template <class Tag>
struct std::hash<vitrine::engine::Id<Tag>> {
    size_t operator()(const vitrine::engine::Id<Tag>& id) const noexcept {
        return std::hash<int32_t>{}(id.value);
    }
};
