#pragma once
// Look-up by name in a list that keeps its own order: a sorted list of positions. Thread: pure
// functions, any thread.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace vitrine::engine {

/// Makes `index` the positions 0…n−1 sorted by name(i). Returns the position of a name that occurs
/// twice, or n. Never fails.
template <class Name>
size_t sortByName(std::vector<uint32_t>& index, size_t n, Name name) {
    index.resize(n);
    for (size_t i = 0; i < n; ++i) index[i] = static_cast<uint32_t>(i);
    std::sort(index.begin(), index.end(),
              [&](uint32_t a, uint32_t b) { return name(a) < name(b); });
    for (size_t i = 1; i < n; ++i) {
        if (name(index[i - 1]) == name(index[i])) return index[i];
    }
    return n;
}

/// The position of `wanted`, or index.size(). Requires: `index` is from sortByName with this name.
template <class Name>
size_t findByName(const std::vector<uint32_t>& index, std::string_view wanted, Name name) {
    const auto it = std::lower_bound(index.begin(), index.end(), wanted,
                                     [&](uint32_t i, std::string_view w) { return name(i) < w; });
    return it != index.end() && name(*it) == wanted ? *it : index.size();
}

}  // namespace vitrine::engine
