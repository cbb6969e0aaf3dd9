// LongRoPE: the length of the sequence chooses the factors, so crossing the original context in
// mid-answer recomputes the cache, says so and counts it; afterwards nothing differs from a start
// with the longer text.

#include "engine/runtime/kv_pages.h"
#include "engine/runtime/run.h"
#include "engine/runtime/session.h"
#include "tests/engine/session_fixture.h"
#include "tests/support/mini_test.h"
#include "tests/support/tiny_model.h"

using namespace vitrine::engine;
using namespace vitrine::test;

namespace {

constexpr int kOriginal = 40;

TinyModelOptions longModel() {
    TinyModelOptions options;
    options.arch = "phi3";
    options.longRopeFrom = kOriginal;
    return options;
}

std::vector<TokenId> firstOf(const std::vector<TokenId>& ids, int n) {
    return {ids.begin(), ids.begin() + n};
}

std::vector<float> afterAppend(Session& session, TokenId id) {
    CHECK(session.append(id).has_value());
    for (;;) {
        auto done = session.step();
        CHECK(done.has_value());
        if (!done || *done) break;
    }
    return {session.logits().begin(), session.logits().end()};
}

}  // namespace

TEST(crossing_the_limit_equals_a_start_from_scratch) {
    const TempFile file(makeTinyModel(longModel()).bytes());
    for (const bool isExact : {true, false}) {
        LoadOptions options;
        options.exact = isExact;
        auto session = open(file, options);
        const auto ids = tokens(kOriginal + 6);
        lastLogits(*session, firstOf(ids, kOriginal - 3));
        for (int n = kOriginal - 2; n <= kOriginal + 6; ++n) {
            const auto got = afterAppend(*session, ids[static_cast<size_t>(n - 1)]);
            auto fresh = open(file, options);
            CHECK(got == lastLogits(*fresh, firstOf(ids, n)));
        }
    }
}

TEST(only_the_step_over_the_limit_recomputes) {
    const TempFile file(makeTinyModel(longModel()).bytes());
    auto session = open(file, exactOptions());
    const auto ids = tokens(kOriginal + 2);
    lastLogits(*session, firstOf(ids, kOriginal - 1));
    CHECK(session->append(ids[kOriginal - 1]).has_value());
    CHECK_EQ(session->pending(), 1);
    CHECK(*session->step());
    CHECK(session->append(ids[kOriginal]).has_value());
    CHECK_EQ(session->pending(), kOriginal + 1);
    while (!*session->step()) {
    }
    CHECK(session->append(ids[kOriginal + 1]).has_value());
    CHECK_EQ(session->pending(), 1);
}

TEST(short_and_long_sequences_share_no_cache) {
    const TempFile file(makeTinyModel(longModel()).bytes());
    auto session = open(file, exactOptions());
    const auto ids = tokens(90);
    lastLogits(*session, firstOf(ids, 30));
    const auto begun = session->begin(ids);
    CHECK(begun.has_value());
    CHECK_EQ(*begun, 0);
    auto fresh = open(file, exactOptions());
    CHECK(lastLogits(*session, ids) == lastLogits(*fresh, ids));
    // The short one was kept as a branch, and comes back; so does the long one.
    CHECK_EQ(*session->begin(firstOf(ids, 35)), 30);
    auto freshShort = open(file, exactOptions());
    CHECK(lastLogits(*session, firstOf(ids, 35)) == lastLogits(*freshShort, firstOf(ids, 35)));
    CHECK_EQ(*session->begin(firstOf(ids, 80)), 79);
    auto freshLong = open(file, exactOptions());
    CHECK(lastLogits(*session, firstOf(ids, 80)) == lastLogits(*freshLong, firstOf(ids, 80)));
}

TEST(a_run_says_and_counts_the_recompute) {
    const TempFile file(makeTinyModel(longModel()).bytes());
    auto session = open(file, exactOptions());
    GenerationRequest request;
    request.runId = 1;
    request.ids = tokens(kOriginal - 2);
    request.maxTokens = 6;
    request.ignoreEos = true;
    request.sampling.temperature = 0;
    int nNotices = 0, nTokens = 0, tokensBeforeNotice = -1, prefillSteps = 0;
    std::optional<RunFinished> finished;
    Run run(*session, request, [&](OutboxItem item) {
        if (std::holds_alternative<Notice>(item)) ++nNotices, tokensBeforeNotice = nTokens;
        if (std::holds_alternative<TokenBatch>(item)) ++nTokens;
        if (auto* end = std::get_if<RunFinished>(&item)) finished = std::move(*end);
    });
    CHECK(run.start());
    do {
        prefillSteps += nTokens > 0 && run.phase() == vitrine::observe::Phase::Prefill;
    } while (run.step());
    CHECK(finished.has_value());
    if (!finished) return;
    CHECK_EQ(nTokens, 6);
    CHECK_EQ(nNotices, 1);
    // Tokens 39 and 40 fit; the third one fed is number 41.
    CHECK_EQ(tokensBeforeNotice, 3);
    CHECK_EQ(prefillSteps, 2);  // the layers of the model
    CHECK_EQ(finished->stats.recomputedTokens, kOriginal);
    CHECK(finished->stats.recomputeNs > 0);
    CHECK(finished->stats.recomputeNs <= finished->stats.itlNs[2]);
    CHECK_EQ(finished->stats.promptTokens, kOriginal - 2);
    CHECK_EQ(finished->stats.pages, 3);
}

VITRINE_TEST_MAIN()
