#pragma once
// Arithmetic, traffic and the least time of prefill and decode, from a model's shape and a
// machine's two ceilings. Everything here is predicted. Symbols as in the metrics notes: S new
// prompt tokens, C cached ones, T context in decode. Thread: pure functions.

#include <optional>

#include "engine/plan/kv_plan.h"

namespace vitrine::engine {

/// Bytes of weights as stored: blockBytes for every blockValues. bf16 = {2, 1}, Q4_1 = {20, 32}.
struct WeightSize {
    int64_t blockBytes = 2, blockValues = 1;

    Checked bytesOf(const Checked& nWeights) const {
        return nWeights.ceilDiv(blockValues) * Checked(blockBytes);
    }
};

struct RooflineOptions {
    WeightSize weights;
    KvType k = KvType::F16, v = KvType::F16;
    int64_t activationBytes = 0;  ///< of one value; 0 = activations are not counted
    /// Whole matrix of scores in memory: stored, loaded and stored by softmax, loaded for V.
    bool isUnfused = false;
    int64_t queryTile = 0;  ///< fused: K and V are read again for each such tile; 0 = once
};

struct Work {
    Checked linearFlops, attentionFlops, headFlops;
    Checked blockWeightBytes, headWeightBytes;  ///< block with norms and biases
    Checked kvReadBytes, kvWriteBytes;
    Checked activationBytes, scoreBytes;

    Checked flops() const { return linearFlops + attentionFlops + headFlops; }

    Checked bytes() const {
        return blockWeightBytes + headWeightBytes + kvReadBytes + kvWriteBytes + activationBytes +
               scoreBytes;
    }

    double attentionShare() const { return attentionFlops.approximate() / flops().approximate(); }

    double intensity() const { return flops().approximate() / bytes().approximate(); }
};

/// Query–key pairs of all layers, windows counted: Σ over layers of Σ min(position + 1, window).
Checked attendedPairs(const ModelShape& shape, int64_t nNew, int64_t nCached);

/// Requires: checkShape passed, S ≥ 1, C ≥ 0. Logits for the last position only.
Work prefillWork(const ModelShape& shape, const RooflineOptions& options, int64_t nNew,
                 int64_t nCached = 0);
/// One token that sees T cached ones. Requires: T ≥ 0.
Work decodeWork(const ModelShape& shape, const RooflineOptions& options, int64_t context);

struct Machine {
    const char* name;
    double flopsPerS, bytesPerS;

    /// Tokens from which a bf16 linear layer is bound by arithmetic.
    double criticalTokens() const { return flopsPerS / bytesPerS; }
};

// Datasheet roofs. Source: metrics notes, "Intensity".
inline constexpr Machine kA100{"A100-80G", 312e12, 2039e9};
inline constexpr Machine kH100{"H100", 989e12, 3350e9};
inline constexpr Machine kTpuV5e{"TPU v5e", 197e12, 820e9};

/// Seconds: the larger of arithmetic and traffic of the whole phase.
double phaseFloorS(const Work& work, const Machine& machine);
/// Seconds: the same for linear layers, attention and head, one after another; never smaller.
double opsFloorS(const Work& work, const Machine& machine);

/// S*: prompt length at which attention costs as many FLOPs as the linear layers. None where no
/// layer attends to everything.
std::optional<double> attentionCrossover(const ModelShape& shape);
/// T*: context whose KV is as large as the weights that a step reads, whole tokens; windows left
/// aside.
std::optional<uint64_t> kvCrossover(const ModelShape& shape, const RooflineOptions& options);

/// All heads and layers of f16 probabilities of S tokens: why a picture cannot hold them.
Checked attentionCaptureBytes(const ModelShape& shape, int64_t nTokens);

}  // namespace vitrine::engine
