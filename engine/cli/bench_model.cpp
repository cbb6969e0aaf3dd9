#include "engine/cli/bench.h"

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

std::vector<TokenId> randomIds(std::mt19937& random, int32_t vocab, int32_t count) {
    std::uniform_int_distribution<int32_t> any(0, vocab - 1);
    std::vector<TokenId> ids;
    ids.reserve(static_cast<size_t>(count));
    for (int32_t i = 0; i < count; ++i) ids.emplace_back(any(random));
    return ids;
}

bool sameAnswer(const RunRecord& a, const RunRecord& b) {
    if (a.tokens.size() != b.tokens.size()) return false;
    for (size_t i = 0; i < a.tokens.size(); ++i) {
        const std::vector<Candidate>&x = a.tokens[i].candidates, &y = b.tokens[i].candidates;
        if (a.tokens[i].id != b.tokens[i].id || x.size() != y.size()) return false;
        for (size_t k = 0; k < x.size(); ++k) {
            if (x[k].id != y[k].id || x[k].logit != y[k].logit) return false;
        }
    }
    return true;
}

GenerationRequest fixedRequest(const std::vector<TokenId>& ids, int32_t nGen) {
    GenerationRequest request;
    request.ids = ids;
    request.maxTokens = nGen;
    request.sampling.temperature = 0;
    request.ignoreEos = true;
    request.nCandidates = 4;
    request.reusePrefix = false;
    return request;
}

Result<void> BenchModel::evaluatePending() {
    for (;;) {
        Result<bool> stepped = session_.step();
        if (!stepped) return std::move(stepped).error();
        if (*stepped) return {};
    }
}

Result<void> BenchModel::evaluate(std::span<const TokenId> ids, bool reusePrefix) {
    Result<int32_t> begun = session_.begin(ids, reusePrefix);
    if (!begun) return std::move(begun).error();
    return evaluatePending();
}

Result<double> BenchModel::measure(const BenchCase& test) {
    const auto nFirst = static_cast<size_t>(test.nDepth + std::max(test.nPrompt, 1));
    const std::vector<TokenId> ids =
        randomIds(random_, session_.model().config().vocab, test.nDepth + test.nTokens());
    if (test.nDepth > 0) {
        Result<void> filled =
            evaluate(std::span(ids).first(static_cast<size_t>(test.nDepth)), false);
        if (!filled) return std::move(filled).error();
    }
    const int64_t beginNs = steadyNowNs();
    Result<void> done = evaluate(std::span(ids).first(nFirst), test.nDepth > 0);
    for (size_t i = nFirst; done && i < ids.size(); ++i) {
        done = session_.append(ids[i]);
        if (done) done = evaluatePending();
    }
    const int64_t endNs = steadyNowNs();
    if (!done) return std::move(done).error();
    return test.nTokens() * 1e9 / static_cast<double>(std::max<int64_t>(1, endNs - beginNs));
}

}  // namespace vitrine::engine::cli
