#pragma once
// One layer of a paged KV cache in plain vectors, with its pages out of order except for one run of
// neighbours. Thread: the test's main thread.

#include <vector>

#include "kernels/reference/reference.h"
#include "tests/kernels/support/op_fixture.h"

namespace vitrine::test {

struct KvFixture {
    static constexpr int kPageTokens = 16;
    kernels::DType typeK, typeV;
    int nKvHeads, headDim;
    std::vector<int32_t> pages;
    std::vector<uint32_t> k, v;  ///< zeroed; 32-bit words so that all types are aligned

    KvFixture(kernels::DType t, int kvHeads, int dim, int length)
        : KvFixture(t, t, kvHeads, dim, length) {}

    KvFixture(kernels::DType kType, kernels::DType vType, int kvHeads, int dim, int length)
        : typeK(kType), typeV(vType), nKvHeads(kvHeads), headDim(dim) {
        const int nPages = (length + kPageTokens - 1) / kPageTokens;
        for (int i = 0; i < nPages; ++i) pages.push_back(nPages - 1 - i);
        for (size_t i = 2; i + 1 < pages.size() && i < 5; ++i) {
            std::swap(pages[i], pages[pages.size() - 1 - i + 2]);
        }
        k.assign(size_t(nPages) * size_t(plane(typeK, nullptr).pageBytes) / 4, 0);
        v.assign(size_t(nPages) * size_t(plane(typeV, nullptr).pageBytes) / 4, 0);
    }

    kernels::KvPlane plane(kernels::DType type, void* data) const {
        const auto row = static_cast<int64_t>(kernels::rowBytes(type, headDim));
        return {data, type, row, row * nKvHeads * kPageTokens};
    }

    kernels::KvLayerView view() {
        return {plane(typeK, k.data()),
                plane(typeV, v.data()),
                pages.data(),
                kPageTokens,
                nKvHeads,
                headDim};
    }

    /// Random keys and values at positions 0…length−1.
    void fill(int length, uint64_t seed) {
        const size_t n = size_t(length) * size_t(nKvHeads) * size_t(headDim);
        const auto keys = Random(seed).normals(n);
        const auto values = Random(seed + 1).normals(n);
        kernels::reference::kvStore({keys.data(), values.data(), length, 0, view()});
    }
};

}  // namespace vitrine::test
