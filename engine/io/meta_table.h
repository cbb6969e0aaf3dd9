#pragma once
// Metadata of a model whose keys are made and not read: filled once, then looked up by key. Thread:
// one thread while it is filled, then any.

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/io/model_file.h"

namespace vitrine::engine {

class MetaTable {
public:
    /// Never fails; a key that is there already keeps its first value.
    void add(std::string key, MetaValue value);

    /// A float32 as GGUF stores it; one that float32 cannot hold is left out.
    void addFloat(std::string key, double value);

    /// Null when the key is absent. Linear in the number of keys, which is below a hundred.
    const MetaValue* find(std::string_view key) const;

    std::span<const std::pair<std::string, MetaValue>> entries() const { return entries_; }

private:
    std::vector<std::pair<std::string, MetaValue>> entries_;
};

}  // namespace vitrine::engine
