#pragma once
// The numbers of a transformer as the forward pass needs them, read once from the file's metadata.
// Thread: plain values.

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/api/op_args.h"

namespace vitrine::engine {

struct RopeConfig {
    int32_t dim = 0;  ///< rotated values of a head
    double base = 10000.0;
    kernels::RopePairing pairing = kernels::RopePairing::Halves;
    double linearFactor = 1.0;        ///< positions are divided by it
    std::vector<float> freqDivisors;  ///< [dim/2] or empty: llama-3.1 scaling, baked at conversion
};

/// What a block does beyond the common shape (RMSNorm, GQA attention, RMSNorm, gated SiLU
/// feed-forward).
struct BlockSpec {
    bool hasQkvBias = false;
    int32_t window = 0;    ///< 0 = full attention
    float softcap = 0.0f;  ///< 0 = none
};

struct ModelConfig {
    std::string architecture;
    std::string name;
    int32_t nLayers = 0, nHeads = 0, nKvHeads = 0, headDim = 0;
    int32_t dim = 0, ffDim = 0, vocab = 0;
    int32_t trainedContext = 0;
    float rmsEps = 1e-5f;
    float attentionScale = 0.0f;  ///< 1/√headDim
    RopeConfig rope;
    BlockSpec block;
};

}  // namespace vitrine::engine
