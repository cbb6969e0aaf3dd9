#include "engine/cli/bench.h"
#include "engine/cli/interrupt.h"

namespace vitrine::engine::cli {

std::string BenchCase::name() const {
    std::string text = nPrompt > 0 ? "pp" + std::to_string(nPrompt) : "tg" + std::to_string(nGen);
    if (nDepth > 0) text += " @ d" + std::to_string(nDepth);
    return text;
}

BenchWork workOf(const BenchCase& test, const Model& model, uint64_t kvBytesPerToken) {
    const ModelConfig& c = model.config();
    const auto u = [](int64_t value) { return static_cast<uint64_t>(value); };
    const uint64_t qWidth = u(c.nHeads) * u(c.headDim), kvWidth = u(c.nKvHeads) * u(c.headDim);
    const uint64_t block =
        u(c.nLayers) * (2 * u(c.dim) * qWidth + 2 * u(c.dim) * kvWidth + 3 * u(c.dim) * u(c.ffDim));
    const uint64_t head = u(c.vocab) * u(c.dim);
    const uint64_t attentionPerPair = 4 * u(c.nLayers) * qWidth;
    // Σ (in + out) over the linears of a token, in float32.
    const uint64_t activations =
        4 * (u(c.nLayers) *
             (2 * (u(c.dim) + qWidth) + 2 * (u(c.dim) + kvWidth) + 3 * (u(c.dim) + u(c.ffDim))));
    uint64_t weights = model.headBytes();
    for (int32_t i = 0; i < c.nLayers; ++i) {
        const Model::LayerBytes& bytes = model.layerBytes(i);
        weights += bytes.qkv + bytes.out + bytes.ffn;
    }
    const uint64_t cached = u(test.nDepth);
    BenchWork work;
    if (test.nPrompt > 0) {
        const uint64_t s = u(test.nPrompt);
        work.flops = 2 * s * block + attentionPerPair * (s * cached + s * (s + 1) / 2) + 2 * head;
        work.bytes = weights + kvBytesPerToken * (s + cached) + activations * s;
        return work;
    }
    const uint64_t n = u(test.nGen);
    // Step i reads the i + depth tokens before it and its own: Σ over i = 0…n−1 of (depth + i + 1).
    const uint64_t contexts = n * cached + n * (n + 1) / 2;
    work.flops = 2 * n * (block + head) + attentionPerPair * contexts;
    work.bytes = n * (weights + kvBytesPerToken + activations) + kvBytesPerToken * contexts;
    return work;
}

std::vector<TokenId> randomIds(std::mt19937& random, int32_t vocab, int32_t count,
                               TokenId notFirst) {
    std::uniform_int_distribution<int32_t> any(0, vocab - 1);
    std::vector<TokenId> ids;
    ids.reserve(static_cast<size_t>(count));
    for (int32_t i = 0; i < count; ++i) ids.emplace_back(any(random));
    if (!ids.empty() && ids[0] == notFirst) ids[0] = TokenId((notFirst.value + 1) % vocab);
    return ids;
}

TokenId BenchModel::randomId() {
    return randomIds(random_, session_.model().config().vocab, 1, TokenId())[0];
}

Result<void> BenchModel::evaluatePending() {
    for (;;) {
        Result<bool> stepped = session_.step();
        if (!stepped) return std::move(stepped).error();
        if (*stepped) return {};
    }
}

Result<void> BenchModel::evaluate(std::span<const TokenId> ids) {
    Result<int32_t> begun = session_.begin(ids);
    if (!begun) return std::move(begun).error();
    return evaluatePending();
}

Result<double> BenchModel::measure(const BenchCase& test) {
    const std::vector<TokenId>& cached = session_.cachedTokens();
    const TokenId notFirst = cached.empty() ? TokenId() : cached[0];
    const int32_t vocab = session_.model().config().vocab;
    const int32_t nBefore = test.nDepth;
    std::vector<TokenId> ids =
        randomIds(random_, vocab, nBefore + (test.nPrompt > 0 ? test.nPrompt : 1), notFirst);
    if (nBefore > 0) {
        Result<void> filled = evaluate(std::span(ids).first(static_cast<size_t>(nBefore)));
        if (!filled) return std::move(filled).error();
    }
    const int64_t beginNs = steadyNowNs();
    Result<void> done = evaluate(ids);
    for (int32_t i = 1; done && i < test.nGen; ++i) {
        done = session_.append(randomId());
        if (done) done = evaluatePending();
    }
    const int64_t endNs = steadyNowNs();
    if (!done) return std::move(done).error();
    return test.nTokens() * 1e9 / static_cast<double>(std::max<int64_t>(1, endNs - beginNs));
}

}  // namespace vitrine::engine::cli
