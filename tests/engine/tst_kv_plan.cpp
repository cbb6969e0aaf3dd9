// The KV planner against the worked vectors of the metrics notes: exact integers.

#include <limits>

#include "engine/plan/kv_plan.h"
#include "engine/plan/published_shapes.h"
#include "engine/plan/shape_reader.h"
#include "tests/support/mini_test.h"

using namespace vitrine::engine;

namespace {

constexpr uint64_t kMiB = uint64_t{1} << 20, kGiB = uint64_t{1} << 30;

const ModelShape& shape(const char* name) {
    const ModelShape* found = publishedShape(name);
    CHECK(found != nullptr);
    return *found;
}

KvPlan plan(const char* name, int64_t context, KvType type = KvType::F16, int64_t page = 0,
            bool countsWindows = true) {
    KvRequest request;
    request.context = context;
    request.k = request.v = type;
    request.pageTokens = page;
    request.countsWindows = countsWindows;
    auto planned = planKv(shape(name), request);
    CHECK(planned.has_value());
    return *planned;
}

uint64_t parameters(const char* name) {
    return *countParameters(shape(name)).total(shape(name).isTied).exact();
}

double savingOfGqa(const char* name) {
    const ModelShape mha = withAttention(shape(name), AttentionKind::Mha);
    KvRequest request;
    request.context = 1024;
    request.countsWindows = false;
    const double all = static_cast<double>(planKv(mha, request)->bytes);
    return 1 - static_cast<double>(planKv(shape(name), request)->bytes) / all;
}

}  // namespace

TEST(parameters_of_published_models) {
    CHECK_EQ(parameters("SmolLM2-135M"), 134'515'008u);
    CHECK_EQ(parameters("Qwen3-0.6B"), 596'049'920u);
    CHECK_EQ(parameters("Llama-3-8B"), 8'030'261'248u);
    CHECK_EQ(parameters("Qwen2-72B"), 72'706'203'648u);
    CHECK_EQ(parameters("Qwen1.5-72B"), 72'287'920'128u);
    CHECK_EQ(parameters("DeepSeek-V3"), 671'026'419'200u);
}

TEST(bytes_per_token_and_context) {
    CHECK_EQ(plan("SmolLM2-135M", 8192).bytesPerToken, 23'040u);
    CHECK_EQ(plan("SmolLM2-135M", 8192).bytes, 180 * kMiB);
    CHECK_EQ(plan("SmolLM2-135M", 131'072).bytes, 2880 * kMiB);  // 2.8125 GiB
    CHECK_EQ(plan("Qwen3-0.6B", 8192).bytesPerToken, 114'688u);
    CHECK_EQ(plan("Qwen3-0.6B", 8192).bytes, 896 * kMiB);
    CHECK_EQ(plan("Qwen3-0.6B", 131'072).bytes, 14 * kGiB);
    CHECK_EQ(plan("Llama-3-8B", 8192).bytesPerToken, 131'072u);
    CHECK_EQ(plan("Llama-3-8B", 8192).bytes, kGiB);
    CHECK_EQ(plan("Llama-3-8B", 131'072).bytes, 16 * kGiB);
    CHECK_EQ(plan("Qwen2-72B", 8192).bytesPerToken, 327'680u);
    CHECK_EQ(plan("Qwen2-72B", 8192).bytes, 2560 * kMiB);
    CHECK_EQ(plan("Qwen2-72B", 131'072).bytes, 42'949'672'960u);
    CHECK_EQ(plan("Qwen2-72B", 128'000).bytes, 41'943'040'000u);  // 39.06 GiB: K is 1,024
    CHECK_EQ(plan("Qwen1.5-72B", 8192).bytesPerToken, 2'621'440u);
    CHECK_EQ(plan("Qwen1.5-72B", 8192).bytes, 20 * kGiB);
    CHECK_EQ(plan("Qwen1.5-72B", 131'072).bytes, 320 * kGiB);
    CHECK_EQ(plan("Llama-2-13B", 8192).bytes, 6'710'886'400u);
}

TEST(latent_attention_keeps_one_vector_for_all_heads) {
    CHECK_EQ(plan("DeepSeek-V3", 8192).bytesPerToken, 70'272u);
    CHECK_EQ(plan("DeepSeek-V3", 8192).bytes, 549 * kMiB);
    CHECK_EQ(plan("DeepSeek-V3", 131'072).bytes, uint64_t{70'272} * 131'072);  // 8.578 GiB
    CHECK_EQ(plan("DeepSeek-V3", 163'840).bytes, 11'513'364'480u);             // 10.7227 GiB
    CHECK_EQ(plan("DeepSeek-V3", 1, KvType::Fp8).bytesPerToken, 61u * 656u);
    CHECK_EQ(plan("Qwen3-0.6B", 40'960).bytes, 4480 * kMiB);  // 4.375 GiB
}

TEST(windows_are_counted_per_layer) {
    const KvPlan gemma = plan("Gemma-3-270M", 32'768);
    CHECK_EQ(gemma.bytesPerToken, 18'432u);
    CHECK_EQ(gemma.bytes, 108'527'616u);  // 103.5 MiB
    CHECK_EQ(gemma.fullBytes, 576 * kMiB);
    CHECK_EQ(plan("Gemma-3-270M", 8192, KvType::F16, 0, false).bytes, 144 * kMiB);
    CHECK_EQ(plan("Gemma-3-270M", 100).bytes, 100u * 18'432u);
    CHECK_EQ(gemma.layers.size(), 18u);
    CHECK_EQ(gemma.layers[0].bytes, 512u * 1024u);
    CHECK_EQ(gemma.layers[5].bytes, 32'768u * 1024u);
    uint64_t sum = 0;
    for (const KvLayerPlan& layer : gemma.layers) sum += layer.bytes;
    CHECK_EQ(sum, gemma.bytes);
}

TEST(pages_are_whole) {
    const KvPlan over = plan("Llama-3-8B", 8193, KvType::F16, 16);
    CHECK_EQ(over.bytes, 1'075'838'976u);
    CHECK_EQ(over.wasteBytes, 1'966'080u);
    CHECK_EQ(over.bytesPerPage, 16u * 131'072u);
    CHECK_EQ(plan("Llama-3-8B", 1000, KvType::F16, 16).bytes, 132'120'576u);
    CHECK_EQ(plan("Llama-3-8B", 8192, KvType::F16, 16).wasteBytes, 0u);
    for (int64_t t = 1; t < 70; ++t)
        CHECK(plan("Llama-3-8B", t, KvType::F16, 32).wasteBytes <= 31u * 131'072u);
}

TEST(windowed_layers_in_pages) {
    // vLLM: (ceil(min(window − 1 + chunk, T) / bs) + 1) pages.
    KvRequest request;
    request.context = 32'768;
    request.pageTokens = 16;
    CHECK_EQ(planKv(shape("Gemma-3-270M"), request)->layers[0].pages, 32);
    request.chunkTokens = 2048;
    const KvPlan gemma = *planKv(shape("Gemma-3-270M"), request);
    CHECK_EQ(gemma.layers[0].pages, (511 + 2048 + 15) / 16 + 1);
    CHECK_EQ(gemma.layers[5].pages, 2048);
    request.chunkTokens = std::numeric_limits<int64_t>::max();
    CHECK_EQ(planKv(shape("Gemma-3-270M"), request)->layers[0].pages, 2049);
}

TEST(compressed_caches) {
    CHECK_EQ(plan("Llama-3-8B", 8192, KvType::Q8_0).bytes, 570'425'344u);
    CHECK_EQ(plan("Llama-3-8B", 8192, KvType::Q4_0).bytes, 301'989'888u);
    CHECK_EQ(plan("Llama-3-8B", 1, KvType::F32).bytes, 262'144u);
    CHECK_EQ(plan("Llama-3-8B", 1, KvType::BF16).bytes, 131'072u);
    // One byte a value, and 2·n_kv·4 bytes of scales a layer.
    CHECK_EQ(plan("Llama-3-8B", 1, KvType::Int8).bytes, 32u * (2 * 8 * 128 + 2 * 8 * 4));
    CHECK_EQ(plan("Llama-3-8B", 1, KvType::Fp8).bytes, 32u * (2 * 8 * 128 + 2 * 8 * 4));
    KvRequest mixed;
    mixed.context = 1;
    mixed.k = KvType::Q8_0;
    mixed.v = KvType::Q4_0;
    CHECK_EQ(planKv(shape("Llama-3-8B"), mixed)->bytes, 32u * 32u * (34 + 18));
}

TEST(gqa_saves_one_minus_the_share_of_heads) {
    CHECK_NEAR(savingOfGqa("SmolLM2-135M"), 2.0 / 3, 1e-12);
    CHECK_NEAR(savingOfGqa("Qwen3-0.6B"), 0.5, 1e-12);
    CHECK_NEAR(savingOfGqa("Llama-3-8B"), 0.75, 1e-12);
    CHECK_NEAR(savingOfGqa("Qwen2-72B"), 0.875, 1e-12);
    CHECK_NEAR(savingOfGqa("Qwen1.5-72B"), 0.0, 1e-12);
    CHECK_NEAR(savingOfGqa("Gemma-3-270M"), 0.75, 1e-12);
}

TEST(what_if_attention_were_of_another_kind) {
    const ModelShape& llama = shape("Llama-3-8B");
    KvRequest one;
    one.context = 1;
    const auto bytes = [&](const ModelShape& s) { return planKv(s, one)->bytes; };
    CHECK_EQ(bytes(withAttention(llama, AttentionKind::Mha)), 4u * 131'072u);
    CHECK_EQ(bytes(withAttention(llama, AttentionKind::Mqa)), 131'072u / 8);
    CHECK_EQ(bytes(withAttention(llama, AttentionKind::Gqa, 4)), 131'072u / 2);
    CHECK_EQ(bytes(withAttention(llama, AttentionKind::Mla)), 32u * 576u * 2u);
    CHECK(attentionKindOf(llama) == AttentionKind::Gqa);
    CHECK(attentionKindOf(shape("Qwen1.5-72B")) == AttentionKind::Mha);
    CHECK(attentionKindOf(shape("Gemma-3-270M")) == AttentionKind::Mqa);
    CHECK(attentionKindOf(shape("DeepSeek-V3")) == AttentionKind::Mla);
    // Windows stay where they are.
    one.context = 32'768;
    CHECK_EQ(bytes(withAttention(shape("Gemma-3-270M"), AttentionKind::Mha)), 4u * 108'527'616u);
}

TEST(largest_context_is_the_largest) {
    KvRequest request;
    const ModelShape& llama = shape("Llama-3-8B");
    CHECK_EQ(*largestContext(llama, request, kGiB), 8192);
    CHECK_EQ(*largestContext(llama, request, kGiB - 1), 8191);
    CHECK_EQ(*largestContext(llama, request, 131'071), 0);
    CHECK_EQ(*largestContext(llama, request, kGiB, 131'072), 4096);
    request.pageTokens = 16;
    CHECK_EQ(*largestContext(llama, request, kGiB - 1), 8176);
    for (const ModelShape& s : publishedShapes()) {
        const int64_t most = *largestContext(s, request, 3 * kGiB);
        request.context = most;
        CHECK(planKv(s, request)->bytes <= 3 * kGiB);
        request.context = most + 1;
        CHECK(planKv(s, request)->bytes > 3 * kGiB);
    }
}

TEST(hostile_numbers_give_no_figure) {
    ModelShape s = shape("Llama-3-8B");
    KvRequest request;
    request.context = std::numeric_limits<int64_t>::max();
    const Result<KvPlan> huge = planKv(s, request);
    CHECK(!huge);
    CHECK(huge.error().message.find("64 bits") != std::string::npos);
    CHECK(*largestContext(s, request, UINT64_MAX) > 0);
    request.context = 1;
    for (int64_t bad : {int64_t{-1}, int64_t{0}, std::numeric_limits<int64_t>::max()}) {
        ModelShape broken = s;
        broken.nLayers = bad;
        CHECK(!planKv(broken, request));
        broken = s;
        broken.nKvHeads = bad;
        CHECK(!planKv(broken, request));
    }
    ModelShape wide = s;
    wide.nHeads = wide.nKvHeads = wide.keyDim = std::numeric_limits<int64_t>::max();
    CHECK(!planKv(wide, request));
    CHECK(!countParameters(wide).total(false).exact());
    wide = s;
    wide.layers.resize(3);
    CHECK(!planKv(wide, request));
}

TEST(config_json_of_a_model_that_cannot_run) {
    const auto model = plannedModelOfConfig(R"({"model_type":"deepseek_v3","hidden_size":7168,
        "num_hidden_layers":61,"num_attention_heads":128,"num_key_value_heads":128,
        "intermediate_size":18432,"moe_intermediate_size":2048,"n_routed_experts":256,
        "num_experts_per_tok":8,"n_shared_experts":1,"first_k_dense_replace":3,"vocab_size":129280,
        "kv_lora_rank":512,"qk_rope_head_dim":64,"qk_nope_head_dim":128,"v_head_dim":128,
        "q_lora_rank":1536,"topk_method":"noaux_tc","max_position_embeddings":163840,
        "tie_word_embeddings":false,"torch_dtype":"bfloat16"})");
    CHECK(model.has_value());
    CHECK_EQ(*model->parameters().exact(), 671'026'419'200u);
    CHECK_EQ(
        *kvBytesPerToken(model->shape, model->shape.layer(0), KvType::F16, KvType::F16).exact() *
            61,
        70'272u);
    CHECK(!model->cannotRun.empty());
}

TEST(config_json_windows) {
    const auto gemma = plannedModelOfConfig(R"({"model_type":"gemma3_text","hidden_size":640,
        "num_hidden_layers":18,"num_attention_heads":4,"num_key_value_heads":1,"head_dim":256,
        "intermediate_size":2048,"vocab_size":262144,"sliding_window":512,
        "max_position_embeddings":32768})");
    CHECK(gemma.has_value());
    CHECK_EQ(gemma->shape.nWindowedLayers(), 15);
    CHECK(gemma->shape.isTied);
    const auto qwen = plannedModelOfConfig(R"({"model_type":"qwen2","hidden_size":8192,
        "num_hidden_layers":80,"num_attention_heads":64,"num_key_value_heads":8,
        "intermediate_size":29568,"vocab_size":152064,"sliding_window":131072,
        "use_sliding_window":false,"max_window_layers":80,"max_position_embeddings":131072,
        "torch_dtype":"bfloat16","tie_word_embeddings":false})");
    CHECK(qwen.has_value());
    CHECK_EQ(qwen->shape.nWindowedLayers(), 0);
    CHECK_EQ(*qwen->parameters().exact(), 72'706'203'648u);
    CHECK_EQ(*qwen->weights().exact(), 145'412'407'296u);
    const auto types = plannedModelOfConfig(R"({"model_type":"x","text_config":{"hidden_size":64,
        "num_hidden_layers":3,"num_attention_heads":4,"vocab_size":9,"sliding_window":8,
        "layer_types":["sliding_attention","full_attention","linear_attention"]}})");
    CHECK(types.has_value());
    CHECK_EQ(types->shape.layer(0).window, 8);
    CHECK_EQ(types->shape.layer(1).window, 0);
    CHECK_EQ(types->shape.layer(2).nKvHeads, 0);
}

TEST(config_json_that_is_wrong_is_refused_with_the_name) {
    const auto said = [](const char* text, const char* part) {
        const auto model = plannedModelOfConfig(text);
        CHECK(!model);
        CHECK(model.error().message.find(part) != std::string::npos);
    };
    said("", "JSON");
    said("[1]", "JSON");
    said("{}", "num_hidden_layers");
    said(R"({"num_hidden_layers":-3,"hidden_size":8,"num_attention_heads":1})",
         "num_hidden_layers");
    said(R"({"num_hidden_layers":2,"hidden_size":1e300,"num_attention_heads":1})", "hidden_size");
    said(R"({"num_hidden_layers":2,"hidden_size":8.5,"num_attention_heads":1})", "hidden_size");
    said(R"({"num_hidden_layers":2,"hidden_size":8,"num_attention_heads":0})", "0");
    said(R"({"num_hidden_layers":2,"hidden_size":8,"num_attention_heads":3,
        "num_key_value_heads":2,"head_dim":4})",
         "KV heads");
    said((std::string(100'000, '[') + "1").c_str(), "JSON");
}

VITRINE_TEST_MAIN()
