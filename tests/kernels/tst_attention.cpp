// attention and attentionTile of every mode against the reference: head sizes, groups, windows,
// soft-cap, KV types; chunking, threads, and the tile against the dense matrix.

#include "kernels/reference/reference.h"
#include "tests/kernels/support/kv_fixture.h"
#include "tests/kernels/support/op_fixture.h"
#include "tests/kernels/support/tolerance.h"
#include "tests/support/mini_test.h"

using namespace vitrine::kernels;
using namespace vitrine::test;

namespace {

/// Types of K and V.
struct KvPair {
    DType k, v;

    KvPair(DType both) : k(both), v(both) {}

    KvPair(DType kType, DType vType) : k(kType), v(vType) {}
};

struct Setup {
    KvPair type;
    int nHeads, nKvHeads, headDim, firstPos, nTok;
    float softcap;
    int window;
};

/// Arguments over a filled cache, with room for the results.
struct Problem {
    Setup setup;
    KvFixture kv;
    std::vector<float> q, out, lse;

    explicit Problem(const Setup& s)
        : setup(s),
          kv(s.type.k, s.type.v, s.nKvHeads, s.headDim, s.firstPos + s.nTok),
          q(Random(5).normals(size_t(s.nTok * s.nHeads * s.headDim))),
          out(q.size(), NAN),
          lse(size_t(s.nTok * s.nHeads), NAN) {
        kv.fill(s.firstPos + s.nTok, 77);
    }

    AttentionArgs args() {
        const float scale = 1.0f / std::sqrt(float(setup.headDim));
        return {q.data(),     setup.nTok, setup.nHeads, setup.firstPos, scale,     setup.softcap,
                setup.window, kv.view(),  out.data(),   lse.data(),     setup.nTok};
    }

    /// The same for tokens first…first+n−1 alone, results at their places.
    AttentionArgs part(int first, int n) {
        AttentionArgs a = args();
        a.q += first * setup.nHeads * setup.headDim;
        a.out += first * setup.nHeads * setup.headDim;
        a.lse += first;
        a.firstPos += first;
        a.nTok = n;
        return a;
    }
};

int wrongValues(const std::vector<float>& got, const std::vector<float>& expected,
                double tolerance) {
    int wrong = 0;
    for (size_t i = 0; i < got.size(); ++i) {
        wrong += !(std::fabs(double{got[i]} - expected[i]) <= tolerance);
    }
    return wrong;
}

/// Scores of unit-normal q and k are about normal; values reach 4.
double toleranceFor(const Setup& s) {
    return attentionTolerance(s.headDim, std::sqrt(double(s.headDim)), 4);
}

std::string shown(const Setup& s) {
    std::ostringstream o;
    o << dtypeInfo(s.type.k).name << "/" << dtypeInfo(s.type.v).name << " heads " << s.nHeads << "/"
      << s.nKvHeads << " d " << s.headDim << " pos " << s.firstPos << "+" << s.nTok << " cap "
      << s.softcap << " window " << s.window;
    return o.str();
}

const Setup kSetups[] = {
    {DType::F16, 9, 3, 64, 0, 100, 0, 0},
    {DType::F16, 9, 3, 64, 50, 33, 0, 0},
    {DType::F32, 14, 2, 64, 20, 17, 0, 0},
    {DType::F16, 4, 4, 128, 0, 65, 0, 0},
    {DType::F16, 2, 1, 4, 3, 20, 0, 0},
    {DType::F32, 3, 3, 8, 0, 40, 0, 0},
    {DType::F16, 4, 2, 16, 7, 30, 0, 0},
    {DType::F32, 4, 2, 24, 0, 50, 0, 0},
    {DType::F16, 5, 1, 96, 10, 40, 0, 0},
    {DType::F16, 4, 2, 64, 30, 90, 20.0f, 0},
    {DType::F16, 4, 2, 64, 30, 90, 0, 13},
    {DType::F32, 4, 1, 32, 0, 150, 5.0f, 64},
    {DType::F16, 2, 1, 256, 0, 40, 0, 0},
    {DType::F16, 9, 3, 64, 0, 1, 0, 0},
    {DType::F16, 9, 3, 64, 15, 1, 0, 0},
    {DType::F16, 9, 3, 64, 700, 1, 0, 0},
    {DType::F32, 14, 2, 64, 300, 1, 8.0f, 0},
    {DType::F16, 9, 3, 64, 700, 1, 0, 300},
    {DType::F16, 7, 7, 24, 600, 1, 0, 0},
    {DType::F16, 9, 3, 64, 600, 4, 0, 0},
    {DType::BF16, 9, 3, 64, 50, 33, 0, 0},
    {DType::BF16, 4, 2, 24, 0, 50, 0, 0},
    {DType::BF16, 9, 3, 64, 700, 1, 0, 300},
    {DType::Q8_0, 9, 3, 64, 50, 33, 0, 0},
    {DType::Q8_0, 4, 2, 32, 30, 90, 20.0f, 13},
    {DType::Q8_0, 5, 1, 96, 600, 1, 0, 0},
    {DType::Q4_0, 9, 3, 64, 50, 33, 0, 0},
    {DType::Q4_0, 2, 1, 256, 0, 40, 0, 0},
    {DType::Q4_0, 9, 3, 64, 700, 1, 0, 0},
    {{DType::Q8_0, DType::Q4_0}, 9, 3, 64, 20, 45, 0, 0},
    {{DType::F16, DType::Q8_0}, 9, 3, 64, 700, 1, 0, 0},
    {{DType::Q4_0, DType::F32}, 4, 2, 64, 5, 40, 0, 0},
};

}  // namespace

TEST(attentionMatchesReference) {
    for (const Setup& s : kSetups) {
        Problem expected(s);
        reference::attention(expected.args());
        for (const std::string& mode : allModes()) {
            CpuMode cpu(mode, 2);
            if (!cpu) continue;
            Problem got(s);
            cpu->attention(cpu.context(), got.args());
            const int wrong = wrongValues(got.out, expected.out, toleranceFor(s)) +
                              wrongValues(got.lse, expected.lse, toleranceFor(s));
            if (wrong > 0) std::fprintf(stderr, "  %s %s\n", mode.c_str(), shown(s).c_str());
            CHECK_EQ(wrong, 0);
        }
    }
}

TEST(attentionDependsNeitherOnChunkNorOnThreads) {
    for (const Setup& s : kSetups) {
        if (s.nTok < 30) continue;
        for (const std::string& mode : allModes()) {
            CpuMode one(mode, 1), three(mode, 3);
            if (!one) continue;
            Problem whole(s), pieces(s), single(s);
            one->attention(one.context(), whole.args());
            for (int first = 0; first < s.nTok; first += 13) {
                three->attention(three.context(), pieces.part(first, std::min(13, s.nTok - first)));
            }
            CHECK_EQ(differentBits(whole.out, pieces.out), 0);
            CHECK_EQ(differentBits(whole.lse, pieces.lse), 0);
            // Token by token, as in decode.
            for (int t = 0; t < s.nTok; ++t) three->attention(three.context(), single.part(t, 1));
            CHECK_EQ(differentBits(whole.out, single.out), 0);
            CHECK_EQ(differentBits(whole.lse, single.lse), 0);
        }
    }
}

TEST(decodeDoesNotDependOnThreads) {
    for (const Setup& s : kSetups) {
        if (s.nTok != 1) continue;
        for (const std::string& mode : allModes()) {
            CpuMode one(mode, 1), four(mode, 4);
            if (!one) continue;
            Problem a(s), b(s);
            one->attention(one.context(), a.args());
            four->attention(four.context(), b.args());
            CHECK_EQ(differentBits(a.out, b.out), 0);
            CHECK_EQ(differentBits(a.lse, b.lse), 0);
        }
    }
}

TEST(largeScoresStayFinite) {
    const Setup s{DType::F16, 4, 2, 64, 40, 30, 0, 0};
    for (const std::string& mode : allModes()) {
        CpuMode cpu(mode, 2);
        if (!cpu) continue;
        Problem p(s);
        for (float& v : p.q) v *= 300;
        cpu->attention(cpu.context(), p.args());
        int bad = 0;
        for (float v : p.out) bad += !(std::fabs(v) < 10);
        CHECK_EQ(bad, 0);
    }
}

TEST(tileEqualsDenseMatrixAndRowsSumToOne) {
    for (const Setup& s : kSetups) {
        if (s.nTok < 30) continue;
        const int nKeys = s.firstPos + s.nTok;
        for (const std::string& mode : allModes()) {
            CpuMode cpu(mode, 2);
            if (!cpu) continue;
            Problem p(s);
            cpu->attention(cpu.context(), p.args());
            const int head = s.nHeads - 1;
            std::vector<float> got(size_t(s.nTok * nKeys), NAN), expected(got.size());
            AttentionTileArgs args{};
            args.q = p.q.data() + head * s.headDim;
            args.qStride = int64_t{s.nHeads} * s.headDim;
            args.lse = p.lse.data() + head * s.nTok;
            args.nRows = s.nTok;
            args.firstRow = s.firstPos;
            args.nKeys = nKeys;
            args.kvHead = head / (s.nHeads / s.nKvHeads);
            args.scale = p.args().scale;
            args.softcap = s.softcap;
            args.window = s.window;
            args.kv = p.kv.view();
            args.out = got.data();
            cpu->attentionTile(cpu.context(), args);
            args.out = expected.data();
            reference::attentionTile(args);
            CHECK_EQ(wrongValues(got, expected, toleranceFor(s)), 0);
            for (int row = 0; row < s.nTok; ++row) {
                double sum = 0;
                int masked = 0;
                for (int key = 0; key < nKeys; ++key) {
                    const float value = got[size_t(row * nKeys + key)];
                    sum += value;
                    if (!reference::isVisible(s.firstPos + row, key, s.window))
                        masked += value != 0;
                }
                CHECK_NEAR(sum, 1.0, toleranceFor(s));
                CHECK_EQ(masked, 0);
            }
            // A corner with odd sizes holds the same values.
            std::vector<float> corner(size_t(7 * 11), NAN);
            args.q += 5 * args.qStride;
            args.lse += 5;
            args.firstRow += 5;
            args.nRows = 7;
            args.firstKey = 3;
            args.nKeys = 11;
            args.out = corner.data();
            cpu->attentionTile(cpu.context(), args);
            int wrong = 0;
            for (int row = 0; row < 7; ++row) {
                for (int key = 0; key < 11; ++key) {
                    const double whole = got[size_t((row + 5) * nKeys + key + 3)];
                    wrong += std::fabs(corner[size_t(row * 11 + key)] - whole) > toleranceFor(s);
                }
            }
            CHECK_EQ(wrong, 0);
        }
    }
}

VITRINE_TEST_MAIN()
