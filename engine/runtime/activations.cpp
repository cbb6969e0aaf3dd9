#include "engine/runtime/activations.h"

#include <algorithm>
#include <cstring>

namespace vitrine::engine {

namespace {

struct Buffer {
    void* target;  // address of a float* or int32_t* of Activations
    uint64_t nValues;
};

static_assert(sizeof(float) == sizeof(int32_t));

/// `a` may be an object that owns nothing: only addresses of its members are taken.
std::vector<Buffer> buffersOf(Activations& a, const ModelConfig& c) {
    const auto chunk = static_cast<uint64_t>(std::min(kChunkTokens, c.trainedContext));
    const auto dim = static_cast<uint64_t>(c.dim), nHeads = static_cast<uint64_t>(c.nHeads);
    const uint64_t d = static_cast<uint64_t>(c.headDim);
    const uint64_t kvWidth = static_cast<uint64_t>(c.nKvHeads) * d;
    const bool hasExperts = c.block.feedForward == FeedForward::Experts;
    const auto ffDim = static_cast<uint64_t>(hasExperts ? c.experts.ffDim : c.ffDim);
    std::vector<Buffer> all{
        {&a.x, chunk * dim},
        {&a.normed, chunk * dim},
        {&a.q, chunk * nHeads * d},
        {&a.k, chunk * kvWidth},
        {&a.v, chunk * kvWidth},
        {&a.mixed, chunk * nHeads * d},
        {&a.gate, chunk * ffDim},
        {&a.up, chunk * ffDim},
        {&a.lse, chunk * nHeads},
        {&a.logits, static_cast<uint64_t>(kHeadRows) * static_cast<uint64_t>(c.vocab)},
    };
    if (hasExperts || c.block.hasPostNorm || c.block.residualScale != 1.0f)
        all.push_back({&a.branch, chunk * dim});
    if (hasExperts) {
        const auto used = static_cast<uint64_t>(c.experts.used);
        all.push_back({&a.routerLogits, chunk * static_cast<uint64_t>(c.experts.count)});
        all.push_back({&a.expertWeights, chunk * used});
        all.push_back({&a.gathered, chunk * dim});
        all.push_back({&a.part, chunk * dim});
        all.push_back({&a.experts, chunk * used});
        all.push_back({&a.expertRows, chunk * used});
    }
    return all;
}

}  // namespace

Activations::~Activations() {
    for (const auto& [data, sizeBytes] : owned_) backend_->release(context_, data, sizeBytes);
}

Result<void> Activations::allocate(const ModelConfig& config) {
    for (const Buffer& buffer : buffersOf(*this, config)) {
        const size_t sizeBytes = static_cast<size_t>(buffer.nValues) * sizeof(float);
        void* data = backend_->alloc(context_, sizeBytes);
        if (data == nullptr)
            return makeError(
                Errc::OutOfMemory,
                "There is not enough memory for the activations; close other programs.");
        owned_.emplace_back(data, sizeBytes);
        std::memcpy(buffer.target, &data, sizeof data);
    }
    return {};
}

uint64_t Activations::bytesFor(const ModelConfig& config) {
    Activations nothing(nullptr, nullptr);
    uint64_t sum = 0;
    for (const Buffer& buffer : buffersOf(nothing, config)) sum += buffer.nValues * sizeof(float);
    return sum;
}

}  // namespace vitrine::engine
