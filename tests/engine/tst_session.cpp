// The session on a made-up model: chunking, prefix reuse, branches, interruption and observation
// never change a bit of the result in exact mode; pictures rebuilt from what was kept agree with
// each other.

#include <cmath>
#include <limits>

#include "engine/runtime/kv_pages.h"
#include "engine/runtime/observer.h"
#include "engine/runtime/session.h"
#include "tests/engine/session_fixture.h"
#include "tests/support/mini_test.h"
#include "tests/support/tiny_model.h"

using namespace vitrine::engine;
using vitrine::test::exactOptions;
using vitrine::test::lastLogits;
using vitrine::test::makeTinyModel;
using vitrine::test::open;
using vitrine::test::TempFile;
using vitrine::test::TinyModelOptions;
using vitrine::test::tokenByToken;
using vitrine::test::tokens;

TEST(chunks_equal_token_by_token_bit_for_bit) {
    for (const char* arch : {"llama", "qwen2"}) {
        TinyModelOptions model;
        model.arch = arch;
        const TempFile file(makeTinyModel(model).bytes());
        auto chunked = open(file, exactOptions());
        auto single = open(file, exactOptions());
        const auto ids = tokens(300);
        CHECK(lastLogits(*chunked, ids) == tokenByToken(*single, ids));
    }
}

TEST(fast_kernels_are_close_to_exact_ones) {
    for (const auto type : {vitrine::test::TinyType::F32, vitrine::test::TinyType::Q8_0,
                            vitrine::test::TinyType::Q4_1}) {
        TinyModelOptions model;
        model.weights = type;
        const TempFile file(makeTinyModel(model).bytes());
        auto exact = open(file, exactOptions());
        auto fast = open(file, {});
        const auto ids = tokens(90);
        const auto want = lastLogits(*exact, ids), got = lastLogits(*fast, ids);
        double error = 0, size = 0;
        for (size_t i = 0; i < want.size(); ++i) {
            error += (want[i] - got[i]) * (want[i] - got[i]);
            size += want[i] * want[i];
        }
        CHECK(std::sqrt(error / size) < 0.05);
    }
}

TEST(prefix_reuse_changes_nothing) {
    const TempFile file(makeTinyModel({}).bytes());
    auto session = open(file, exactOptions());
    auto first = tokens(100);
    auto second = first;
    second.resize(77);
    for (const TokenId id : tokens(60, 3)) second.push_back(id);
    lastLogits(*session, first);
    auto fresh = open(file, exactOptions());
    const auto want = lastLogits(*fresh, second);
    auto begun = session->begin(second);
    CHECK(begun.has_value());
    CHECK_EQ(*begun, 77);
    CHECK(lastLogits(*session, second) == want);
}

TEST(a_branch_comes_back_from_the_cache) {
    const TempFile file(makeTinyModel({}).bytes());
    auto session = open(file, exactOptions());
    const auto first = tokens(100);
    auto second = first;
    second.resize(50);
    for (const TokenId id : tokens(30, 5)) second.push_back(id);
    const auto want = lastLogits(*session, first);
    lastLogits(*session, second);
    auto begun = session->begin(first);
    CHECK(begun.has_value());
    CHECK_EQ(*begun, 99);
    CHECK(lastLogits(*session, first) == want);
}

TEST(a_stop_in_prefill_leaves_the_next_answer_bit_equal) {
    const TempFile file(makeTinyModel({}).bytes());
    std::atomic<bool> cancel{false};
    auto session = open(file, exactOptions(), &cancel);
    auto fresh = open(file, exactOptions());
    const auto ids = tokens(400);
    CHECK(session->begin(ids).has_value());
    auto stepped = session->step();  // one of two layers of the first chunk
    CHECK(stepped.has_value() && !*stepped);
    cancel = true;
    auto stopped = session->step();
    CHECK(!stopped.has_value());
    if (!stopped) CHECK(stopped.error().code == Errc::Cancelled);
    CHECK(session->cachedTokens().empty());
    cancel = false;
    const auto other = tokens(350, 2);
    CHECK(lastLogits(*session, other) == lastLogits(*fresh, other));
}

TEST(observation_changes_no_bit) {
    const TempFile file(makeTinyModel({}).bytes());
    auto watched = open(file, {});
    auto blind = open(file, {});
    vitrine::observe::TapSet off;
    off.opTimes = off.frames = off.qStore = false;
    blind->observer().setTaps(off);
    const auto ids = tokens(200);
    CHECK(lastLogits(*watched, ids) == lastLogits(*blind, ids));
    CHECK(blind->tile({.layer = LayerId(0), .nRows = 4, .nKeys = 4}).notAvailable.size() > 0);
}

TEST(rows_of_attention_sum_to_one_and_decode_equals_prefill) {
    const TempFile file(makeTinyModel({}).bytes());
    auto session = open(file, {});
    auto single = open(file, {});
    const auto ids = tokens(70);
    lastLogits(*session, ids);
    tokenByToken(*single, ids);
    for (int32_t layer = 0; layer < 2; ++layer) {
        RequestTile request;
        request.layer = LayerId(layer);
        request.head = 3;
        request.nRows = request.nKeys = 70;
        const TileReply tile = session->tile(request), other = single->tile(request);
        CHECK(tile.notAvailable.empty());
        CHECK_EQ(tile.cells.size(), size_t{4900});
        for (int32_t i = 0; i < 70; ++i) {
            double sum = 0;
            for (int32_t j = 0; j < 70; ++j) {
                const float cell = tile.cells[static_cast<size_t>(i * 70 + j)];
                CHECK_EQ(std::isnan(cell), j > i);
                if (j > i) continue;
                sum += cell;
                CHECK_NEAR(cell, other.cells[static_cast<size_t>(i * 70 + j)], 0.02);
            }
            CHECK_NEAR(sum, 1.0, 2e-3);
        }
    }
}

TEST(a_layer_can_be_looked_at_before_the_chunk_is_over) {
    const TempFile file(makeTinyModel({}).bytes());
    std::atomic<bool> cancel{false};
    auto session = open(file, exactOptions(), &cancel);
    const auto ids = tokens(120);
    CHECK(session->begin(ids).has_value());
    auto stepped = session->step();  // layer 0 of 2
    CHECK(stepped.has_value() && !*stepped);
    RequestTile request;
    request.layer = LayerId(0);
    request.nRows = request.nKeys = 120;
    const TileReply early = session->tile(request);
    CHECK_EQ(early.nRows, 120);
    request.layer = LayerId(1);
    CHECK(!session->tile(request).notAvailable.empty());
    AtlasReply atlas = session->beginAtlas({.cells = 64});
    CHECK_EQ(atlas.nTokens, 120);
    cancel = true;
    CHECK(!session->step().has_value());  // the chunk's rows are taken back
    cancel = false;
    session->fillAtlas(atlas, 0);
    CHECK(atlas.levels[0] == 0);
    lastLogits(*session, ids);
    request.layer = LayerId(0);
    const TileReply late = session->tile(request);
    for (size_t i = 0; i < late.cells.size(); ++i)
        CHECK(std::isnan(late.cells[i]) ? std::isnan(early.cells[i])
                                        : late.cells[i] == early.cells[i]);
}

TEST(pooled_tiles_and_atlas_equal_brute_force) {
    const TempFile file(makeTinyModel({}).bytes());
    auto session = open(file, exactOptions());
    lastLogits(*session, tokens(150));
    RequestTile request;
    request.layer = LayerId(1);
    request.head = 2;
    request.nRows = request.nKeys = 150;
    const TileReply full = session->tile(request);
    request.rowStep = request.keyStep = 8;
    const TileReply pooled = session->tile(request);
    CHECK_EQ(pooled.cellRows, 19);
    AtlasReply atlas = session->beginAtlas({.cells = 64});
    session->fillAtlas(atlas, 1);
    CHECK_EQ(atlas.blockTokens, 4);
    const auto blockMax = [&](int32_t row, int32_t col, int32_t edge) {
        float best = std::numeric_limits<float>::quiet_NaN();
        for (int32_t i = row * edge; i < std::min(150, (row + 1) * edge); ++i) {
            for (int32_t j = col * edge; j < std::min(150, (col + 1) * edge); ++j) {
                const float v = full.cells[static_cast<size_t>(i * 150 + j)];
                if (!std::isnan(v) && !(v <= best)) best = v;
            }
        }
        return best;
    };
    for (int32_t i = 0; i < 19; ++i) {
        for (int32_t j = 0; j < 19; ++j) {
            const float got = pooled.cells[static_cast<size_t>(i * 19 + j)],
                        want = blockMax(i, j, 8);
            CHECK(std::isnan(got) ? std::isnan(want) : got == want);
        }
    }
    const uint8_t* levels = atlas.levels.data() + (4 + 2) * 64 * 64;
    for (int32_t i = 0; i < 64; ++i) {
        for (int32_t j = 0; j < 64; ++j) {
            const float want = blockMax(i, j, 4);
            const uint8_t level = levels[i * 64 + j];
            CHECK_EQ(level == 0, std::isnan(want));
            if (level != 0)
                CHECK_NEAR(level, 1 + 254 * (std::log10(std::max(want, 1e-4f)) + 4) / 4, 1.0);
        }
    }
}

TEST(q_beyond_its_budget_is_said_to_be_missing) {
    const TempFile file(makeTinyModel({}).bytes());
    LoadOptions options;
    options.qStoreBytes =
        3 * 2 * 4 * 16 * 16 * sizeof(float);  // three pages of 2 layers × 4 heads × 16 slots × 16
    auto session = open(file, options);
    lastLogits(*session, tokens(100));
    vitrine::observe::Frame frame;
    session->describe(frame);
    CHECK_EQ(frame.captureFirstPos, 64);  // pages 4, 5, 6 of 7 hold the newest rows
    RequestTile request;
    request.layer = LayerId(0);
    request.nRows = request.nKeys = 100;
    const TileReply tile = session->tile(request);
    CHECK(std::isnan(tile.cells[0]));
    CHECK(!std::isnan(tile.cells[99 * 100 + 50]));
    request.nRows = 40;
    CHECK(!session->tile(request).notAvailable.empty());
}

TEST(the_page_map_counts_every_slot) {
    const TempFile file(makeTinyModel({}).bytes());
    auto session = open(file, {});
    auto ids = tokens(40);
    lastLogits(*session, ids);
    for (const TokenId id : tokens(10, 4)) ids.push_back(id);
    lastLogits(*session, ids);
    CHECK(session->append(TokenId(5)).has_value());
    CHECK(session->step().has_value());
    vitrine::observe::Frame frame;
    session->describe(frame);
    int reused = 0, prompt = 0, generated = 0;
    for (const auto& page : frame.pages) {
        reused += page.reusedSlots;
        prompt += page.promptSlots;
        generated += page.generatedSlots;
    }
    CHECK_EQ(reused, 40);
    CHECK_EQ(prompt, 10);
    CHECK_EQ(generated, 1);
    CHECK_EQ(frame.contextUsed, 51);
    CHECK_EQ(frame.pages.size(), size_t{4});
    CHECK_EQ(session->kvBytesUsed(),
             uint64_t{51} * 2 * 2 * 2 * 16 * 2);  // layers × (K, V) × kv heads × d × f16
}

TEST(what_cannot_be_evaluated_is_an_error) {
    const TempFile file(makeTinyModel({}).bytes());
    auto session = open(file, {});
    CHECK(!session->begin({}).has_value());
    const std::vector<TokenId> outside{TokenId(1), TokenId(100000)};
    CHECK(session->begin(outside).error().code == Errc::InvalidArgument);
    CHECK(session->begin(tokens(513)).error().code == Errc::ContextFull);
    lastLogits(*session, tokens(512));
    CHECK(session->append(TokenId(1)).error().code == Errc::ContextFull);
    LoadOptions unknown;
    unknown.isa = "sse9";
    CHECK(!Session::load(file.path(), unknown, nullptr, nullptr, nullptr).has_value());
    unknown = {};
    unknown.kvType = "int8";
    CHECK(Session::load(file.path(), unknown, nullptr, nullptr, nullptr).error().code ==
          Errc::Unsupported);
}

TEST(a_cache_of_any_type_answers_nearly_as_f32_does) {
    TinyModelOptions options;
    options.dim = 128;  // heads of 32, whole blocks
    options.headDim = 32;
    const TempFile file(makeTinyModel(options).bytes());
    const auto logitsWith = [&](const char* k, const char* v) {
        LoadOptions load;
        load.kvType = k;
        load.kvTypeV = v;
        auto session = Session::load(file.path(), load, nullptr, nullptr, nullptr);
        CHECK(session.has_value());
        CHECK_EQ((*session)->info()->kvType,
                 std::string(k) + (*v != 0 ? "/" + std::string(v) : ""));
        return lastLogits(**session, tokens(40));
    };
    const std::vector<float> expected = logitsWith("f32", "");
    float largest = 0;
    for (const float x : expected) largest = std::max(largest, std::fabs(x));

    const struct {
        const char *k, *v;
        float tolerance;
    } kCaches[] = {{"f16", "", 0.01f},
                   {"bf16", "", 0.05f},
                   {"q8_0", "", 0.05f},
                   {"q4_0", "", 0.5f},
                   {"f16", "q8_0", 0.05f}};

    for (const auto& cache : kCaches) {
        const std::vector<float> got = logitsWith(cache.k, cache.v);
        float worst = 0;
        for (size_t i = 0; i < got.size(); ++i)
            worst = std::max(worst, std::fabs(got[i] - expected[i]));
        CHECK(worst < cache.tolerance * largest);
        CHECK(worst > 0);
    }
}

TEST(a_cache_in_blocks_wants_whole_heads) {
    const TempFile file(makeTinyModel({}).bytes());
    LoadOptions load;
    load.kvTypeV = "q8_0";
    auto session = Session::load(file.path(), load, nullptr, nullptr, nullptr);
    CHECK(!session.has_value());
    if (!session) CHECK(session.error().message.find("blocks of 32") != std::string::npos);
}

TEST(a_cancelled_load_says_so) {
    const TempFile file(makeTinyModel({}).bytes());
    std::atomic<bool> cancel{true};
    auto session = Session::load(file.path(), {}, nullptr, nullptr, &cancel);
    CHECK(!session.has_value());
    if (!session) CHECK(session.error().code == Errc::Cancelled);
}

VITRINE_TEST_MAIN()
