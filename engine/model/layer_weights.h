#pragma once
// The weights of one layer in the backend's memory, and where the tensor of each slot goes. What an
// architecture does not have is null. Thread: plain values.

#include <vector>

#include "engine/model/architecture.h"
#include "kernels/api/backend.h"

namespace vitrine::engine {

struct LayerWeights {
    float *attnNorm = nullptr, *attnNormBias = nullptr;  // [dim]
    kernels::Matrix *q = nullptr, *k = nullptr,
                    *v = nullptr;  // [nHeads·headDim | nKvHeads·headDim, dim]
    float *qBias = nullptr, *kBias = nullptr, *vBias = nullptr;  // [rows of q, k, v]
    float *qNorm = nullptr, *kNorm = nullptr;                    // [headDim], or [rows of q, k]
    kernels::Matrix* out = nullptr;                              // [dim, nHeads·headDim]
    float* outBias = nullptr;                                    // [dim]
    float* attnPostNorm = nullptr;                               // [dim]
    float *ffnNorm = nullptr, *ffnNormBias = nullptr;            // [dim]
    kernels::Matrix *gate = nullptr, *up = nullptr,
                    *down = nullptr;  // [ffDim, dim] ×2, [dim, ffDim]
    float *gateBias = nullptr, *upBias = nullptr, *downBias = nullptr;  // [ffDim] ×2, [dim]
    float* ffnPostNorm = nullptr;                                       // [dim]
    kernels::Matrix* router = nullptr;                                  // [experts, dim]
    std::vector<kernels::Matrix*> gateExperts, upExperts,
        downExperts;  // [experts] of gate, up, down with the experts' ffDim
};

/// What a matrix is read for, for derived byte counts.
enum class ByteUse { None, Qkv, Out, FeedForward, Experts };

/// Shape and target of a slot. Vectors have one row.
struct SlotInfo {
    int64_t nRows = 0, nCols = 0;
    kernels::Matrix* LayerWeights::*matrix = nullptr;
    std::vector<kernels::Matrix*> LayerWeights::*experts = nullptr;
    float* LayerWeights::*vector = nullptr;  ///< all three null: a tensor of the whole model
    ByteUse use = ByteUse::None;
    bool isMatrix = false;
};

/// For a slot with one owner, that is not AttnQkv, AttnQkvBias, FfnGateUp. For a stack of experts:
/// one expert's. Never fails.
SlotInfo slotInfo(const ModelConfig& config, Slot slot);

}  // namespace vitrine::engine
