// The estimate made before loading against what a session really holds when its context is full.

#include "engine/io/model_file.h"
#include "engine/model/architecture.h"
#include "engine/runtime/memory_plan.h"
#include "engine/runtime/session.h"
#include "tests/support/mini_test.h"
#include "tests/support/temp_file.h"
#include "tests/support/tiny_model.h"

using namespace vitrine::engine;
using vitrine::test::TempFile;
using vitrine::test::TinyModelOptions;
using vitrine::test::TinyType;

namespace {

ModelConfig configOf(const ModelFile& file) {
    const auto architecture = findArchitecture(file);
    CHECK(architecture.has_value());
    const auto config = (*architecture)->readConfig(file);
    CHECK(config.has_value());
    return *config;
}

/// Within 3 %, or a page of the system.
void nearBytes(uint64_t planned, uint64_t actual) {
    CHECK_NEAR(static_cast<double>(planned), static_cast<double>(actual),
               0.03 * static_cast<double>(actual) + 4096);
}

void compareWithLedger(const TinyModelOptions& options, const char* kvType, KvType planned) {
    const TempFile path(vitrine::test::makeTinyModel(options).bytes());
    auto file = openModelFile(path.path());
    CHECK(file.has_value());
    uint64_t weightBytes = 0;
    for (const TensorInfo& tensor : (*file)->tensors()) weightBytes += tensor.sizeBytes;
    const MemoryPlan plan =
        planMemory(configOf(**file), weightBytes, planned, 0, uint64_t{8} << 30);
    CHECK(plan.fits);
    CHECK_EQ(plan.contextSize, options.contextLength);

    LoadOptions load;
    load.kvType = kvType;
    load.nThreads = 1;
    auto session = Session::load(path.path(), load, std::make_shared<vitrine::observe::Hub>(),
                                 nullptr, nullptr);
    CHECK(session.has_value());
    std::vector<TokenId> ids;
    for (int i = 0; i < options.contextLength; ++i) ids.push_back(TokenId(i % 250));
    CHECK((*session)->begin(ids).has_value());
    for (;;) {
        const auto done = (*session)->step();
        CHECK(done.has_value());
        if (!done || *done) break;
    }
    const vitrine::observe::MemoryLedger ledger = (*session)->ledger();
    nearBytes(plan.weightBytes, ledger.weights);
    CHECK_EQ(plan.kvBytes, ledger.kv);
    CHECK_EQ(plan.kvBytesPerToken, (*session)->info()->kvBytesPerToken);
    nearBytes(plan.activationBytes, ledger.activations);
    nearBytes(plan.captureBytes, ledger.capture);
    nearBytes(plan.totalBytes(), ledger.weights + ledger.kv + ledger.activations + ledger.capture);
}

}  // namespace

TEST(estimate_equals_what_is_allocated) {
    TinyModelOptions options;
    compareWithLedger(options, "f16", KvType::F16);
    compareWithLedger(options, "f32", KvType::F32);
    options.arch = "qwen2";
    options.weights = TinyType::Q8_0;
    options.hasOutputMatrix = true;
    options.contextLength = 1000;  // no whole number of pages
    options.nLayers = 3;
    compareWithLedger(options, "f16", KvType::F16);
    options.weights = TinyType::Q4_1;
    options.nKvHeads = 1;
    compareWithLedger(options, "f16", KvType::F16);
}

TEST(context_is_cut_to_what_fits_unless_forced) {
    const TempFile path(vitrine::test::makeTinyModel({}).bytes());
    auto file = openModelFile(path.path());
    CHECK(file.has_value());
    const ModelConfig config = configOf(**file);
    const MemoryPlan whole = planMemory(config, uint64_t{0}, KvType::F16, 0, 0);
    CHECK_EQ(whole.contextSize, 512);
    CHECK(whole.contextReason.empty());
    const uint64_t little = (whole.activationBytes + whole.kvBytesPerToken * 300) * 10 / 9;
    const MemoryPlan cut = planMemory(config, uint64_t{0}, KvType::F16, 0, little);
    CHECK(cut.contextSize < 512);
    CHECK(!cut.contextReason.empty());
    CHECK_EQ(int64_t{cut.contextSize}, cut.largestContext);
    const MemoryPlan forced = planMemory(config, uint64_t{0}, KvType::F16, 0, little, true);
    CHECK_EQ(forced.contextSize, 512);
    CHECK_EQ(forced.largestContext, cut.largestContext);
    const MemoryPlan none = planMemory(config, uint64_t{1} << 40, KvType::F16, 0, little);
    CHECK(!none.fits);
    CHECK_EQ(none.largestContext, 0);
    const MemoryPlan asked = planMemory(config, uint64_t{0}, KvType::F16, 9999, uint64_t{1} << 40);
    CHECK_EQ(asked.contextSize, 512);
    CHECK(asked.contextReason.find("trained") != std::string::npos);
}

VITRINE_TEST_MAIN()
