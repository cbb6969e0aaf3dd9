#include "engine/io/meta_table.h"

#include <cmath>
#include <limits>

namespace vitrine::engine {

void MetaTable::add(std::string key, MetaValue value) {
    if (find(key) == nullptr) entries_.emplace_back(std::move(key), std::move(value));
}

void MetaTable::addFloat(std::string key, double value) {
    if (std::fabs(value) <= double{std::numeric_limits<float>::max()})
        add(std::move(key), static_cast<double>(static_cast<float>(value)));
}

const MetaValue* MetaTable::find(std::string_view key) const {
    for (const auto& [name, value] : entries_) {
        if (name == key) return &value;
    }
    return nullptr;
}

}  // namespace vitrine::engine
