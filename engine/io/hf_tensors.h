#pragma once
// Which tensors a GGUF of a Hugging Face model holds, and from which tensor of the folder each is
// made and how. Thread: plain values and pure functions.

#include <cstdint>
#include <string>
#include <vector>

#include "engine/io/hf_config.h"

namespace vitrine::engine {

/// How a tensor is made from what the folder holds.
enum class HfTreatment : uint8_t {
    AsStored,     ///< a matrix in its own type
    Vector,       ///< float32
    NormPlusOne,  ///< float32, gemma's 1 added
    Query,        ///< rows of a head re-ordered from (i, i + d/2) to (2i, 2i + 1)
    Key,          ///< the same with the number of KV heads
    Transposed,   ///< gpt2 stores [in, out]
    Experts,      ///< one matrix per expert, stacked
    Wide,         ///< a matrix in float32
};

struct HfRule {
    std::string gguf;  ///< name in GGUF, whole
    std::string hf;    ///< name in the folder without the model's prefix; "{}" is the expert
    HfTreatment treatment = HfTreatment::AsStored;
    int64_t nRows = 0, nCols = 0;  ///< by the configuration; nRows 0 = a vector
    bool isRequired = true;
    bool isPlain = false;  ///< the name has no prefix: lm_head
};

/// All tensors in layer order. Never fails.
std::vector<HfRule> tensorRules(const HfConfig& config);

/// A tensor's name in the folder that no rule takes, but that means nothing either: RoPE tables,
/// masks, the head of a tied model, the image part of a multimodal one.
bool isNegligible(const HfConfig& config, const std::string& hfName);

/// llama3's divisors of the frequencies, [ropeDim/2]. Source: transformers,
/// _compute_llama3_parameters; llama.cpp's converter.
std::vector<float> llama3Divisors(const HfConfig& config);

}  // namespace vitrine::engine
