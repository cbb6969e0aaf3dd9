#pragma once
// What is planned for: a model file, a folder, a config.json, read tolerantly, since what cannot
// run here can still be planned. Thread: pure functions; they read files and may take some 10 ms.

#include <optional>
#include <string>
#include <string_view>

#include "engine/model/config.h"
#include "engine/plan/model_shape.h"
#include "engine/plan/roofline.h"

namespace vitrine::engine {

class ModelFile;

struct PlannedModel {
    std::string path;  ///< empty: no file
    ModelShape shape;
    std::optional<uint64_t>
        weightBytes;  ///< of the file's tensors; none = shape and weightSize say
    std::optional<uint64_t> nParameters;  ///< of the file's tensors
    WeightSize weightSize;                ///< of one weight where there are no tensors
    std::string weightType;               ///< "bf16", "Q4_K mix"
    std::optional<ModelConfig> config;    ///< where this program knows the architecture
    std::string cannotRun;                ///< why it can be planned but not run; empty = it can

    Checked weights() const;
    Checked parameters() const;
};

/// A GGUF file, a Hugging Face folder or a config.json. Fails: as openModelFile; Format (not JSON,
/// a size is missing or impossible, named).
Result<PlannedModel> readPlannedModel(const std::string& path);

/// From an opened file. Fails: Format, InvalidArgument.
Result<PlannedModel> plannedModelOf(const ModelFile& file);

/// From the text of a Hugging Face config.json. Fails: Format, InvalidArgument.
Result<PlannedModel> plannedModelOfConfig(std::string_view json);

/// Never fails. isTied and biases are left as they are by default: the configuration does not say.
ModelShape shapeOf(const ModelConfig& config);

}  // namespace vitrine::engine
