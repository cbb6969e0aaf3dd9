#pragma once
// What a Hugging Face config.json says about a model, in the spelling of transformers 4 and of 5,
// with the values that transformers takes where a key is absent, and the same as GGUF keys. Thread:
// plain values and pure functions.

#include <cstdint>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/io/json_value.h"
#include "engine/io/meta_table.h"

namespace vitrine::engine {

enum class HfFamily : uint8_t {
    Llama,
    Mistral,
    Mixtral,
    Qwen2,
    Qwen3,
    Qwen3Moe,
    Gemma2,
    Gemma3,
    Phi3,
    Gpt2,
    Olmo2,
    Granite
};

struct HfRope {
    std::string type;   ///< "linear", "yarn", "llama3", "longrope" or another; empty = unscaled
    double base = 0.0;  ///< of all layers, of the full ones in gemma3
    double windowedBase = 0.0;  ///< gemma3: of the windowed layers
    double factor = 1.0;
    int64_t originalContext = 0;               ///< before the context was stretched
    double betaFast = 0.0, betaSlow = 0.0;     ///< yarn; 0 = not given
    double lowFactor = 1.0, highFactor = 4.0;  ///< llama3
    double magnitude = 0.0;  ///< of cos and sin (attention_factor); 0 = by the formula
    std::vector<float> shortFactors, longFactors;  ///< longrope, [ropeDim/2]
};

struct HfConfig {
    HfFamily family = HfFamily::Llama;
    std::string arch;       ///< general.architecture
    std::string modelType;  ///< as config.json spells it
    std::string name;       ///< _name_or_path; may be empty
    std::string dtype;      ///< "bfloat16", "float16", "float32"
    int64_t nLayers = 0, nHeads = 0, nKvHeads = 0, headDim = 0, ropeDim = 0;
    bool isHeadDimGiven = false;  ///< else it is dim / nHeads
    int64_t dim = 0, ffDim = 0, vocab = 0, context = 0;
    int64_t nExperts = 0, nExpertsUsed = 0, expertFfDim = 0;
    bool renormalisesExperts = true;
    double normEps = 0.0;
    bool isTied = false;                  ///< the head is the embedding
    int64_t window = 0;                   ///< 0 = none
    std::vector<int64_t> windowedLayers;  ///< [nLayers] of 0 and 1, or empty: as is usual
    int64_t windowPeriod = 0;             ///< gemma3: every such layer is a full one
    double attentionCap = 0.0, logitCap = 0.0;
    double queryScalar = 0.0;  ///< gemma: scores are divided by its root
    double attentionScale = 1.0, embeddingScale = 1.0, residualScale = 1.0, logitScale = 1.0;
    HfRope rope;
    int64_t bosId = -1, eosId = -1, padId = -1;  ///< −1 = not given
};

/// Reads a parsed config.json. Fails: Format (a value is missing, of the wrong type or impossible,
/// named), Unsupported (architecture, quantisation, activation or routing that Vitrine does not
/// run, named).
Result<HfConfig> readHfConfig(const JsonValue& config);

/// The keys that llama.cpp's converter writes for this configuration. Never fails.
void addConfigKeys(const HfConfig& config, MetaTable& table);

/// The ids of special tokens that the configuration gives. Never fails.
void addTokenIds(const HfConfig& config, MetaTable& table);

}  // namespace vitrine::engine
