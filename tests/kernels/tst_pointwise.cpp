// Norms, rope, activations, residual ops and kvStore of every mode against the reference.

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

TEST(layerNormMatchesReference) {
    for (const std::string& mode : allModes()) {
        CpuMode cpu(mode, 3);
        if (!cpu) continue;
        for (int dim : {1, 4, 13, 64, 768}) {
            for (int nTok : {1, 3, 257}) {
                auto x = Random(1).normals(size_t(nTok * dim), 3.0f);
                for (float& value : x) value += 20;  // a mean that hides the squares
                const auto weight = Random(2).normals(size_t(dim)),
                           bias = Random(3).normals(size_t(dim));
                for (const float* b : {static_cast<const float*>(nullptr), bias.data()}) {
                    std::vector<float> got(x.size(), NAN), expected(x.size());
                    LayerNormArgs args{x.data(), weight.data(), b, got.data(), nTok, dim, 1e-5f};
                    cpu->layerNorm(cpu.context(), args);
                    args.out = expected.data();
                    reference::layerNorm(args);
                    // The mean is subtracted: its rounding stands against the deviation of 3.
                    CHECK_EQ(wrongPoints(got, expected, dim == 1 ? 1e3 : 10.0), 0);
                    std::vector<float> inPlace = x;
                    args.x = args.out = inPlace.data();
                    cpu->layerNorm(cpu.context(), args);
                    CHECK_EQ(differentBits(inPlace, got), 0);
                }
            }
        }
    }
}

TEST(activationsMatchReference) {
    for (const std::string& mode : allModes()) {
        CpuMode cpu(mode, 3);
        if (!cpu) continue;
        for (Activation kind : {Activation::Silu, Activation::GeluTanh, Activation::GeluErf}) {
            for (size_t n : {1u, 7u, 8u, 100u, 40001u}) {
                auto x = Random(1).normals(n, 4.0f);
                const auto up = Random(2).normals(n);
                for (size_t i = 0; i < n; i += 50) x[i] *= 40;  // far into both tails
                for (const float* times : {static_cast<const float*>(nullptr), up.data()}) {
                    std::vector<float> got(n, NAN), expected(n);
                    cpu->activate(cpu.context(), {x.data(), times, got.data(), int64_t(n), kind});
                    reference::activate({x.data(), times, expected.data(), int64_t(n), kind});
                    // GELU's exponent is itself rounded, which matters where eˣ is tiny.
                    const double scale = kind == Activation::Silu ? 1e-6 : 1e-2;
                    CHECK_EQ(wrongPoints(got, expected, scale), 0);
                    std::vector<float> inPlace = x;
                    cpu->activate(cpu.context(),
                                  {inPlace.data(), times, inPlace.data(), int64_t(n), kind});
                    CHECK_EQ(differentBits(inPlace, got), 0);
                }
            }
        }
    }
}

TEST(activationsAreWhatTheirNamesSay) {
    // Values by hand: f(1) and f(−2). Source: the definitions in op_args.h.
    const std::vector<float> x{1.0f, -2.0f};
    const auto of = [&](Activation kind) {
        std::vector<float> out(2);
        reference::activate({x.data(), nullptr, out.data(), 2, kind});
        return out;
    };
    CHECK_NEAR(of(Activation::Silu)[0], 0.731059, 1e-6);
    CHECK_NEAR(of(Activation::Silu)[1], -0.238406, 1e-6);
    CHECK_NEAR(of(Activation::GeluTanh)[0], 0.841192, 1e-6);
    CHECK_NEAR(of(Activation::GeluTanh)[1], -0.045402, 1e-6);
    CHECK_NEAR(of(Activation::GeluErf)[0], 0.841345, 1e-6);
    CHECK_NEAR(of(Activation::GeluErf)[1], -0.045500, 1e-6);
}

TEST(addScaledAndScaleCapMatchReference) {
    for (const std::string& mode : allModes()) {
        CpuMode cpu(mode, 3);
        if (!cpu) continue;
        for (size_t n : {1u, 7u, 100u, 40001u}) {
            const auto x = Random(1).normals(n, 20.0f), y = Random(2).normals(n);
            std::vector<float> got = y, expected = y;
            cpu->addScaled(cpu.context(), {x.data(), got.data(), 0.22f, int64_t(n)});
            reference::addScaled({x.data(), expected.data(), 0.22f, int64_t(n)});
            CHECK_EQ(wrongPoints(got, expected, 4.0), 0);
            for (float softcap : {0.0f, 30.0f}) {
                got = expected = x;
                cpu->scaleCap(cpu.context(), {got.data(), int64_t(n), 1.5f, softcap});
                reference::scaleCap({expected.data(), int64_t(n), 1.5f, softcap});
                // Near zero tanh is a difference from 1, so the cap sets the size of the rounding.
                CHECK_EQ(wrongPoints(got, expected, softcap), 0);
                for (float value : got) CHECK(softcap == 0 || std::fabs(value) <= softcap);
            }
        }
    }
}

TEST(kvStoreMatchesReference) {
    for (const std::string& mode : allModes()) {
        CpuMode cpu(mode, 2);
        if (!cpu) continue;
        for (DType type : {DType::F16, DType::F32, DType::BF16, DType::Q8_0, DType::Q4_0}) {
            for (int headDim : {4, 24, 64}) {
                if (!holdsKv(type, headDim)) continue;
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
