#pragma once
// One layer of a paged KV cache in plain vectors, with its pages out of order except for one run of
// neighbours. Thread: the test's main thread.

#include <vector>

#include "kernels/reference/reference.h"
#include "tests/kernels/support/op_fixture.h"

namespace vitrine::test {

struct KvFixture {
    static constexpr int kPageTokens = 16;
    kernels::DType type;
    int nKvHeads, headDim;
    std::vector<int32_t> pages;
    std::vector<uint32_t> k, v;  ///< zeroed; 32-bit words so that both types are aligned

    KvFixture(kernels::DType t, int kvHeads, int dim, int length)
        : type(t), nKvHeads(kvHeads), headDim(dim) {
        const int nPages = (length + kPageTokens - 1) / kPageTokens;
        for (int i = 0; i < nPages; ++i) pages.push_back(nPages - 1 - i);
        for (size_t i = 2; i + 1 < pages.size() && i < 5; ++i) {
            std::swap(pages[i], pages[pages.size() - 1 - i + 2]);
        }
        const size_t words = size_t(nPages) * size_t(pageBytes()) / 4;
        k.assign(words, 0);
        v.assign(words, 0);
    }

    int64_t pageBytes() const {
        return int64_t{nKvHeads} * kPageTokens * headDim * (type == kernels::DType::F16 ? 2 : 4);
    }

    kernels::KvLayerView view() {
        return {k.data(),    v.data(), type,    pages.data(),
                kPageTokens, nKvHeads, headDim, pageBytes()};
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
