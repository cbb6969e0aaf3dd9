// embed and linear of every mode against the reference, for every type and odd shapes; and the
// promise that a token's row depends neither on its chunk nor on the number of threads.

#include "kernels/reference/reference.h"
#include "tests/kernels/support/op_fixture.h"
#include "tests/kernels/support/tolerance.h"
#include "tests/support/mini_test.h"

using namespace vitrine::kernels;
using namespace vitrine::test;

namespace {

struct Weights {
    DType type;
    int64_t nRows, nCols;
    std::vector<uint8_t> rows;

    Weights(DType t, int64_t r, int64_t c, uint64_t seed)
        : type(t), nRows(r), nCols(c), rows(randomRows(t, r, c, seed)) {}

    reference::RowMatrix view() const { return {type, rows.data(), nRows, nCols}; }
};

std::vector<float> expectedLinear(const Weights& w, const std::vector<float>& x, int nTok,
                                  const float* bias, const std::vector<float>* before) {
    std::vector<float> y(static_cast<size_t>(nTok * w.nRows));
    if (before != nullptr) y = *before;
    std::vector<float> row(static_cast<size_t>(w.nCols));
    reference::linear(w.view(), x.data(), nTok, bias, before != nullptr, y.data(), row.data());
    return y;
}

/// The tolerance of each output, [tok, row].
std::vector<double> tolerances(const Weights& w, const std::vector<float>& x, int nTok,
                               bool isExact) {
    std::vector<double> result(static_cast<size_t>(nTok * w.nRows));
    std::vector<float> row(static_cast<size_t>(w.nCols));
    for (int64_t r = 0; r < w.nRows; ++r) {
        decodeRow(w.type, w.view().row(r), row.data(), w.nCols);
        for (int64_t t = 0; t < nTok; ++t) {
            double absSum = 1, squares = 0;
            for (int64_t block = 0; block < w.nCols; block += 32) {
                double largest = 0;
                const int64_t end = std::min<int64_t>(block + 32, w.nCols);
                for (int64_t c = block; c < end; ++c) {
                    largest = std::max(largest, std::fabs(double{x[size_t(t * w.nCols + c)]}));
                }
                for (int64_t c = block; c < end; ++c) {
                    const double weight = row[size_t(c)];
                    absSum += std::fabs(weight * x[size_t(t * w.nCols + c)]);
                    squares += weight * weight * largest * largest;
                }
            }
            result[size_t(t * w.nRows + r)] =
                linearTolerance(w.type, isExact, w.nCols, absSum, squares);
        }
    }
    return result;
}

void checkClose(const std::vector<float>& got, const std::vector<float>& expected,
                const std::vector<double>& tolerance, const std::string& what) {
    int wrong = 0;
    double worst = 0;
    for (size_t i = 0; i < got.size(); ++i) {
        const double error = std::fabs(double{got[i]} - expected[i]);
        if (!(error <= tolerance[i])) ++wrong;
        worst = std::max(worst, error / tolerance[i]);
    }
    if (wrong > 0) {
        std::fprintf(stderr, "  %s: %d of %zu wrong, worst %g tolerances\n", what.c_str(), wrong,
                     got.size(), worst);
    }
    CHECK_EQ(wrong, 0);
}

LinearArgs oneOutput(const Matrix* w, const std::vector<float>& x, int nTok,
                     std::vector<float>& y) {
    LinearArgs args{};
    args.x = x.data();
    args.nTok = nTok;
    args.nOutputs = 1;
    args.w[0] = w;
    args.y[0] = y.data();
    return args;
}

}  // namespace

TEST(linearMatchesReference) {
    struct Shape {
        int64_t nRows, blocks;
        int nTok;
    };

    const Shape shapes[] = {{1, 1, 1}, {7, 3, 2}, {8, 2, 3}, {13, 1, 7}, {100, 2, 5}, {72, 3, 33}};
    for (const std::string& mode : allModes()) {
        CpuMode cpu(mode, 2);
        if (!cpu) continue;
        for (DType type : allTypes()) {
            for (const Shape& s : shapes) {
                const uint32_t block = dtypeInfo(type).blockValues;
                const int64_t nCols = s.blocks * (block == 1 ? 37 : block);
                const Weights w(type, s.nRows, nCols, 7);
                const auto x = Random(11).normals(size_t(s.nTok * nCols));
                std::vector<float> y(size_t(s.nTok * s.nRows), NAN);
                cpu->linear(cpu.context(),
                            oneOutput(cpu.matrix(type, s.nRows, nCols, w.rows), x, s.nTok, y));
                checkClose(y, expectedLinear(w, x, s.nTok, nullptr, nullptr),
                           tolerances(w, x, s.nTok, mode == "exact"),
                           mode + " " + dtypeInfo(type).name + " rows " + std::to_string(s.nRows));
            }
        }
    }
}

TEST(longChunkOfTokens) {
    for (const std::string& mode : allModes()) {
        CpuMode cpu(mode, 3);
        if (!cpu) continue;
        for (DType type : {DType::Q4_1, DType::Q8_0, DType::Q6_K, DType::F16}) {
            const int nTok = 513;
            const Weights w(type, 20, 256, 3);
            const auto x = Random(5).normals(size_t(nTok * w.nCols));
            std::vector<float> y(size_t(nTok * w.nRows), NAN);
            cpu->linear(cpu.context(),
                        oneOutput(cpu.matrix(type, w.nRows, w.nCols, w.rows), x, nTok, y));
            checkClose(y, expectedLinear(w, x, nTok, nullptr, nullptr),
                       tolerances(w, x, nTok, mode == "exact"), mode + " 513 tokens");
        }
    }
}

TEST(threeOutputsWithBiasAndResidual) {
    for (const std::string& mode : allModes()) {
        CpuMode cpu(mode, 2);
        if (!cpu) continue;
        for (int nTok : {1, 6}) {
            const Weights w[3] = {Weights(DType::Q5_0, 24, 512, 1), Weights(DType::F32, 9, 512, 2),
                                  Weights(DType::Q6_K, 17, 512, 3)};
            const auto x = Random(4).normals(size_t(nTok) * 512);
            LinearArgs args{};
            args.x = x.data();
            args.nTok = nTok;
            args.nOutputs = 3;
            args.accumulate = true;
            std::vector<float> bias[3], y[3], before[3];
            for (int i = 0; i < 3; ++i) {
                bias[i] = Random(20 + uint64_t(i)).normals(size_t(w[i].nRows));
                y[i] = before[i] = Random(30 + uint64_t(i)).normals(size_t(nTok * w[i].nRows));
                args.w[i] = cpu.matrix(w[i].type, w[i].nRows, w[i].nCols, w[i].rows);
                args.bias[i] = i == 1 ? nullptr : bias[i].data();
                args.y[i] = y[i].data();
            }
            cpu->linear(cpu.context(), args);
            for (int i = 0; i < 3; ++i) {
                checkClose(y[i], expectedLinear(w[i], x, nTok, args.bias[i], &before[i]),
                           tolerances(w[i], x, nTok, mode == "exact"),
                           mode + " output " + std::to_string(i));
            }
        }
    }
}

TEST(massiveActivationsDoNotDrownTheirNeighbours) {
    const int nTok = 66, nCols = 512, nRows = 20, outlier = 37;
    for (const std::string& mode : allModes()) {
        CpuMode cpu(mode, 2);
        if (!cpu) continue;
        for (DType type : {DType::Q4_1, DType::Q8_0, DType::Q4_K, DType::Q6_K}) {
            const Weights w(type, nRows, nCols, 3);
            const auto small = Random(5).normals(size_t(nTok * nCols));
            auto x = small;
            // Every third token has one value 300 times as large as the others.
            for (int t = 0; t < nTok; t += 3) x[size_t(t * nCols + outlier)] = 300.0f;
            const Matrix* m = cpu.matrix(type, nRows, nCols, w.rows);
            std::vector<float> y(size_t(nTok * nRows), NAN), single = y;
            LinearArgs args = oneOutput(m, x, nTok, y);
            cpu->linear(cpu.context(), args);
            // No worse than without it, but for the rounding of the large product itself.
            std::vector<double> tolerance = tolerances(w, small, nTok, mode == "exact");
            for (double& t : tolerance) t += 300.0 * 300.0 * 1e-6;
            checkClose(y, expectedLinear(w, x, nTok, nullptr, nullptr), tolerance,
                       mode + " massive " + dtypeInfo(type).name);
            for (int tok = 0; tok < nTok; ++tok) {
                args.x = x.data() + tok * nCols;
                args.y[0] = single.data() + tok * nRows;
                args.nTok = 1;
                cpu->linear(cpu.context(), args);
            }
            CHECK_EQ(differentBits(y, single), 0);
        }
    }
}

TEST(rowsDependNeitherOnChunkNorOnThreads) {
    const int nTok = 37;
    for (const std::string& mode : allModes()) {
        CpuMode one(mode, 1), three(mode, 3);
        if (!one) continue;
        for (DType type : allTypes()) {
            const Weights w(type, 100, 512, 9);
            const auto x = Random(6).normals(size_t(nTok) * 512);
            std::vector<float> whole(size_t(nTok) * 100), pieces = whole;
            one->linear(one.context(),
                        oneOutput(one.matrix(type, 100, 512, w.rows), x, nTok, whole));
            const Matrix* m = three.matrix(type, 100, 512, w.rows);
            int first = 0;
            for (int n : {1, 2, 16, 3, 1, 14}) {
                LinearArgs args = oneOutput(m, x, n, pieces);
                args.x += first * 512;
                args.y[0] += first * 100;
                three->linear(three.context(), args);
                first += n;
            }
            CHECK_EQ(first, nTok);
            if (differentBits(whole, pieces) > 0) {
                std::fprintf(stderr, "  %s %s\n", mode.c_str(), dtypeInfo(type).name);
            }
            CHECK_EQ(differentBits(whole, pieces), 0);
        }
    }
}

TEST(nonFiniteInputShows) {
    for (const std::string& mode : allModes()) {
        CpuMode cpu(mode, 1);
        if (!cpu) continue;
        for (float bad : {NAN, INFINITY}) {
            for (size_t where : {0u, 17u, 31u}) {
                const Weights w(DType::Q4_1, 8, 64, 2);
                auto x = Random(3).normals(64);
                x[where] = bad;
                std::vector<float> y(8, 0.0f);
                cpu->linear(cpu.context(), oneOutput(cpu.matrix(w.type, 8, 64, w.rows), x, 1, y));
                int finite = 0;
                for (float v : y) finite += std::isfinite(v);
                CHECK_EQ(finite, 0);
            }
        }
    }
}

TEST(embedEqualsDecodedRows) {
    for (const std::string& mode : allModes()) {
        CpuMode cpu(mode, 2);
        if (!cpu) continue;
        for (DType type : allTypes()) {
            const Weights w(type, 77, 512, 13);
            std::vector<int32_t> ids{0, 76, 8, 7, 63, 64, 76, 1};
            std::vector<float> got(ids.size() * 512, NAN), expected(ids.size() * 512);
            std::vector<float> row(512);
            const auto n = static_cast<int32_t>(ids.size());
            Matrix* table = cpu.matrix(type, 77, 512, w.rows);
            int wrong = 0;  // not by bits: the sign of a zero may differ
            // As it stands, with a factor, and added to what is there.
            for (const auto& [scale, accumulate] :
                 {std::pair{1.0f, false}, std::pair{25.5f, false}, std::pair{1.0f, true}}) {
                cpu->embed(cpu.context(), {table, ids.data(), n, got.data(), scale, accumulate});
                reference::embed(w.view(),
                                 {table, ids.data(), n, expected.data(), scale, accumulate},
                                 row.data());
                for (size_t i = 0; i < got.size(); ++i) wrong += got[i] != expected[i];
            }
            if (wrong > 0) std::fprintf(stderr, "  %s %s\n", mode.c_str(), dtypeInfo(type).name);
            CHECK_EQ(wrong, 0);
        }
    }
}

VITRINE_TEST_MAIN()
