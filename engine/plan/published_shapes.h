#pragma once
// Sizes of well-known models as their makers publish them, to plan for without a file. Thread: pure
// functions.

#include <vector>

#include "engine/plan/model_shape.h"

namespace vitrine::engine {

/// In the order of a menu. Source: the models' config.json.
const std::vector<ModelShape>& publishedShapes();

/// Null when there is none of that name. Never fails.
const ModelShape* publishedShape(std::string_view name);

}  // namespace vitrine::engine
