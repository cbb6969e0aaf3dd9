#pragma once
// The numbers of a transformer as the forward pass needs them, read once from the file's metadata.
// Thread: plain values.

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/api/op_args.h"

namespace vitrine::engine {

/// One set of rotation angles. Positions are divided by linearFactor; with a YaRN factor above 1
/// only those of slow pairs are, by a ramp.
struct RopeAngles {
    double base = 10000.0;
    double linearFactor = 1.0;
    double yarnFactor = 1.0;                       ///< 1 = no YaRN
    double yarnBetaFast = 32.0, yarnBetaSlow = 1;  ///< turns within the original context
    double yarnShare = 1.0;                        ///< of the ramp; 0 = plain interpolation
    double magnitude = 1.0;                        ///< of cos and sin, YaRN's own apart
};

/// Layers choose between two sets of angles: `full`, and `windowed` where a model rotates its
/// windowed layers differently.
struct RopeConfig {
    int32_t dim = 0;  ///< rotated values of a head; 0 = no rotation
    kernels::RopePairing pairing = kernels::RopePairing::Halves;
    RopeAngles full, windowed;
    bool hasWindowedAngles = false;
    int32_t originalContext = 0;  ///< before YaRN or LongRoPE stretched it
    bool needsFactors = false;    ///< LongRoPE by name: its two tensors must be there
    // Divisors of the frequencies, [dim/2] or empty: llama-3.1 scaling, baked at conversion, and
    // LongRoPE's two sets, of which the running length chooses one.
    std::vector<float> freqDivisors, shortDivisors, longDivisors;

    bool isLongRope() const { return !longDivisors.empty(); }

    /// LongRoPE: sequences longer than the original context take the long divisors, everywhere.
    bool usesLongDivisors(int64_t length) const { return isLongRope() && length > originalContext; }
};

enum class NormKind : uint8_t { Rms, Layer };
enum class QkNorm : uint8_t { None, PerHead /* of d values */, Projection /* over all heads */ };
enum class FeedForward : uint8_t { Gated, Plain /* up, activation, down */, Experts };

/// What a block does: [pre norm] → attention → [post norm] → residual, then the same with the
/// feed-forward.
struct BlockSpec {
    NormKind norm = NormKind::Rms;
    bool hasPreNorm = true;
    bool hasPostNorm = false;
    QkNorm qkNorm = QkNorm::None;  ///< RMS, before RoPE
    FeedForward feedForward = FeedForward::Gated;
    kernels::Activation activation = kernels::Activation::Silu;
    float softcap = 0.0f;        ///< of attention scores; 0 = none
    float residualScale = 1.0f;  ///< of each branch before it is added
};

/// What differs from layer to layer.
struct LayerSpec {
    int32_t window = 0;  ///< 0 = full attention; key visible when query − key < window
    bool usesWindowedAngles = false;
};

struct ExpertSpec {
    int32_t count = 0;  ///< 0 = no mixture of experts
    int32_t used = 0;
    int32_t ffDim = 0;        ///< of one expert
    bool renormalise = true;  ///< the chosen weights sum to 1
    float weightScale = 1.0f;
};

struct ModelConfig {
    std::string architecture;
    std::string name;
    int32_t nLayers = 0, nHeads = 0, nKvHeads = 0, headDim = 0;
    int32_t dim = 0, ffDim = 0, vocab = 0;
    int32_t trainedContext = 0;
    float normEps = 1e-5f;
    float attentionScale = 0.0f;  ///< 1/√headDim unless the model says otherwise
    float embeddingScale = 1.0f;
    float logitScale = 1.0f;    ///< multiplies the logits
    float logitSoftcap = 0.0f;  ///< 0 = none
    bool hasPositions = false;  ///< learned positions are added to the embedding
    RopeConfig rope;
    BlockSpec block;
    ExpertSpec experts;
    std::vector<LayerSpec> layers;  ///< [nLayers]

    const LayerSpec& layer(int32_t index) const { return layers[static_cast<size_t>(index)]; }

    /// Layers that see only a window.
    int32_t nWindowedLayers() const {
        int32_t n = 0;
        for (const LayerSpec& spec : layers) n += spec.window > 0 ? 1 : 0;
        return n;
    }
};

}  // namespace vitrine::engine
