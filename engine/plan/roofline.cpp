#include "engine/plan/roofline.h"

#include <algorithm>

namespace vitrine::engine {

namespace {

/// Σ over i in [nCached, nCached + nNew) of min(i + 1, window); window 0 = none.
Checked pairsOfLayer(int64_t window, int64_t nNew, int64_t nCached) {
    const auto triangle = [](int64_t n) {
        return Checked(n) * (Checked(n) + Checked(1)) / Checked(2);
    };
    if (window <= 0) return Checked(nNew) * Checked(nCached) + triangle(nNew);
    // Positions below the window see all before them, the others a whole window.
    const int64_t growing = std::clamp<int64_t>(window - nCached, 0, nNew);
    return Checked(growing) * Checked(nCached) + triangle(growing) +
           Checked(nNew - growing) * Checked(window);
}

/// Values that a query and its probabilities touch per key: key and value sizes of all heads.
Checked valuesPerPair(const ModelShape& s) {
    return Checked(s.nHeads) * (Checked(s.keyDim) + Checked(s.valueDim));
}

/// Inputs and outputs of the linear layers of one token, all layers.
Checked linearValues(const ModelShape& s) {
    Checked sum;
    const Checked d(s.dim), q = Checked(s.nHeads) * Checked(s.keyDim);
    const Checked o = Checked(s.nHeads) * Checked(s.valueDim);
    for (int64_t i = 0; i < s.nLayers; ++i) {
        const Checked kv(s.layer(i).nKvHeads);
        sum += (d + q) + (d + kv * Checked(s.keyDim)) + (d + kv * Checked(s.valueDim)) + (o + d);
        const bool hasExperts = s.nExperts > 0 && i >= s.nDenseLayers;
        const Checked width =
            hasExperts ? Checked(s.expertFfDim) * Checked(s.nExpertsUsed + s.nSharedExperts)
                       : Checked(s.ffDim);
        sum += Checked(s.isGated ? 3 : 2) * (d + width);
    }
    return sum;
}

/// FLOPs and weights that do not depend on the context.
Work fixedWork(const ModelShape& shape, const RooflineOptions& options, int64_t nTokens) {
    const ParameterCount count = countParameters(shape);
    Work work;
    work.linearFlops = Checked(2) * Checked(nTokens) * count.blockActive();
    work.headFlops = Checked(2) * count.head;
    work.blockWeightBytes = options.weights.bytesOf(count.blockActive() + count.vectors);
    work.headWeightBytes = options.weights.bytesOf(count.head);
    if (options.activationBytes > 0)
        work.activationBytes =
            (linearValues(shape) * Checked(nTokens) + Checked(shape.dim) + Checked(shape.vocab)) *
            Checked(options.activationBytes);
    return work;
}

Checked kvOf(const ModelShape& shape, const RooflineOptions& options, int64_t nTokens,
             bool countsWindows) {
    Checked sum;
    for (int64_t i = 0; i < shape.nLayers; ++i) {
        const LayerShape layer = shape.layer(i);
        const int64_t n =
            countsWindows && layer.window > 0 ? std::min(nTokens, layer.window) : nTokens;
        sum += kvBytesPerToken(shape, layer, options.k, options.v) * Checked(n);
    }
    return sum;
}

double seconds(const Checked& flops, const Checked& bytes, const Machine& machine) {
    return std::max(flops.approximate() / machine.flopsPerS,
                    bytes.approximate() / machine.bytesPerS);
}

}  // namespace

Checked attendedPairs(const ModelShape& shape, int64_t nNew, int64_t nCached) {
    Checked sum;
    for (int64_t i = 0; i < shape.nLayers; ++i) {
        const LayerShape layer = shape.layer(i);
        if (layer.nKvHeads > 0 || shape.isLatent())
            sum += pairsOfLayer(layer.window, nNew, nCached);
    }
    return sum;
}

Work prefillWork(const ModelShape& shape, const RooflineOptions& options, int64_t nNew,
                 int64_t nCached) {
    Work work = fixedWork(shape, options, nNew);
    work.attentionFlops = Checked(2) * valuesPerPair(shape) * attendedPairs(shape, nNew, nCached);
    work.kvWriteBytes = kvOf(shape, options, nNew, false);
    const int64_t reads =
        options.queryTile > 0 ? (nNew + options.queryTile - 1) / options.queryTile : 1;
    if (options.queryTile > 0)
        work.kvReadBytes = Checked(reads) * kvOf(shape, options, nCached + nNew, false);
    else
        work.kvReadBytes = kvOf(shape, options, nCached, true);
    if (options.isUnfused)
        work.scoreBytes = Checked(4) * Checked(shape.nLayers) * Checked(shape.nHeads) *
                          Checked(nNew) * (Checked(nNew) + Checked(nCached)) *
                          Checked(std::max<int64_t>(options.activationBytes, 2));
    return work;
}

Work decodeWork(const ModelShape& shape, const RooflineOptions& options, int64_t context) {
    Work work = fixedWork(shape, options, 1);
    Checked pairs;
    for (int64_t i = 0; i < shape.nLayers; ++i) {
        const LayerShape layer = shape.layer(i);
        if (layer.nKvHeads == 0 && !shape.isLatent()) continue;
        pairs += Checked(layer.window > 0 ? std::min(context, layer.window) : context);
    }
    work.attentionFlops = Checked(2) * valuesPerPair(shape) * pairs;
    work.kvReadBytes = kvOf(shape, options, context, true);
    work.kvWriteBytes = kvOf(shape, options, 1, false);
    return work;
}

double phaseFloorS(const Work& work, const Machine& machine) {
    return seconds(work.flops(), work.bytes(), machine);
}

double opsFloorS(const Work& work, const Machine& machine) {
    return seconds(work.linearFlops, work.blockWeightBytes + work.activationBytes, machine) +
           seconds(work.attentionFlops, work.kvReadBytes + work.kvWriteBytes + work.scoreBytes,
                   machine) +
           seconds(work.headFlops, work.headWeightBytes, machine);
}

std::optional<double> attentionCrossover(const ModelShape& shape) {
    Checked nFull;
    for (int64_t i = 0; i < shape.nLayers; ++i) {
        const LayerShape layer = shape.layer(i);
        if (layer.window == 0 && (layer.nKvHeads > 0 || shape.isLatent())) nFull += Checked(1);
    }
    const Checked perToken = nFull * valuesPerPair(shape);
    if (perToken.approximate() <= 0) return std::nullopt;
    return 2 * countParameters(shape).blockActive().approximate() / perToken.approximate();
}

std::optional<uint64_t> kvCrossover(const ModelShape& shape, const RooflineOptions& options) {
    const Checked weights = options.weights.bytesOf(countParameters(shape).readPerToken());
    return (weights / kvOf(shape, options, 1, false)).exact();
}

Checked attentionCaptureBytes(const ModelShape& shape, int64_t nTokens) {
    return Checked(shape.nLayers) * Checked(shape.nHeads) * Checked(nTokens) * Checked(nTokens) *
           Checked(2);
}

}  // namespace vitrine::engine
