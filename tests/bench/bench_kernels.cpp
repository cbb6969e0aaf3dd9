// How close the CPU backend's linear comes to what the machine can do: GEMV (one token) against the
// read bandwidth and GEMM (512 tokens) against the float32 FMA peak, both measured in the same run.
// Prints one JSON object. Usage: bench_kernels [isa=auto|scalar|avx2|exact] [threads=0] [type…]

#include <algorithm>
#include <chrono>
#include <functional>
#include <thread>

#include "tests/kernels/support/op_fixture.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

using namespace vitrine::kernels;
using namespace vitrine::test;

namespace {

double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

/// Best of at least five runs and as many as fit a third of a second, seconds. Short runs and the
/// best of many, because other programs share the cores.
template <class F>
double bestOf(const F& f) {
    double best = 1e30;
    const double end = now() + 0.33;
    for (int i = 0; i < 5 || now() < end; ++i) {
        const double start = now();
        f();
        best = std::min(best, now() - start);
    }
    return best;
}

void onThreads(int nThreads, const std::function<void(int)>& f) {
    std::vector<std::thread> threads;
    for (int i = 1; i < nThreads; ++i) threads.emplace_back(f, i);
    f(0);
    for (std::thread& t : threads) t.join();
}

volatile float sink;

#if defined(__x86_64__)
__attribute__((target("avx2,fma"))) float fmaLoop(int64_t n) {
    __m256 sum[10];
    for (int i = 0; i < 10; ++i) sum[i] = _mm256_set1_ps(static_cast<float>(i));
    const __m256 a = _mm256_set1_ps(0.999f), b = _mm256_set1_ps(0.001f);
    for (int64_t k = 0; k < n; ++k) {
#pragma GCC unroll 10
        for (int i = 0; i < 10; ++i) sum[i] = _mm256_fmadd_ps(sum[i], a, b);
    }
    __m256 total = sum[0];
    for (int i = 1; i < 10; ++i) total = _mm256_add_ps(total, sum[i]);
    return _mm256_cvtss_f32(total);
}

__attribute__((target("avx2"))) float readLoop(const char* p, size_t bytes) {
    __m256i sum[4] = {};
    for (size_t at = 0; at < bytes; at += 128) {
        _mm_prefetch(p + at + 1024, _MM_HINT_T0);
        _mm_prefetch(p + at + 1088, _MM_HINT_T0);
        for (size_t i = 0; i < 4; ++i) {
            const auto* v = reinterpret_cast<const __m256i*>(p + at + 32 * i);
            sum[i] = _mm256_xor_si256(sum[i], _mm256_load_si256(v));
        }
    }
    const __m256i all =
        _mm256_xor_si256(_mm256_xor_si256(sum[0], sum[1]), _mm256_xor_si256(sum[2], sum[3]));
    return static_cast<float>(_mm256_extract_epi32(all, 0));
}

double fmaPeak(int nThreads) {
    const int64_t n = 400'000;
    const double seconds = bestOf([&] { onThreads(nThreads, [&](int) { sink = fmaLoop(n); }); });
    return static_cast<double>(n) * 10 * 16 * nThreads / seconds / 1e9;
}

double readPeak(CpuMode& cpu, int nThreads) {
    const size_t bytes = size_t{512} << 20;
    auto* p = static_cast<char*>(cpu->alloc(cpu.context(), bytes));
    if (p == nullptr) return 0;
    std::memset(p, 1, bytes);
    const size_t share = bytes / static_cast<size_t>(nThreads) / 128 * 128;
    // One piece after another, so that each comes from memory again.
    const size_t piece = size_t{8} << 20;
    size_t at = 0;
    const double seconds = bestOf([&] {
        onThreads(nThreads, [&](int i) { sink = readLoop(p + share * size_t(i) + at, piece); });
        at = at + 2 * piece <= share ? at + piece : 0;
    });
    cpu->release(cpu.context(), p, bytes);
    return static_cast<double>(piece) * nThreads / seconds / 1e9;
}
#else
double fmaPeak(int) {
    return 0;
}

double readPeak(CpuMode&, int) {
    return 0;
}
#endif

struct Shape {
    int64_t nCols, nRows;
};

LinearArgs argsFor(const Matrix* w, const std::vector<float>& x, std::vector<float>& y, int nTok) {
    LinearArgs args{};
    args.x = x.data();
    args.nTok = nTok;
    args.nOutputs = 1;
    args.w[0] = w;
    args.y[0] = y.data();
    return args;
}

struct Result {
    double gemvGbPerS, gemmGflopPerS, smallGflopPerS;
};

/// Copies of the matrix add up to more than a cache holds, as the layers of a model do.
Result measure(CpuMode& cpu, DType type, const Shape& shape) {
    const auto rows = randomRows(type, shape.nRows, shape.nCols, 1);
    const int copies = static_cast<int>(std::max<size_t>(2, (size_t{160} << 20) / rows.size()));
    std::vector<Matrix*> w;
    for (int i = 0; i < copies; ++i) {
        w.push_back(cpu->matrixCreate(cpu.context(), type, shape.nRows, shape.nCols));
        cpu->matrixFill(cpu.context(), w.back(), rows.data(), 0, shape.nRows);
    }
    const int nTok = shape.nRows > 20000 ? 64 : 512;
    const auto x = Random(2).normals(size_t(nTok * shape.nCols));
    std::vector<float> y(size_t(nTok * shape.nRows));
    Result result{};
    const double matrixBytes = static_cast<double>(cpu->matrixBytes(w[0]));
    const int run = std::max(1, static_cast<int>(8e6 / matrixBytes));
    size_t next = 0;
    result.gemvGbPerS = matrixBytes * run / 1e9 / bestOf([&] {
                            for (int i = 0; i < run; ++i) {
                                cpu->linear(cpu.context(), argsFor(w[next], x, y, 1));
                                next = (next + 1) % w.size();
                            }
                        });
    const double flop = 2.0 * double(shape.nRows) * double(shape.nCols);
    result.smallGflopPerS =
        flop * 8 / 1e9 / bestOf([&] { cpu->linear(cpu.context(), argsFor(w[0], x, y, 8)); });
    result.gemmGflopPerS =
        flop * nTok / 1e9 / bestOf([&] { cpu->linear(cpu.context(), argsFor(w[0], x, y, nTok)); });
    for (Matrix* m : w) cpu->matrixDestroy(cpu.context(), m);
    return result;
}

}  // namespace

int main(int argc, char** argv) {
    CpuMode cpu(argc > 1 ? argv[1] : "auto", argc > 2 ? std::atoi(argv[2]) : 0);
    if (!cpu) return 1;
    const int nThreads = cpu->threads(cpu.context());
    const double read = readPeak(cpu, nThreads), fma = fmaPeak(nThreads);
    std::printf(
        "{\"isa\": \"%s\", \"threads\": %d, \"readPeakGbPerS\": %.1f, "
        "\"fmaPeakGflopPerS\": %.0f, \"linear\": [",
        cpu->isa(cpu.context()), nThreads, read, fma);
    const Shape shapes[] = {{576, 1536}, {1536, 576}, {896, 4864}, {4864, 896}, {576, 49152}};
    const char* separator = "\n";
    for (DType type : allTypes()) {
        const DTypeInfo& info = dtypeInfo(type);
        bool isWanted = argc <= 3;
        for (int i = 3; i < argc; ++i) isWanted = isWanted || std::string(argv[i]) == info.name;
        for (const Shape& shape : shapes) {
            if (!isWanted || shape.nCols % info.blockValues != 0) continue;
            const Result r = measure(cpu, type, shape);
            std::printf(
                "%s  {\"type\": \"%s\", \"nCols\": %lld, \"nRows\": %lld, "
                "\"gemvGbPerS\": %.1f, \"gemvShare\": %.2f, \"gemm8GflopPerS\": %.0f, "
                "\"gemmGflopPerS\": %.0f, \"gemmShareOfFma\": %.2f}",
                separator, info.name, static_cast<long long>(shape.nCols),
                static_cast<long long>(shape.nRows), r.gemvGbPerS,
                read > 0 ? r.gemvGbPerS / read : 0, r.smallGflopPerS, r.gemmGflopPerS,
                fma > 0 ? r.gemmGflopPerS / fma : 0);
            std::fflush(stdout);
            separator = ",\n";
        }
    }
    std::printf("\n]}\n");
    return 0;
}
