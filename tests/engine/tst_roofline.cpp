// The worked roofline of the metrics notes, and the faults that other calculators were seen to
// make.

#include "engine/plan/published_shapes.h"
#include "engine/plan/roofline.h"
#include "tests/support/mini_test.h"

using namespace vitrine::engine;

namespace {

const ModelShape& shape(const char* name) {
    const ModelShape* found = publishedShape(name);
    CHECK(found != nullptr);
    return *found;
}

/// Equal to so many printed digits.
void near(double value, double printed, double share = 6e-4) {
    CHECK_NEAR(value, printed, printed * share);
}

uint64_t exact(const Checked& value) {
    CHECK(value.exact().has_value());
    return value.exact().value_or(0);
}

const RooflineOptions kBf16;

}  // namespace

TEST(weights_that_a_step_reads) {
    const auto read = [](const char* name) {
        return exact(kBf16.weights.bytesOf(countParameters(shape(name)).readPerToken()));
    };
    CHECK_EQ(read("SmolLM2-135M"), 269'030'016u);
    CHECK_EQ(read("Qwen3-0.6B"), 1'192'099'840u);
    CHECK_EQ(read("Llama-3-8B"), 15'009'849'344u);
    CHECK_EQ(read("Qwen2-72B"), 142'920'990'720u);
    CHECK_EQ(read("Qwen1.5-72B"), 142'084'423'680u);
}

TEST(worked_table_smollm2) {
    const ModelShape& s = shape("SmolLM2-135M");
    const Work prefill = prefillWork(s, kBf16, 2048);
    near(prefill.flops().approximate(), 5.7995e11, 1e-5);
    near(prefill.attentionShare(), 0.250, 2e-3);
    near(phaseFloorS(prefill, kA100), 1.86e-3, 2e-3);
    const Work decode = decodeWork(s, kBf16, 2048);
    near(decode.flops().approximate(), 4.1052e8, 2e-5);
    near(decode.attentionShare(), 0.345, 2e-3);
    near(decode.bytes().approximate(), 3.1624e8, 2e-5);
    near(decode.intensity(), 1.298);
    near(phaseFloorS(decode, kA100), 0.155e-3, 2e-3);
    near(phaseFloorS(decode, {"laptop", 1e15, 89.6e9}), 3.53e-3, 1e-3);
}

TEST(worked_table_llama3) {
    const ModelShape& s = shape("Llama-3-8B");
    const Work p2 = prefillWork(s, kBf16, 2048), p8 = prefillWork(s, kBf16, 8192);
    near(p2.flops().approximate(), 2.9688e13, 3e-5);
    near(p8.flops().approximate(), 1.3194e14, 5e-5);
    near(p2.attentionShare(), 0.037, 1e-2);
    near(p8.attentionShare(), 0.133, 4e-3);
    near(phaseFloorS(p2, kA100), 95.2e-3);
    near(phaseFloorS(p8, kA100), 422.9e-3);
    const Work d8 = decodeWork(s, kBf16, 8192), d131 = decodeWork(s, kBf16, 131'072);
    near(d8.flops().approximate(), 1.9304e10, 3e-5);
    near(d131.flops().approximate(), 8.3729e10, 3e-5);
    near(d8.attentionShare(), 0.222, 3e-3);
    near(d131.attentionShare(), 0.821, 1e-3);
    near(d8.bytes().approximate(), 1.6084e10, 3e-5);
    near(d131.bytes().approximate(), 3.2190e10, 3e-5);
    near(d8.intensity(), 1.200);
    near(d131.intensity(), 2.601);
    near(phaseFloorS(d8, kA100), 7.89e-3);
    near(phaseFloorS(d131, kA100), 15.79e-3);
}

TEST(worked_table_qwen2_72b) {
    const ModelShape& s = shape("Qwen2-72B");
    const Work prefill = prefillWork(s, kBf16, 131'072), decode = decodeWork(s, kBf16, 131'072);
    near(prefill.flops().approximate(), 4.0924e16, 3e-5);
    near(prefill.attentionShare(), 0.550, 1e-3);
    near(phaseFloorS(prefill, kA100), 131.2, 1e-3);
    near(decode.flops().approximate(), 4.8651e11, 3e-5);
    near(decode.attentionShare(), 0.706, 1e-3);
    near(decode.bytes().approximate(), 1.8587e11, 3e-5);
    near(decode.intensity(), 2.617);
    near(phaseFloorS(decode, kA100), 91.2e-3, 1e-3);
}

TEST(crossovers) {
    CHECK_EQ(*attentionCrossover(shape("SmolLM2-135M")), 6144.0);
    CHECK_EQ(*attentionCrossover(shape("Llama-3-8B")), 53'248.0);
    CHECK_EQ(*attentionCrossover(shape("Qwen2-72B")), 107'136.0);
    CHECK_EQ(*kvCrossover(shape("SmolLM2-135M"), kBf16), 11'676u);
    CHECK_EQ(*kvCrossover(shape("Llama-3-8B"), kBf16), 114'516u);
    CHECK_EQ(*kvCrossover(shape("Qwen2-72B"), kBf16), 436'160u);
}

TEST(linear_layers_become_bound_by_arithmetic_at) {
    CHECK_NEAR(kA100.criticalTokens(), 153, 0.5);
    CHECK_NEAR(kTpuV5e.criticalTokens(), 240, 0.5);
    CHECK_NEAR(kH100.criticalTokens(), 295, 0.5);
}

TEST(intensity_of_attention) {
    // MHA: S·T/(S+T) over K and V of 2-byte values; ~1 in decode, T/2 in prefill.
    const ModelShape& mha = shape("Qwen1.5-72B");
    const Work decode = decodeWork(mha, kBf16, 100'000);
    near(decode.attentionFlops.approximate() / decode.kvReadBytes.approximate(), 1.0, 1e-9);
    // The whole step rises from 1 towards n_q / n_kv.
    const ModelShape& gqa = shape("Llama-3-8B");
    near(decodeWork(gqa, kBf16, 0).intensity(), 1.0, 1e-3);
    near(decodeWork(gqa, kBf16, int64_t{1} << 34).intensity(), 4.0, 1e-3);
}

TEST(floor_by_operations_is_never_smaller) {
    for (const ModelShape& s : publishedShapes()) {
        for (const int64_t n : {1, 100, 2048, 32'768}) {
            const Work prefill = prefillWork(s, kBf16, n), decode = decodeWork(s, kBf16, n);
            CHECK(opsFloorS(prefill, kA100) >= phaseFloorS(prefill, kA100) * (1 - 1e-12));
            CHECK(opsFloorS(decode, kA100) >= phaseFloorS(decode, kA100) * (1 - 1e-12));
        }
    }
}

TEST(chunks_add_up_to_the_whole) {
    for (const ModelShape& s : publishedShapes()) {
        const Checked whole = attendedPairs(s, 5000, 0);
        CHECK_EQ(exact(whole), exact(attendedPairs(s, 300, 0) + attendedPairs(s, 4700, 300)));
        CHECK_EQ(exact(attendedPairs(s, 1, 700)),
                 exact(attendedPairs(s, 701, 0)) - exact(attendedPairs(s, 700, 0)));
    }
    // Llama: half the square with its diagonal.
    CHECK_EQ(exact(attendedPairs(shape("Llama-3-8B"), 10, 0)), 32u * 55u);
}

TEST(windows_bound_the_work) {
    const ModelShape& gemma = shape("Gemma-3-270M");
    // 15 layers of 512, 3 of everything.
    CHECK_EQ(exact(decodeWork(gemma, kBf16, 32'768).attentionFlops),
             4u * 4u * 256u * (15u * 512u + 3u * 32'768u));
    CHECK_EQ(exact(decodeWork(gemma, kBf16, 32'768).kvReadBytes), 108'527'616u);
}

TEST(faults_of_other_calculators) {
    // KV is read with KV heads, also when attention is fused.
    const ModelShape& llama = shape("Llama-3-8B");
    CHECK_EQ(exact(decodeWork(llama, kBf16, 8192).kvReadBytes), 8192u * 131'072u);
    // GQA does not change the FLOPs of attention.
    CHECK_EQ(
        exact(prefillWork(withAttention(llama, AttentionKind::Mha), kBf16, 512).attentionFlops),
        exact(prefillWork(llama, kBf16, 512).attentionFlops));
    // The fused output is S·d, not S²: no traffic of scores.
    CHECK_EQ(exact(prefillWork(llama, kBf16, 2048).scoreBytes), 0u);
    RooflineOptions unfused;
    unfused.isUnfused = true;
    CHECK_EQ(exact(prefillWork(llama, unfused, 2048).scoreBytes),
             uint64_t{4} * 32 * 32 * 2048 * 2048 * 2);
    // Activations of the feed-forward have its own width.
    RooflineOptions counted;
    counted.activationBytes = 2;
    ModelShape wide = llama;
    wide.ffDim *= 2;
    CHECK_EQ(exact(prefillWork(wide, counted, 10).activationBytes) -
                 exact(prefillWork(llama, counted, 10).activationBytes),
             32u * 3u * 14'336u * 10u * 2u);
    // The head multiplies and adds.
    CHECK_EQ(exact(decodeWork(llama, kBf16, 1).headFlops), 2u * 128'256u * 4096u);
    // The head size is as published: Qwen3-0.6B has 128, not 1024 / 16.
    CHECK_EQ(shape("Qwen3-0.6B").keyDim, 128);
    CHECK_EQ(exact(decodeWork(shape("Qwen3-0.6B"), kBf16, 1).kvReadBytes), 114'688u);
    // No slider's end: any context.
    CHECK(decodeWork(llama, kBf16, int64_t{1} << 40).flops().exact().has_value());
}

TEST(picture_of_all_attention) {
    near(attentionCaptureBytes(shape("SmolLM2-135M"), 2048).approximate() / (1 << 30), 2.11, 2e-3);
    CHECK_EQ(exact(attentionCaptureBytes(shape("Llama-3-8B"), 8192)), uint64_t{128} << 30);
}

VITRINE_TEST_MAIN()
