// What a file says about its architecture is checked: impossible numbers, variants that would
// answer wrongly and missing parts are refused in a sentence that names them; what is accepted is
// read as the conventions of GGUF have it.

#include <limits>

#include "engine/io/model_file.h"
#include "engine/model/architecture.h"
#include "engine/model/rope.h"
#include "engine/model/tensor_plan.h"
#include "engine/runtime/activations.h"
#include "tests/engine/session_fixture.h"
#include "tests/support/mini_test.h"
#include "tests/support/tiny_model.h"

using namespace vitrine::engine;
using namespace vitrine::test;

namespace {

TinyModelOptions of(const char* arch) {
    TinyModelOptions options;
    options.arch = arch;
    return options;
}

/// Configuration and tensors, as far as a load gets without reading weights.
Result<ModelConfig> configOf(const GgufWriter& writer) {
    const TempFile file(writer.bytes());
    auto opened = openModelFile(file.path());
    if (!opened) return std::move(opened).error();
    auto arch = findArchitecture(**opened);
    if (!arch) return std::move(arch).error();
    auto config = (*arch)->readConfig(**opened);
    if (!config) return config;
    auto planned = planTensors(**opened, **arch, *config);
    if (!planned) return std::move(planned).error();
    return config;
}

/// Is it refused, with these words in the sentence?
bool isRefused(const GgufWriter& writer, const std::string& words) {
    const auto config = configOf(writer);
    if (!config && config.error().message.find(words) != std::string::npos) return true;
    std::fprintf(stderr, "  wanted \"%s\", got: %s\n", words.c_str(),
                 config ? "accepted" : config.error().message.c_str());
    return false;
}

}  // namespace

TEST(impossible_numbers_are_refused_by_name) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const float infinite = std::numeric_limits<float>::infinity();
    const auto with = [](const char* arch, const char* key, auto value) {
        return makeTinyModel(of(arch)).add(std::string(arch) + "." + key, value);
    };
    for (const float bad : {nan, infinite, -1.0f}) {
        CHECK(isRefused(with("llama", "rope.scaling.attn_factor", bad), "attn_factor"));
        CHECK(isRefused(with("llama", "attention.scale", bad), "attention.scale"));
        CHECK(isRefused(with("llama", "rope.scaling.factor", bad), "rope.scaling.factor"));
        CHECK(isRefused(with("gemma3", "final_logit_softcapping", bad), "final_logit_softcapping"));
    }
    CHECK(
        isRefused(with("gemma3", "attention.sliding_window", uint64_t{1} << 40), "sliding_window"));
    CHECK(isRefused(with("llama", "attention.sliding_window", int32_t{-5}), "sliding_window"));
    CHECK(isRefused(with("llama", "attention.sliding_window", "wide"), "wrong type"));
    CHECK(isRefused(with("llama", "expert_count", uint32_t{100000}), "expert_count"));
    CHECK(isRefused(with("llama", "expert_count", uint32_t{4}), "expert_used_count"));
    CHECK(isRefused(
        with("llama", "expert_count", uint32_t{4}).add("llama.expert_used_count", uint32_t{5}),
        "expert_used_count"));
    CHECK(isRefused(
        with("llama", "expert_count", uint32_t{4}).add("llama.expert_used_count", uint32_t{0}),
        "expert_used_count"));
    TinyModelOptions windowed = of("gemma3");
    windowed.window = 8;
    CHECK(isRefused(
        makeTinyModel(windowed).add("gemma3.attention.sliding_window_pattern", int32_t{-1}),
        "sliding_window_pattern"));
    CHECK(isRefused(makeTinyModel(windowed).addArray("gemma3.attention.sliding_window_pattern",
                                                     std::vector<int32_t>{1, 0, 1}),
                    "one value per layer"));
    CHECK(isRefused(with("granite", "rope.scaling.original_context_length", uint32_t{0}),
                    "original_context_length"));
}

TEST(variants_that_would_answer_wrongly_are_refused) {
    CHECK(isRefused(makeTinyModel(of("qwen3moe")), "expert_count"));
    CHECK(isRefused(makeTinyModel(of("mamba")), "\"mamba\" is not supported"));
    CHECK(isRefused(
        makeTinyModel(of("qwen3")).addTensor("blk.0.attn_sinks.weight", {4}, {0, 0, 0, 0}),
        "blk.0.attn_sinks.weight"));
    TinyModelOptions dense = of("qwen2");
    CHECK(isRefused(makeTinyModel(dense)
                        .add("qwen2.expert_count", uint32_t{4})
                        .add("qwen2.expert_used_count", uint32_t{2}),
                    "mixture of experts of the architecture \"qwen2\""));
    TinyModelOptions experts = of("qwen3moe");
    experts.nExperts = 4;
    CHECK(configOf(makeTinyModel(experts)).has_value());
    CHECK(isRefused(makeTinyModel(experts).add("qwen3moe.expert_shared_count", uint32_t{1}),
                    "shared experts"));
    CHECK(isRefused(makeTinyModel(experts).add("qwen3moe.expert_gating_func", uint32_t{2}),
                    "expert_gating_func"));
    CHECK(isRefused(makeTinyModel(of("llama")).add("llama.rope.scaling.type", "dynamic"),
                    "\"dynamic\""));
    CHECK(isRefused(makeTinyModel(of("llama"))
                        .add("llama.rope.scaling.type", "yarn")
                        .add("llama.rope.scaling.factor", 0.5f),
                    "below 1"));
    CHECK(isRefused(makeTinyModel(of("llama"))
                        .addArray("llama.attention.key_length", std::vector<int32_t>{16, 32}),
                    "differs from layer to layer"));
    // Experts by the keys, but none in the tensors; and a stack with one expert too few.
    const auto claimed = [] {
        return makeTinyModel(of("llama"))
            .add("llama.expert_count", uint32_t{4})
            .add("llama.expert_used_count", uint32_t{2});
    };
    CHECK(isRefused(claimed(), "\"blk.0.ffn_gate_inp.weight\" is missing"));
    GgufWriter tooFew = claimed();
    for (const char* layer : {"blk.0.", "blk.1."}) {
        tooFew.addTensor(std::string(layer) + "ffn_gate_inp.weight", {64, 4},
                         std::vector<float>(64 * 4));
        tooFew.addTensor(std::string(layer) + "ffn_gate_exps.weight", {64, 96, 3},
                         std::vector<float>(64 * 96 * 3));
    }
    CHECK(isRefused(tooFew, "\"blk.0.ffn_gate_exps.weight\" is 288 × 64 where 384 × 64"));
}

TEST(long_rope_needs_both_sets_of_factors) {
    const auto load = [](const GgufWriter& writer) {
        const TempFile file(writer.bytes());
        auto session = Session::load(file.path(), exactOptions(), nullptr, nullptr, nullptr);
        return session ? std::string() : session.error().message;
    };
    CHECK(load(makeTinyModel(of("phi3")).add("phi3.rope.scaling.type", "longrope"))
              .find("LongRoPE") != std::string::npos);
    CHECK(load(makeTinyModel(of("phi3"))
                   .addTensor("rope_factors_long.weight", {8}, tinyDivisors(8, 1)))
              .find("LongRoPE") != std::string::npos);
    CHECK(load(makeTinyModel(of("llama"))
                   .addTensor("rope_freqs.weight", {8}, std::vector<float>(8, 0.0f)))
              .find("not a positive number") != std::string::npos);
    TinyModelOptions good = of("phi3");
    good.longRopeFrom = 32;
    CHECK_EQ(load(makeTinyModel(good)), std::string());
}

TEST(windows_fall_on_the_right_layers) {
    const auto windows = [](const char* arch, int nLayers, auto change) {
        TinyModelOptions options = of(arch);
        options.nLayers = nLayers;
        options.window = 8;
        GgufWriter writer = makeTinyModel(options);
        change(writer);
        const auto config = configOf(writer);
        CHECK(config.has_value());
        std::string text;
        for (int32_t i = 0; config && i < config->nLayers; ++i)
            text += config->layer(i).window == 8 ? 'w' : config->layer(i).window == 0 ? '-' : '?';
        return text;
    };
    const auto nothing = [](GgufWriter&) {};
    CHECK_EQ(windows("llama", 4, nothing), std::string("wwww"));
    CHECK_EQ(windows("gemma2", 5, nothing), std::string("w-w-w"));
    CHECK_EQ(windows("gemma3", 7, nothing), std::string("wwwww-w"));
    CHECK_EQ(windows("olmo2", 5, nothing), std::string("www-w"));
    CHECK_EQ(windows("gemma3", 4,
                     [](GgufWriter& w) {
                         w.addArray("gemma3.attention.sliding_window_pattern",
                                    std::vector<bool>{false, true, true, false});
                     }),
             std::string("-ww-"));
    CHECK_EQ(windows("gemma3", 4,
                     [](GgufWriter& w) {
                         w.add("gemma3.attention.sliding_window_pattern", uint32_t{2});
                     }),
             std::string("w-w-"));
}

TEST(yarn_keeps_fast_pairs_and_slows_slow_ones) {
    RopeConfig rope;
    rope.dim = 64;
    rope.originalContext = 4096;
    rope.full.yarnFactor = 8;
    const RopeFrequencies scaled = ropeFrequencies(rope, false, false);
    rope.full.yarnFactor = 1;
    const RopeFrequencies plain = ropeFrequencies(rope, false, false);
    CHECK_NEAR(scaled.magnitude, 1 + 0.1 * std::log(8.0), 1e-12);
    CHECK_NEAR(plain.magnitude, 1.0, 0);
    CHECK_EQ(scaled.theta.size(), size_t{32});
    // 4096 tokens hold 32 turns of pair 10.5 and one of pair 22.5.
    for (size_t i = 0; i <= 10; ++i) CHECK_NEAR(scaled.theta[i] / plain.theta[i], 1.0, 1e-12);
    for (size_t i = 23; i < 32; ++i) CHECK_NEAR(scaled.theta[i] / plain.theta[i], 0.125, 1e-12);
    for (size_t i = 11; i <= 22; ++i) {
        const double ratio = scaled.theta[i] / plain.theta[i];
        CHECK(ratio > 0.125 && ratio < 1 && ratio < scaled.theta[i - 1] / plain.theta[i - 1]);
    }
}

TEST(the_27b_of_gemma_has_a_scale_of_its_own) {
    TinyModelOptions options = of("gemma2");
    options.nLayers = 46;
    options.dim = 32;
    options.ffDim = 32;
    options.headDim = 32;  // nHeads·headDim ≠ dim, as in the 27B
    const auto config = configOf(makeTinyModel(options));
    CHECK(config.has_value());
    if (config) CHECK_NEAR(config->attentionScale, 1 / std::sqrt(32.0 / 4), 1e-6);
    options.nLayers = 2;
    const auto small = configOf(makeTinyModel(options));
    CHECK(small.has_value());
    if (small) CHECK_NEAR(small->attentionScale, 1 / std::sqrt(32.0), 1e-6);
}

TEST(the_memory_plan_counts_what_is_allocated) {
    for (const char* arch : {"llama", "gemma2", "qwen3moe"}) {
        TinyModelOptions options = of(arch);
        options.nExperts = std::string(arch) == "qwen3moe" ? 4 : 0;
        const TempFile file(makeTinyModel(options).bytes());
        auto session = open(file, exactOptions());
        CHECK_EQ(session->ledger().activations, Activations::bytesFor(session->model().config()));
    }
}

VITRINE_TEST_MAIN()
