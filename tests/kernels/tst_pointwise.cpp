// rmsNorm, rope, siluMul and kvStore of every mode against the reference.

#include "kernels/reference/reference.h"
#include "tests/kernels/support/kv_fixture.h"
#include "tests/kernels/support/op_fixture.h"
#include "tests/kernels/support/tolerance.h"
#include "tests/support/mini_test.h"

using namespace vitrine::kernels;
using namespace vitrine::test;

namespace {

/// Each value within a few roundings of its own size, or of `scale` if that is larger.
int wrongPoints(const std::vector<float>& got, const std::vector<float>& expected, double scale) {
    int wrong = 0;
    for (size_t i = 0; i < got.size(); ++i) {
        const double size = std::fmax(std::fabs(double{expected[i]}), scale);
        wrong += !(std::fabs(double{got[i]} - expected[i]) <= pointTolerance(size));
    }
    return wrong;
}

}  // namespace

TEST(rmsNormMatchesReference) {
    for (const std::string& mode : allModes()) {
        CpuMode cpu(mode, 3);
        if (!cpu) continue;
        for (int dim : {1, 4, 13, 64, 576, 896}) {
            for (int nTok : {1, 3, 257}) {
                const auto x = Random(1).normals(size_t(nTok * dim), 3.0f);
                const auto weight = Random(2).normals(size_t(dim));
                std::vector<float> got(x.size(), NAN), expected(x.size());
                RmsNormArgs args{x.data(), weight.data(), got.data(), nTok, dim, 1e-5f};
                cpu->rmsNorm(cpu.context(), args);
                args.out = expected.data();
                reference::rmsNorm(args);
                CHECK_EQ(wrongPoints(got, expected, 0), 0);
                std::vector<float> inPlace = x;
                args.x = args.out = inPlace.data();
                cpu->rmsNorm(cpu.context(), args);
                CHECK_EQ(differentBits(inPlace, got), 0);
            }
        }
    }
}

TEST(ropeMatchesReference) {
    for (const std::string& mode : allModes()) {
        CpuMode cpu(mode, 3);
        if (!cpu) continue;
        for (RopePairing pairing : {RopePairing::Interleaved, RopePairing::Halves}) {
            for (int headDim : {4, 8, 24, 64, 96, 128}) {
                for (int rotaryDim : {headDim, headDim / 2}) {
                    const int nTok = 70, nHeads = 5, firstPos = 3;
                    const auto start = Random(1).normals(size_t(nTok * nHeads * headDim));
                    const auto cosSin =
                        Random(2).normals(size_t(nTok + firstPos) * size_t(rotaryDim));
                    std::vector<float> got = start, expected = start;
                    RopeArgs args{got.data(), nTok,          nHeads,   headDim,
                                  rotaryDim,  cosSin.data(), firstPos, pairing};
                    cpu->rope(cpu.context(), args);
                    args.x = expected.data();
                    reference::rope(args);
                    CHECK_EQ(wrongPoints(got, expected, 4.0), 0);
                }
            }
        }
    }
}

TEST(siluMulMatchesReference) {
    for (const std::string& mode : allModes()) {
        CpuMode cpu(mode, 3);
        if (!cpu) continue;
        for (size_t n : {1u, 7u, 8u, 100u, 40001u}) {
            auto gate = Random(1).normals(n, 4.0f);
            const auto up = Random(2).normals(n);
            for (size_t i = 0; i < n; i += 50) gate[i] *= 40;  // far into both tails
            std::vector<float> got(n, NAN), expected(n);
            cpu->siluMul(cpu.context(), {gate.data(), up.data(), got.data(), int64_t(n)});
            reference::siluMul({gate.data(), up.data(), expected.data(), int64_t(n)});
            CHECK_EQ(wrongPoints(got, expected, 1e-6), 0);
            cpu->siluMul(cpu.context(), {gate.data(), up.data(), gate.data(), int64_t(n)});
            CHECK_EQ(differentBits(gate, got), 0);
        }
    }
}

TEST(kvStoreMatchesReference) {
    for (const std::string& mode : allModes()) {
        CpuMode cpu(mode, 2);
        if (!cpu) continue;
        for (DType type : {DType::F16, DType::F32}) {
            for (int headDim : {4, 24, 64}) {
                const int nTok = 61, firstPos = 9, nKvHeads = 3;
                KvFixture got(type, nKvHeads, headDim, firstPos + nTok);
                KvFixture expected(type, nKvHeads, headDim, firstPos + nTok);
                const auto k = Random(1).normals(size_t(nTok * nKvHeads * headDim), 100.0f);
                const auto v = Random(2).normals(size_t(nTok * nKvHeads * headDim), 0.001f);
                cpu->kvStore(cpu.context(), {k.data(), v.data(), nTok, firstPos, got.view()});
                reference::kvStore({k.data(), v.data(), nTok, firstPos, expected.view()});
                CHECK(got.k == expected.k);
                CHECK(got.v == expected.v);
            }
        }
    }
}

VITRINE_TEST_MAIN()
