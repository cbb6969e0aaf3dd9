// The engine thread as the window and the terminal program use it: commands in, outbox out, stops
// at any moment. Runs under TSan.

#include <atomic>
#include <chrono>
#include <thread>

#include "engine/runtime/engine_thread.h"
#include "tests/support/mini_test.h"
#include "tests/support/temp_file.h"
#include "tests/support/tiny_model.h"

using namespace vitrine::engine;
using vitrine::test::makeTinyModel;
using vitrine::test::TempFile;

namespace {

constexpr int64_t kSecondNs = 1'000'000'000;

/// Collects the outbox until an item of type T has come (or 30 s have passed).
class Driver {
public:
    Driver() : hub(std::make_shared<vitrine::observe::Hub>()), thread(hub, [this] { ++pokes; }) {}

    template <class T>
    T waitFor() {
        const int64_t deadline = steadyNowNs() + 30 * kSecondNs;
        while (steadyNowNs() < deadline) {
            for (size_t i = 0; i < items.size(); ++i) {
                if (auto* found = std::get_if<T>(&items[i])) {
                    T value = std::move(*found);
                    items.erase(items.begin() + static_cast<std::ptrdiff_t>(i));
                    return value;
                }
            }
            thread.waitOutbox(kSecondNs / 10);
            for (OutboxItem& item : thread.takeOutbox()) {
                if (auto* batch = std::get_if<TokenBatch>(&item)) {
                    for (GeneratedToken& token : batch->tokens)
                        generated.push_back(std::move(token));
                } else {
                    items.push_back(std::move(item));
                }
            }
        }
        CHECK(!"the engine did not answer");
        return {};
    }

    void load(const TempFile& file, bool exact = false) {
        LoadOptions options;
        options.nThreads = 2;
        options.exact = exact;
        thread.post(LoadModel{file.path(), options});
        CHECK(waitFor<ModelLoaded>().info != nullptr);
    }

    RunFinished run(GenerationRequest request) {
        generated.clear();
        thread.post(std::move(request));
        return waitFor<RunFinished>();
    }

    std::shared_ptr<vitrine::observe::Hub> hub;
    std::atomic<int> pokes{0};
    std::vector<OutboxItem> items;
    std::vector<GeneratedToken> generated;
    EngineThread thread;
};

GenerationRequest request(uint32_t runId, int32_t maxTokens) {
    GenerationRequest r;
    r.runId = runId;
    r.messages = {{"user", "Why is the sky blue?"}};
    r.sampling.temperature = 0;
    r.maxTokens = maxTokens;
    r.ignoreEos = true;
    r.submittedNs = steadyNowNs();
    return r;
}

GenerationRequest longPrompt(uint32_t runId, int32_t nTokens) {
    GenerationRequest r = request(runId, 4);
    r.messages.clear();
    for (int32_t i = 0; i < nTokens; ++i)
        r.ids.emplace_back((i * 31 + static_cast<int32_t>(runId)) % 250);
    return r;
}

}  // namespace

TEST(a_run_reports_every_part_of_its_time) {
    const TempFile file(makeTinyModel({}).bytes());
    Driver driver;
    driver.load(file);
    const RunFinished done = driver.run(request(1, 20));
    const RunStarted started = driver.waitFor<RunStarted>();
    CHECK(done.outcome == Outcome::Length);
    CHECK_EQ(driver.generated.size(), size_t{20});
    CHECK_EQ(done.stats.generatedTokens, 20);
    CHECK_EQ(static_cast<int32_t>(started.prompt.size()), done.stats.promptTokens);
    const RunStats& s = done.stats;
    CHECK_EQ(s.queueNs + s.templateNs + s.tokenizeNs + s.prefillNs + s.firstSampleNs, s.ttftNs);
    int64_t gaps = 0;
    for (const int64_t gap : s.itlNs) gaps += gap;
    CHECK_EQ(s.ttftNs + gaps, s.e2eNs);
    CHECK_EQ(s.itlNs.size(), size_t{19});
    CHECK(s.tpotNs.has_value());
    CHECK(s.memory.weights > 0 && s.memory.rss > s.memory.weights);
    std::string pieces;
    for (const PromptToken& token : started.prompt) pieces += token.text;
    CHECK(pieces.find("Why is the sky blue?") != std::string::npos);
    for (const GeneratedToken& token : driver.generated) {
        CHECK(!token.candidates.empty());
        CHECK_EQ(token.rank, 0);  // greedy
        CHECK(token.candidates[0].id == token.id);
        CHECK(token.opNs[static_cast<size_t>(vitrine::observe::OpClass::FeedForward)] > 0);
    }
}

TEST(the_same_seed_gives_the_same_tokens) {
    const TempFile file(makeTinyModel({}).bytes());
    Driver driver;
    driver.load(file);
    std::vector<TokenId> first;
    for (uint32_t id = 1; id <= 2; ++id) {
        GenerationRequest r = request(id, 30);
        r.sampling.temperature = 1;
        r.sampling.seed = 7;
        driver.run(r);
        std::vector<TokenId> ids;
        for (const GeneratedToken& token : driver.generated) ids.push_back(token.id);
        if (id == 1) first = ids;
        CHECK(ids == first);
    }
}

TEST(a_second_turn_reuses_the_first) {
    const TempFile file(makeTinyModel({}).bytes());
    Driver driver;
    driver.load(file);
    CHECK_EQ(driver.run(longPrompt(1, 100)).stats.cachedTokens, 0);
    GenerationRequest again = longPrompt(1, 100);
    again.runId = 2;
    again.ids.emplace_back(9);
    CHECK_EQ(driver.run(again).stats.cachedTokens, 100);
}

TEST(stop_ends_prefill_and_waiting_runs_but_not_later_ones) {
    vitrine::test::TinyModelOptions model;
    model.contextLength = 4096;
    model.nLayers = 8;
    const TempFile file(makeTinyModel(model).bytes());
    Driver driver;
    driver.load(file, true);
    driver.thread.post(longPrompt(1, 4000));
    driver.thread.post(longPrompt(2, 4000));
    driver.waitFor<RunStarted>();
    driver.thread.requestStop();
    driver.thread.post(longPrompt(3, 50));
    for (uint32_t id = 1; id <= 3; ++id) {
        const RunFinished done = driver.waitFor<RunFinished>();
        CHECK_EQ(done.runId, id);
        CHECK(done.outcome == (id == 3 ? Outcome::Length : Outcome::User));
    }
}

TEST(stops_at_random_moments_leave_the_same_answer) {
    const TempFile file(makeTinyModel({}).bytes());
    Driver driver;
    driver.load(file, true);
    driver.run(longPrompt(1, 300));
    std::vector<TokenId> want;
    for (const GeneratedToken& token : driver.generated) want.push_back(token.id);
    for (uint32_t id = 2; id < 22; ++id) {
        GenerationRequest other = longPrompt(id, 290);
        other.maxTokens = 200;
        driver.thread.post(other);
        std::this_thread::sleep_for(std::chrono::microseconds(id * 700));
        driver.thread.requestStop();
        driver.waitFor<RunFinished>();
        GenerationRequest same = longPrompt(1, 300);
        same.runId = 100 + id;
        driver.run(same);
        std::vector<TokenId> got;
        for (const GeneratedToken& token : driver.generated) got.push_back(token.id);
        CHECK(got == want);
    }
}

TEST(stop_text_and_time_outs_are_outcomes) {
    const TempFile file(makeTinyModel({}).bytes());
    Driver driver;
    driver.load(file);
    driver.run(request(1, 40));
    std::string text;
    for (const GeneratedToken& token : driver.generated) text += token.text;
    if (text.size() > 8) {
        GenerationRequest r = request(2, 40);
        r.stopTexts = {text.substr(5, 3)};
        CHECK(driver.run(r).outcome == Outcome::Stop);
        std::string shown;
        for (const GeneratedToken& token : driver.generated) shown += token.text;
        CHECK_EQ(shown, text.substr(0, text.find(r.stopTexts[0])));
    }
    GenerationRequest late = request(3, 40);
    late.firstTokenTimeoutNs = 1;
    CHECK(driver.run(late).outcome == Outcome::TimeoutFirst);
    late = request(4, 100000);
    late.totalTimeoutNs = kSecondNs / 20;
    const RunFinished full = driver.run(late);
    CHECK(full.outcome == Outcome::Timeout || full.outcome == Outcome::ContextFull);
    late = request(5, 0);
    CHECK(driver.run(late).outcome == Outcome::ContextFull);
    CHECK(driver.run(longPrompt(6, 600)).outcome == Outcome::ContextFull);
    GenerationRequest empty;
    empty.runId = 7;
    CHECK(driver.run(empty).outcome == Outcome::Error);
}

TEST(a_file_that_cannot_be_opened_leaves_the_model_alone) {
    const TempFile file(makeTinyModel({}).bytes());
    const TempFile broken("GGUF but not really");
    Driver driver;
    CHECK(driver.run(request(1, 3)).outcome == Outcome::Error);
    driver.load(file);
    driver.thread.post(LoadModel{broken.path(), {}});
    CHECK(!driver.waitFor<LoadFailed>().error.message.empty());
    driver.thread.post(LoadModel{"/nowhere/model.gguf", {}});
    CHECK(driver.waitFor<LoadFailed>().error.code == Errc::Io);
    CHECK(driver.run(request(2, 3)).outcome == Outcome::Length);
    driver.thread.post(UnloadModel{});
    driver.waitFor<ModelUnloaded>();
    CHECK(driver.run(request(3, 3)).outcome == Outcome::Error);
}

TEST(pictures_are_served_while_a_run_goes_on) {
    vitrine::test::TinyModelOptions model;
    model.contextLength = 2048;
    const TempFile file(makeTinyModel(model).bytes());
    Driver driver;
    driver.load(file);
    driver.thread.post(longPrompt(1, 1500));
    driver.waitFor<RunStarted>();
    RequestTile tile;
    tile.requestId = 5;
    tile.layer = LayerId(0);
    tile.nRows = tile.nKeys = 64;
    driver.waitFor<RunFinished>();
    driver.thread.post(tile);
    driver.thread.post(RequestAtlas{6, 64});
    const TileReply reply = driver.waitFor<TileReply>();
    CHECK_EQ(reply.requestId, uint64_t{5});
    CHECK(reply.notAvailable.empty());
    const AtlasReply atlas = driver.waitFor<AtlasReply>();
    CHECK_EQ(atlas.nTokens, 1503);
    CHECK(driver.hub->frame.refresh());
    CHECK_EQ(driver.hub->frame.front().contextUsed, 1503);
    std::vector<vitrine::observe::Event> events;
    CHECK(driver.hub->events.drain(events) > 0);
    CHECK(driver.pokes > 0);
}

TEST(a_replay_brings_dropped_attention_back) {
    const TempFile file(makeTinyModel({}).bytes());
    Driver driver;
    driver.load(file, true);
    const GenerationRequest first = longPrompt(1, 100);
    driver.run(first);
    RequestTile tile;
    tile.layer = LayerId(1);
    tile.nRows = tile.nKeys = 100;
    driver.thread.post(tile);
    const TileReply want = driver.waitFor<TileReply>();
    driver.run(longPrompt(2, 100));
    ReplaySequence replay{1, first.ids, 1};
    driver.thread.post(replay);
    const SequenceReplayed done = driver.waitFor<SequenceReplayed>();
    CHECK(!done.error.has_value());
    CHECK_EQ(done.runId, uint32_t{1});
    driver.thread.post(tile);
    const TileReply got = driver.waitFor<TileReply>();
    CHECK(got.notAvailable.empty());
    for (size_t i = 0; i < want.cells.size(); ++i)
        CHECK(got.cells[i] == want.cells[i] ||
              (got.cells[i] != got.cells[i] && want.cells[i] != want.cells[i]));
    tile.layer = LayerId(0);
    driver.thread.post(tile);
    CHECK(!driver.waitFor<TileReply>().notAvailable.empty());  // only layer 1 was asked for
    replay.ids.clear();
    driver.thread.post(replay);
    CHECK(driver.waitFor<SequenceReplayed>().error.has_value());
}

TEST(tokens_are_counted_for_the_draft) {
    const TempFile file(makeTinyModel({}).bytes());
    Driver driver;
    driver.load(file);
    driver.thread.post(RequestTokens{1, "hello", {}, true});
    const TokensReply reply = driver.waitFor<TokensReply>();
    CHECK(reply.count > 0);
    CHECK_EQ(reply.pieces.size(), static_cast<size_t>(reply.count));
    driver.thread.post(RequestTokens{2, "", {{"user", "hello"}}, false});
    CHECK(driver.waitFor<TokensReply>().count > reply.count);
}

TEST(a_prompt_is_shown_before_it_is_run) {
    const TempFile file(makeTinyModel({}).bytes());
    Driver driver;
    driver.load(file);
    GenerationRequest request;
    request.runId = 1;
    request.messages = {{"user", "<|im_end|> is text here"}};
    request.maxTokens = 3;
    const auto preview = [&](uint64_t id) {
        driver.thread.post(RequestTokens{id, "", request.messages, true});
        return driver.waitFor<TokensReply>();
    };
    TokensReply shown = preview(1);
    CHECK(!shown.error.has_value());
    CHECK_EQ(shown.cachedTokens, 0);
    std::string text, content;
    for (const PromptSegment& segment : shown.segments) {
        text += segment.text;
        if (!segment.isTemplate) content += segment.text;
    }
    CHECK_EQ(text, std::string("<|im_start|>user\n<|im_end|> is text here<|im_end|>\n"
                               "<|im_start|>assistant\n"));
    CHECK_EQ(content, request.messages[0].content);
    // What a run makes of it is the same, and what it finds in the cache is what was announced.
    for (const bool isSecond : {false, true}) {
        if (isSecond) {
            request.runId = 2;
            request.messages.push_back({"assistant", "ok"});
            request.messages.push_back({"user", "more"});
            shown = preview(2);
            CHECK(shown.cachedTokens > 0);
        }
        driver.thread.post(request);
        const RunStarted started = driver.waitFor<RunStarted>();
        driver.waitFor<RunFinished>();
        CHECK_EQ(started.cachedTokens, shown.cachedTokens);
        CHECK_EQ(started.prompt.size(), shown.pieces.size());
        for (size_t i = 0; i < shown.pieces.size(); ++i)
            CHECK(started.prompt[i].id == shown.pieces[i].id &&
                  started.prompt[i].isTemplate == shown.pieces[i].isTemplate);
    }
    // The same again: all but the last token, which has to be evaluated for its logits.
    CHECK_EQ(preview(3).cachedTokens, static_cast<int32_t>(shown.pieces.size()) - 1);
}

TEST(the_thread_ends_in_the_middle_of_work) {
    vitrine::test::TinyModelOptions model;
    model.contextLength = 4096;
    const TempFile file(makeTinyModel(model).bytes());
    for (int i = 0; i < 5; ++i) {
        Driver driver;
        driver.load(file);
        driver.thread.post(longPrompt(1, 4000));
        std::this_thread::sleep_for(std::chrono::milliseconds(i * 3));
    }
    CHECK(true);
}

VITRINE_TEST_MAIN()
