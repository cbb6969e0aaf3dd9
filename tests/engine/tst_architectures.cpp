// Every architecture and variant on made-up models: against a float64 model of the test's own, and
// against itself (chunks and single tokens, other kernels, pictures of attention).

#include <cmath>

#include "engine/runtime/session.h"
#include "tests/engine/float64_model.h"
#include "tests/engine/session_fixture.h"
#include "tests/support/mini_test.h"

using namespace vitrine::engine;
using namespace vitrine::test;

namespace {

struct Variant {
    const char* name;
    TinyModelOptions options;
};

std::vector<Variant> variants() {
    std::vector<Variant> all;
    const auto add = [&](const char* name, const char* arch) -> TinyModelOptions& {
        TinyModelOptions options;
        options.arch = arch;
        options.nLayers = 3;
        all.push_back({name, options});
        return all.back().options;
    };
    add("llama", "llama");
    add("llama-3.1 frequencies", "llama").hasRopeFreqs = true;
    add("linear scaling", "llama").ropeScaling = "linear";
    add("mistral", "llama").window = 20;
    add("a list of windows by period", "llama").window = 9;
    all.back().options.windowPattern = 2;
    add("qwen2", "qwen2").hasOutputMatrix = true;
    add("qwen3", "qwen3").headDim = 32;
    add("yarn", "qwen3").ropeScaling = "yarn";
    add("gemma2", "gemma2").window = 16;
    all.back().options.headDim = 32;
    add("gemma3", "gemma3").window = 12;
    all.back().options.windowPattern = 3;
    all.back().options.ropeScaling = "linear";
    add("gemma3, six layers without a pattern", "gemma3").window = 12;
    all.back().options.nLayers = 6;
    add("phi3", "phi3");
    add("longrope", "phi3").longRopeFrom = 40;
    add("gpt2", "gpt2").nKvHeads = 4;
    add("olmo2", "olmo2");
    add("olmo3", "olmo2").window = 10;
    all.back().options.nLayers = 4;
    all.back().options.ropeScaling = "yarn";
    add("granite", "granite");
    add("qwen3moe", "qwen3moe").nExperts = 6;
    add("mixtral", "llama").nExperts = 4;
    add("mixtral before experts were stacked", "llama").nExperts = 4;
    all.back().options.separateExperts = true;
    return all;
}

}  // namespace

TEST(exact_mode_equals_a_float64_model) {
    for (const Variant& variant : variants()) {
        const TempFile file(makeTinyModel(variant.options).bytes());
        auto session = open(file, exactOptions());
        auto opened = openModelFile(file.path());
        CHECK(opened.has_value());
        const auto ids = tokens(70);
        const auto want = Float64Model(variant.options, **opened).logits(ids);
        double worst = 0;
        const auto sink = [&](int32_t pos, std::span<const float> logits) {
            for (size_t i = 0; i < logits.size(); ++i)
                worst = std::fmax(worst, std::fabs(static_cast<double>(logits[i]) -
                                                   want[static_cast<size_t>(pos)][i]));
        };
        CHECK(session->evaluate(ids, 0, sink).has_value());
        if (!(worst < 2e-4)) std::fprintf(stderr, "  %s: off by %g\n", variant.name, worst);
        CHECK(worst < 2e-4);
    }
}

TEST(chunks_equal_token_by_token_in_every_variant) {
    for (const Variant& variant : variants()) {
        if (variant.options.longRopeFrom > 0) continue;  // the length chooses: see below
        const TempFile file(makeTinyModel(variant.options).bytes());
        const auto ids = tokens(300);
        for (const bool isExact : {true, false}) {
            LoadOptions options;
            options.exact = isExact;
            auto chunked = open(file, options);
            auto single = open(file, options);
            const bool isSame = lastLogits(*chunked, ids) == tokenByToken(*single, ids);
            if (!isSame) std::fprintf(stderr, "  %s\n", variant.name);
            CHECK(isSame);
        }
    }
}

TEST(fast_kernels_are_close_in_every_variant) {
    for (const Variant& variant : variants()) {
        const TempFile file(makeTinyModel(variant.options).bytes());
        auto exact = open(file, exactOptions());
        const auto ids = tokens(90);
        const auto want = lastLogits(*exact, ids);
        for (const char* isa : {"auto", "scalar"}) {
            LoadOptions options;
            options.isa = isa;
            options.kvType = "f32";
            const auto got = lastLogits(*open(file, options), ids);
            double error = 0, size = 0;
            for (size_t i = 0; i < want.size(); ++i) {
                error += (want[i] - got[i]) * (want[i] - got[i]);
                size += want[i] * want[i];
            }
            if (!(std::sqrt(error / size) < 1e-4))
                std::fprintf(stderr, "  %s %s: %g\n", variant.name, isa, std::sqrt(error / size));
            CHECK(std::sqrt(error / size) < 1e-4);
        }
    }
}

TEST(pictures_of_attention_know_windows_and_soft_caps) {
    for (const Variant& variant : variants()) {
        const TempFile file(makeTinyModel(variant.options).bytes());
        auto session = open(file, {});
        lastLogits(*session, tokens(70));
        for (int32_t layer = 0; layer < variant.options.nLayers; ++layer) {
            RequestTile request;
            request.layer = LayerId(layer);
            request.head = 1;
            request.nRows = request.nKeys = 70;
            const TileReply tile = session->tile(request);
            const int32_t window = session->model().config().layer(layer).window;
            for (int32_t i = 0; i < 70; ++i) {
                double sum = 0;
                for (int32_t j = 0; j < 70; ++j) {
                    const float cell = tile.cells[static_cast<size_t>(i * 70 + j)];
                    const bool isMasked = j > i || (window > 0 && i - j >= window);
                    CHECK_EQ(std::isnan(cell), isMasked);
                    if (!isMasked) sum += cell;
                }
                CHECK_NEAR(sum, 1.0, 2e-3);  // rebuilt with the cap, scale and angles of its lse
            }
        }
    }
}

VITRINE_TEST_MAIN()
