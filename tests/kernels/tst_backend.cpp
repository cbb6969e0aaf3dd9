// The backend's table: choice of mode, memory, matrices in ranges, and cancel.

#include <chrono>

#include "tests/kernels/support/op_fixture.h"
#include "tests/support/mini_test.h"

using namespace vitrine::kernels;
using namespace vitrine::test;

TEST(unknownIsaIsRefusedWithASentence) {
    BackendOptions options;
    options.isa = "mmx";
    char message[200] = "";
    CHECK(cpuBackend()->create(&options, message, sizeof(message)) == nullptr);
    CHECK(std::string(message).find("mmx") != std::string::npos);
}

TEST(namesWhatWasChosen) {
    CHECK_EQ(cpuBackend()->abi, kBackendAbi);
    CHECK_EQ(std::string(cpuBackend()->name), "cpu");
    for (const std::string& mode : allModes()) {
        CpuMode cpu(mode, 2);
        if (!cpu) continue;
        CHECK_EQ(std::string(cpu->isa(cpu.context())), mode);
        CHECK_EQ(cpu->threads(cpu.context()), 2);
        CHECK(cpu->scratchBytes(cpu.context()) > 0);
    }
    CpuMode cpu("auto", 0);
    CHECK(bool(cpu));
    CHECK(cpu->threads(cpu.context()) >= 1);
}

TEST(memoryIsAlignedAndUsable) {
    CpuMode cpu("exact", 1);
    for (size_t bytes :
         {size_t{1}, size_t{100}, size_t{4096}, size_t{3} << 20, (size_t{2} << 20) + 1}) {
        auto* p = static_cast<char*>(cpu->alloc(cpu.context(), bytes));
        CHECK(p != nullptr);
        CHECK_EQ(reinterpret_cast<uintptr_t>(p) % 64, uintptr_t{0});
        p[0] = 1;
        p[bytes - 1] = 2;
        cpu->release(cpu.context(), p, bytes);
    }
    CHECK(cpu->alloc(cpu.context(), SIZE_MAX - 5) == nullptr);
    CHECK(cpu->alloc(cpu.context(), size_t{1} << 60) == nullptr);
}

TEST(reservedRangeTakesMemoryWhereCommitted) {
    CpuMode cpu("exact", 1);
    const size_t range = size_t{1} << 36;
    auto* p = static_cast<char*>(cpu->reserve(cpu.context(), range));
    CHECK(p != nullptr);
    const size_t page = 6144;  // not a multiple of the system's pages
    for (size_t i = 0; i < 10; ++i) {
        CHECK(cpu->commit(cpu.context(), p + i * page, page));
        std::memset(p + i * page, int(i) + 1, page);
    }
    cpu->decommit(cpu.context(), p + 3 * page, 4 * page);
    for (size_t i : {2u, 7u}) {  // neighbours keep theirs, also where they share a system page
        int wrong = 0;
        for (size_t j = 0; j < page; ++j) wrong += p[i * page + j] != char(i + 1);
        CHECK_EQ(wrong, 0);
    }
    CHECK(cpu->commit(cpu.context(), p + 3 * page, 4 * page));
    std::memset(p + 3 * page, 9, 4 * page);
    cpu->releaseReserved(cpu.context(), p, range);
}

TEST(matrixTooLargeIsRefused) {
    for (const std::string& mode : allModes()) {
        CpuMode cpu(mode, 1);
        if (!cpu) continue;
        CHECK(cpu->matrixCreate(cpu.context(), DType::F32, int64_t{1} << 50, 256) == nullptr);
        CHECK(cpu->matrixCreate(cpu.context(), DType::Q4_1, int64_t{1} << 50, 256) == nullptr);
    }
}

TEST(matrixReportsItsBytes) {
    for (const std::string& mode : allModes()) {
        CpuMode cpu(mode, 1);
        if (!cpu) continue;
        for (DType type : allTypes()) {
            const Matrix* m = cpu.matrix(type, 64, 512, randomRows(type, 64, 512, 1));
            const double stored = 64.0 * double(rowBytes(type, 512));
            CHECK(double(cpu->matrixBytes(m)) >= 0.99 * stored);
            CHECK(double(cpu->matrixBytes(m)) <= 1.05 * stored);
        }
    }
}

TEST(cancelReturnsEarly) {
    for (const std::string& mode : allModes()) {
        std::atomic<bool> cancel{true};
        CpuMode cpu(mode, 2, &cancel);
        if (!cpu) continue;
        const int64_t n = 2048;
        const auto rows = randomRows(DType::Q4_1, n, n, 1);
        cancel = false;
        const Matrix* w = cpu.matrix(DType::Q4_1, n, n, rows);
        cancel = true;
        const auto x = Random(1).normals(size_t(256 * n));
        std::vector<float> y(size_t(256 * n), 7.0f);
        LinearArgs args{};
        args.x = x.data();
        args.nTok = 256;
        args.nOutputs = 1;
        args.w[0] = w;
        args.y[0] = y.data();
        cpu->linear(cpu.context(), args);
        int written = 0;
        for (float v : y) written += v != 7.0f;
        CHECK_EQ(written, 0);
    }
}

VITRINE_TEST_MAIN()
