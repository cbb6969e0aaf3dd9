#include "engine/io/meta_table.h"

namespace vitrine::engine {

void MetaTable::add(std::string key, MetaValue value) {
    if (find(key) == nullptr) entries_.emplace_back(std::move(key), std::move(value));
}

const MetaValue* MetaTable::find(std::string_view key) const {
    for (const auto& [name, value] : entries_) {
        if (name == key) return &value;
    }
    return nullptr;
}

}  // namespace vitrine::engine
