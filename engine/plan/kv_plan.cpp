#include "engine/plan/kv_plan.h"

#include <algorithm>

namespace vitrine::engine {

namespace {

constexpr int64_t kBlockValues = 32;
constexpr int64_t kScaleBytes = 4;
/// Values that share a scale in a latent FP8 vector. Source: vLLM, 512 + 4·4 + 64·2 = 656 bytes.
constexpr int64_t kLatentScaleValues = 128;

/// `nValues` of one token, of `nHeads` heads.
Checked storedBytes(KvType type, const Checked& nValues, int64_t nHeads) {
    switch (type) {
        case KvType::F32: return nValues * Checked(4);
        case KvType::F16:
        case KvType::BF16: return nValues * Checked(2);
        case KvType::Q8_0: return nValues.ceilDiv(kBlockValues) * Checked(34);
        case KvType::Q4_0: return nValues.ceilDiv(kBlockValues) * Checked(18);
        case KvType::Int8:
        case KvType::Fp8: return nValues + Checked(nHeads) * Checked(kScaleBytes);
    }
    return {};
}

Error tooLarge() {
    return makeError(Errc::InvalidArgument,
                     "These numbers give more bytes than can be counted in 64 bits; check the "
                     "configuration and the context.");
}

struct Totals {
    Checked perToken, bytes, used, full, page;
};

Result<KvLayerPlan> planLayer(const ModelShape& shape, int64_t index, const KvRequest& r,
                              Totals& totals) {
    const LayerShape layer = shape.layer(index);
    KvLayerPlan plan;
    const Checked perToken = kvBytesPerToken(shape, layer, r.k, r.v);
    const bool isCut = r.countsWindows && layer.window > 0;
    plan.tokens = isCut ? std::min(r.context, layer.window) : r.context;
    const Checked used = perToken * Checked(plan.tokens);
    Checked bytes = used;
    if (r.pageTokens > 0) {
        Checked pages = Checked(plan.tokens).ceilDiv(r.pageTokens);
        if (isCut && r.chunkTokens > 0) {
            const Checked reach = Checked(layer.window - 1) + Checked(r.chunkTokens);
            const uint64_t wanted = reach.exact().value_or(UINT64_MAX);
            const auto context = static_cast<uint64_t>(r.context);
            pages = Checked::of(std::min(wanted, context)).ceilDiv(r.pageTokens) + Checked(1);
        }
        plan.pages = static_cast<int64_t>(pages.exact().value_or(0));
        bytes = pages * Checked(r.pageTokens) * perToken;
        totals.page += perToken * Checked(r.pageTokens);
    }
    if (!bytes.exact() || !perToken.exact()) return tooLarge();
    plan.bytesPerToken = *perToken.exact();
    plan.bytes = *bytes.exact();
    totals.perToken += perToken;
    totals.bytes += bytes;
    totals.used += used;
    totals.full += perToken * (r.pageTokens > 0 ? Checked(r.context).ceilDiv(r.pageTokens) *
                                                      Checked(r.pageTokens)
                                                : Checked(r.context));
    return plan;
}

}  // namespace

const char* kvTypeName(KvType type) noexcept {
    switch (type) {
        case KvType::F32: return "f32";
        case KvType::F16: return "f16";
        case KvType::BF16: return "bf16";
        case KvType::Q8_0: return "q8_0";
        case KvType::Q4_0: return "q4_0";
        case KvType::Int8: return "int8";
        case KvType::Fp8: return "fp8";
    }
    return "";
}

std::optional<KvType> parseKvType(std::string_view name) {
    for (const KvType type : kKvTypes)
        if (name == kvTypeName(type)) return type;
    return std::nullopt;
}

Checked kvBytesPerToken(const ModelShape& shape, const LayerShape& layer, KvType k, KvType v) {
    if (shape.isLatent()) {
        const Checked rank(shape.kvRank), rope(shape.ropeDim);
        if (k == KvType::Fp8 || k == KvType::Int8)
            return rank + rank.ceilDiv(kLatentScaleValues) * Checked(kScaleBytes) +
                   rope * Checked(2);
        return storedBytes(k, rank + rope, 1);
    }
    const Checked n(layer.nKvHeads);
    return storedBytes(k, n * Checked(shape.keyDim), layer.nKvHeads) +
           storedBytes(v, n * Checked(shape.valueDim), layer.nKvHeads);
}

Result<KvPlan> planKv(const ModelShape& shape, const KvRequest& request) {
    if (auto checked = checkShape(shape); !checked) return std::move(checked).error();
    if (request.context < 0 || request.pageTokens < 0 || request.chunkTokens < 0)
        return makeError(Errc::InvalidArgument,
                         "A context, a page and a chunk cannot be negative; give whole tokens.");
    KvPlan plan;
    plan.layers.reserve(static_cast<size_t>(shape.nLayers));
    Totals totals;
    for (int64_t i = 0; i < shape.nLayers; ++i) {
        auto layer = planLayer(shape, i, request, totals);
        if (!layer) return std::move(layer).error();
        plan.layers.push_back(*layer);
    }
    if (!totals.perToken.exact() || !totals.bytes.exact() || !totals.full.exact() ||
        !totals.page.exact())
        return tooLarge();
    plan.bytesPerToken = *totals.perToken.exact();
    plan.bytes = *totals.bytes.exact();
    plan.usedBytes = *totals.used.exact();
    plan.wasteBytes = plan.bytes - plan.usedBytes;
    plan.fullBytes = *totals.full.exact();
    plan.bytesPerPage = *totals.page.exact();
    return plan;
}

Result<int64_t> largestContext(const ModelShape& shape, KvRequest request, uint64_t roomBytes,
                               uint64_t perTokenBytes) {
    request.context = 1;
    if (auto one = planKv(shape, request); !one) return std::move(one).error();
    // Largest context in [low, high) that fits; what overflows does not fit.
    int64_t low = 0, high = kMaxPlannedContext + 1;
    while (high - low > 1) {
        const int64_t middle = low + (high - low) / 2;
        request.context = middle;
        const Result<KvPlan> plan = planKv(shape, request);
        bool fits = false;
        if (plan) {
            const Checked sum = Checked::of(plan->bytes) + Checked::of(perTokenBytes) * middle;
            fits = sum.exact() && *sum.exact() <= roomBytes;
        }
        (fits ? low : high) = middle;
    }
    return low;
}

}  // namespace vitrine::engine
