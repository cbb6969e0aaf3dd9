#include <algorithm>

#include "engine/cli/bench.h"

namespace vitrine::engine::cli {

std::string BenchCase::name() const {
    std::string text = nPrompt > 0 ? "pp" + std::to_string(nPrompt) : "tg" + std::to_string(nGen);
    if (nDepth > 0) text += " @ d" + std::to_string(nDepth);
    return text;
}

namespace {

uint64_t u(int64_t value) {
    return static_cast<uint64_t>(value);
}

/// Σ of the keys that queries first…first+n−1 see, themselves included. window: 0 = all.
uint64_t pairs(int64_t first, int64_t n, int32_t window) {
    // The queries before the window is full see one more each, the others the window.
    const int64_t growing = window > 0 ? std::clamp<int64_t>(window - first, 0, n) : n;
    return u(growing * first + growing * (growing + 1) / 2 + (n - growing) * window);
}

/// Columns of all feed-forward matrices of a token, and what they hold of it.
struct FeedForwardWork {
    uint64_t parameters = 0;   ///< of the matrices that a token meets
    uint64_t activations = 0;  ///< Σ (in + out) over them
};

FeedForwardWork feedForwardOf(const ModelConfig& c) {
    const bool hasExperts = c.block.feedForward == FeedForward::Experts;
    const uint64_t nMatrices = c.block.feedForward == FeedForward::Plain ? 2 : 3;
    const uint64_t used = hasExperts ? u(c.experts.used) : 1;
    const uint64_t ffDim = u(hasExperts ? c.experts.ffDim : c.ffDim);
    const uint64_t router = u(c.experts.count);
    return {used * nMatrices * u(c.dim) * ffDim + router * u(c.dim),
            used * nMatrices * (u(c.dim) + ffDim) + (hasExperts ? u(c.dim) + router : 0)};
}

/// Weights that `n` tokens at once read. Of experts at most as many as the tokens can choose.
uint64_t weightBytes(const Model& model, uint64_t n) {
    const ExpertSpec& experts = model.config().experts;
    uint64_t sum = model.headBytes();
    for (int32_t i = 0; i < model.config().nLayers; ++i) {
        const Model::LayerBytes& bytes = model.layerBytes(i);
        sum += bytes.qkv + bytes.out + bytes.ffn;
        if (experts.count > 0)
            sum +=
                bytes.experts / u(experts.count) * std::min(u(experts.count), n * u(experts.used));
    }
    return sum;
}

}  // namespace

BenchWork workOf(const BenchCase& test, const Model& model, uint64_t kvBytesPerToken) {
    const ModelConfig& c = model.config();
    const uint64_t qWidth = u(c.nHeads) * u(c.headDim), kvWidth = u(c.nKvHeads) * u(c.headDim);
    const FeedForwardWork ff = feedForwardOf(c);
    const uint64_t block =
        u(c.nLayers) * (2 * u(c.dim) * qWidth + 2 * u(c.dim) * kvWidth + ff.parameters);
    const uint64_t head = u(c.vocab) * u(c.dim);
    // Σ (in + out) over the linears of a token, in float32.
    const uint64_t activations =
        4 * (u(c.nLayers) * (2 * (u(c.dim) + qWidth) + 2 * (u(c.dim) + kvWidth) + ff.activations));
    const int64_t cached = test.nDepth, n = test.nTokens();
    const uint64_t kvLayerBytes = kvBytesPerToken / u(c.nLayers);
    uint64_t allPairs = 0, prefillKeys = 0;  // over the layers
    for (const LayerSpec& layer : c.layers) {
        allPairs += pairs(cached, n, layer.window);
        const int64_t seen = layer.window > 0 ? n + layer.window - 1 : n + cached;
        prefillKeys += u(std::min(n + cached, seen));
    }
    BenchWork work;
    if (test.nPrompt > 0) {
        work.flops = 2 * u(n) * block + 4 * qWidth * allPairs + 2 * head;
        work.bytes = weightBytes(model, u(n)) + kvLayerBytes * prefillKeys + activations * u(n);
        return work;
    }
    // Step i reads the i + depth tokens before it, as far as a window reaches, and its own.
    work.flops = 2 * u(n) * (block + head) + 4 * qWidth * allPairs;
    work.bytes =
        u(n) * (weightBytes(model, 1) + kvBytesPerToken + activations) + kvLayerBytes * allPairs;
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
