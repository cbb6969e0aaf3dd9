// Routing and grouped experts of every mode against the reference, and grouping against one token
// at a time, bit for bit.

#include <set>

#include "kernels/reference/reference.h"
#include "tests/kernels/support/op_fixture.h"
#include "tests/kernels/support/tolerance.h"
#include "tests/support/mini_test.h"

using namespace vitrine::kernels;
using namespace vitrine::test;

namespace {

constexpr int kDim = 64, kFfDim = 96;

struct Routed {
    std::vector<int32_t> experts;
    std::vector<float> weights;
};

Routed routed(const std::vector<float>& logits, int nTok, int nExperts, int nUsed, bool renormalise,
              CpuMode* cpu) {
    Routed out{std::vector<int32_t>(size_t(nTok * nUsed), -1),
               std::vector<float>(size_t(nTok * nUsed), NAN)};
    const RouteArgs args{logits.data(), nTok, nExperts,           nUsed,
                         renormalise,   1.0f, out.experts.data(), out.weights.data()};
    if (cpu != nullptr) {
        (*cpu)->route(cpu->context(), args);
    } else {
        reference::route(args);
    }
    return out;
}

/// Random experts of one weight type, as the reference and one mode see them.
struct Experts {
    int n;
    DType type;
    std::vector<std::vector<uint8_t>> gateRows, upRows, downRows;
    std::vector<reference::ExpertRows> views;
    std::vector<const Matrix*> gate, up, down;

    Experts(CpuMode& cpu, int nExperts, DType t) : n(nExperts), type(t) {
        for (int e = 0; e < n; ++e) {
            const auto seed = static_cast<uint64_t>(e) * 3 + 1;
            gateRows.push_back(randomRows(type, kFfDim, kDim, seed));
            upRows.push_back(randomRows(type, kFfDim, kDim, seed + 1));
            downRows.push_back(randomRows(type, kDim, kFfDim, seed + 2));
        }
        for (size_t e = 0; e < size_t(n); ++e) {
            views.push_back({{type, gateRows[e].data(), kFfDim, kDim},
                             {type, upRows[e].data(), kFfDim, kDim},
                             {type, downRows[e].data(), kDim, kFfDim}});
            gate.push_back(cpu.matrix(type, kFfDim, kDim, gateRows[e]));
            up.push_back(cpu.matrix(type, kFfDim, kDim, upRows[e]));
            down.push_back(cpu.matrix(type, kDim, kFfDim, downRows[e]));
        }
    }

    /// nUsed experts per token as routed; null cpu = the reference.
    std::vector<float> run(const float* x, int nTok, int nUsed, const int32_t* experts,
                           const float* weights, CpuMode* cpu) const {
        std::vector<float> out(size_t(nTok * kDim), NAN);
        const auto tok = size_t(nTok);
        std::vector<int32_t> rows(tok * size_t(nUsed));
        std::vector<float> gathered(tok * kDim), gateOut(tok * kFfDim), upOut(tok * kFfDim);
        std::vector<float> part(tok * kDim), buffer(kFfDim * 3 + kDim);
        const ExpertsArgs args{x,
                               nTok,
                               kDim,
                               kFfDim,
                               n,
                               nUsed,
                               experts,
                               weights,
                               gate.data(),
                               up.data(),
                               down.data(),
                               Activation::Silu,
                               out.data(),
                               rows.data(),
                               gathered.data(),
                               gateOut.data(),
                               upOut.data(),
                               part.data()};
        if (cpu != nullptr) {
            (*cpu)->experts(cpu->context(), args);
        } else {
            reference::experts(args, views.data(), buffer.data());
        }
        return out;
    }
};

}  // namespace

TEST(routingMatchesReference) {
    for (const std::string& mode : allModes()) {
        CpuMode cpu(mode, 3);
        if (!cpu) continue;
        for (int nExperts : {1, 4, 6, 128}) {
            for (int nUsed : {1, 2, 8}) {
                if (nUsed > nExperts) continue;
                for (bool renormalise : {false, true}) {
                    const int nTok = 70;
                    const auto logits = Random(5).normals(size_t(nTok * nExperts), 2.0f);
                    const Routed got = routed(logits, nTok, nExperts, nUsed, renormalise, &cpu);
                    const Routed want = routed(logits, nTok, nExperts, nUsed, renormalise, nullptr);
                    CHECK(got.experts == want.experts);
                    for (size_t i = 0; i < got.weights.size(); ++i)
                        CHECK_NEAR(got.weights[i], want.weights[i], 1e-6);
                }
            }
        }
    }
}

TEST(theBestExpertsAreChosenAndShareTheSoftmax) {
    const std::vector<float> logits{0.0f, 2.0f, 1.0f, 2.0f, std::log(4.0f)};
    // Softmax numerators: 1, e², e, e², 4; equal logits: the lower number first.
    const double e = std::exp(1.0), all = 1 + 2 * e * e + e + 4;
    const Routed share = routed(logits, 1, 5, 3, false, nullptr);
    CHECK(share.experts == (std::vector<int32_t>{1, 3, 4}));
    CHECK_NEAR(share.weights[0], e * e / all, 1e-6);
    CHECK_NEAR(share.weights[2], 4 / all, 1e-6);
    const Routed normal = routed(logits, 1, 5, 3, true, nullptr);
    CHECK_NEAR(normal.weights[0], e * e / (2 * e * e + 4), 1e-6);
    CHECK(routed(logits, 1, 5, 1, true, nullptr).experts == (std::vector<int32_t>{1}));
    // A NaN hides the order; the numbers must still be experts, none twice.
    for (const std::string& mode : allModes()) {
        CpuMode cpu(mode, 1);
        if (!cpu) continue;
        const std::vector<float> broken{NAN, NAN, 1.0f, NAN, 0.0f};
        const Routed got = routed(broken, 1, 5, 4, true, &cpu);
        CHECK_EQ(std::set<int32_t>(got.experts.begin(), got.experts.end()).size(), size_t{4});
        for (int32_t expert : got.experts) CHECK(expert >= 0 && expert < 5);
    }
}

TEST(groupedExpertsMatchReferenceAndSingleTokens) {
    const int nExperts = 6, nUsed = 2;
    for (const std::string& mode : allModes()) {
        CpuMode cpu(mode, 3);
        if (!cpu) continue;
        for (DType type : {DType::F32, DType::Q8_0}) {
            const Experts experts(cpu, nExperts, type);
            for (int nTok : {1, 2, 70}) {
                const auto x = Random(9).normals(size_t(nTok * kDim));
                const auto logits = Random(4).normals(size_t(nTok * nExperts), 2.0f);
                const Routed r = routed(logits, nTok, nExperts, nUsed, true, nullptr);
                const auto got =
                    experts.run(x.data(), nTok, nUsed, r.experts.data(), r.weights.data(), &cpu);
                const auto want =
                    experts.run(x.data(), nTok, nUsed, r.experts.data(), r.weights.data(), nullptr);
                double error = 0, size = 0;
                for (size_t i = 0; i < got.size(); ++i) {
                    error += std::pow(double{got[i]} - want[i], 2);
                    size += std::pow(double{want[i]}, 2);
                }
                const bool isRounded = mode != "exact" && usesInt8(type);
                CHECK(std::sqrt(error / size) < (isRounded ? 0.02 : 1e-5));
                for (int t = 0; t < nTok; ++t) {
                    const auto one =
                        experts.run(x.data() + t * kDim, 1, nUsed, r.experts.data() + t * nUsed,
                                    r.weights.data() + t * nUsed, &cpu);
                    const std::vector<float> row(got.begin() + t * kDim,
                                                 got.begin() + (t + 1) * kDim);
                    CHECK_EQ(differentBits(one, row), 0);
                }
            }
        }
    }
}

VITRINE_TEST_MAIN()
