#include <algorithm>
#include <chrono>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <thread>

#include "engine/cli/bench.h"
#include "engine/cli/command.h"
#include "engine/cli/interrupt.h"
#include "engine/cli/numbers.h"
#include "engine/cli/output.h"
#include "engine/cli/run_object.h"

namespace vitrine::engine::cli {

namespace {

/// Far from the ids that EngineDriver::run counts up from 1.
constexpr uint32_t kFirstStopRun = 1u << 30;
constexpr int32_t kAnswerTokens = 8;

class StopBench {
public:
    StopBench(EngineDriver& driver, const BenchPlan& plan) : driver_(driver), plan_(plan) {}

    /// A run to its end. Its prefill time bounds the random moments.
    Result<RunRecord> undisturbed(const std::vector<TokenId>& ids, bool reusePrefix) {
        GenerationRequest request = fixedRequest(ids, kAnswerTokens);
        request.reusePrefix = reusePrefix;
        RunRecord record = driver_.run(std::move(request), {});
        if (std::optional<Error> failure = runFailure(record)) return std::move(*failure);
        if (record.finished.outcome == Outcome::User)
            return makeError(Errc::Cancelled, "interrupted");
        if (!reusePrefix) prefillNs_ = record.finished.stats.prefillNs;
        return record;
    }

    /// Somewhere in the first nine tenths of a prefill.
    double randomMoment() { return std::uniform_real_distribution<double>(0, 0.9)(random_); }

    /// From requestStop to RunFinished, in ns; nullopt when the prefill was over before the stop.
    /// moment: the part of the prefill after which it is stopped.
    std::optional<int64_t> stopOnce(const std::vector<TokenId>& ids, double moment) {
        GenerationRequest request = fixedRequest(ids, kAnswerTokens);
        request.runId = kFirstStopRun + nRuns_++;
        request.submittedNs = steadyNowNs();
        EngineThread& engine = driver_.thread();
        engine.post(std::move(request));
        const auto delayNs = static_cast<int64_t>(moment * static_cast<double>(prefillNs_));
        bool isPrefilled = false;
        if (!waitForStart()) return std::nullopt;
        std::this_thread::sleep_for(std::chrono::nanoseconds(delayNs));
        const int64_t beginNs = steadyNowNs();
        engine.requestStop();
        for (;;) {
            engine.waitOutbox(1'000'000'000);
            const int64_t nowNs = steadyNowNs();
            for (const OutboxItem& item : engine.takeOutbox()) {
                isPrefilled = isPrefilled || std::holds_alternative<PrefillDone>(item);
                const auto* finished = std::get_if<RunFinished>(&item);
                if (finished == nullptr) continue;
                driver_.drainEvents();
                if (isPrefilled || finished->outcome != Outcome::User) return std::nullopt;
                return nowNs - beginNs;
            }
        }
    }

    std::vector<TokenId> prompt() {
        return randomIds(random_, driver_.info().vocab, plan_.stopPrompt);
    }

private:
    /// False when the run ended before it began.
    bool waitForStart() {
        for (;;) {
            driver_.thread().waitOutbox(1'000'000'000);
            for (const OutboxItem& item : driver_.thread().takeOutbox()) {
                if (std::holds_alternative<RunStarted>(item)) return true;
                if (std::holds_alternative<RunFinished>(item)) return false;
            }
        }
    }

    EngineDriver& driver_;
    const BenchPlan& plan_;
    std::mt19937 random_{20260807};
    int64_t prefillNs_ = 0;
    uint32_t nRuns_ = 0;
};

/// What a stop leaves in the cache, and whether an answer on it equals one from an empty cache.
struct AfterStop {
    int32_t keptTokens = 0;
    bool isEqual = false;
};

Result<AfterStop> answerAfterStop(StopBench& bench) {
    // Late enough that whole chunks are kept; a prefill that was faster is tried again.
    std::vector<TokenId> ids = bench.prompt();
    for (int i = 0; i < 10 && !bench.stopOnce(ids, 0.7); ++i) ids = bench.prompt();
    Result<RunRecord> after = bench.undisturbed(ids, true);
    if (!after) return std::move(after).error();
    Result<RunRecord> whole = bench.undisturbed(ids, false);
    if (!whole) return std::move(whole).error();
    return AfterStop{after->finished.stats.cachedTokens, sameAnswer(*after, *whole)};
}

void report(std::vector<double> samples, const AfterStop& after, const BenchPlan& plan) {
    std::sort(samples.begin(), samples.end());
    const double worst = samples.back();
    if (plan.asJson) {
        printLine(nlohmann::ordered_json::array({{{"test", "stop"},
                                                  {"n_prompt", plan.stopPrompt},
                                                  {"median_ms", median(samples)},
                                                  {"worst_ms", worst},
                                                  {"samples_ms", samples},
                                                  {"kept_tokens", after.keptTokens},
                                                  {"next_answer_bit_equal", after.isEqual}}})
                      .dump());
        return;
    }
    char line[240];
    std::snprintf(
        line, sizeof line,
        "Stop inside a prefill of %d tokens, %zu times: median %.2f ms, worst %.2f ms; the "
        "next answer, on %d kept tokens, is %s",
        plan.stopPrompt, samples.size(), median(samples), worst, after.keptTokens,
        after.isEqual ? "bit-equal" : "NOT bit-equal");
    printLine(line);
}

}  // namespace

int benchStop(const ModelChoice& model, const BenchPlan& plan) {
    EngineDriver driver;
    const auto info = driver.load(model);
    if (!info) return fail(info.error());
    StopBench bench(driver, plan);
    const Result<RunRecord> warm = bench.undisturbed(bench.prompt(), false);
    if (!warm) return fail(warm.error());
    std::vector<double> samples;
    // A prefill that was over before its stop is measured again; ten times as many tries are
    // enough.
    for (int32_t i = 0; i < 10 * plan.nStops && !interruptFlag(); ++i) {
        if (static_cast<int32_t>(samples.size()) == plan.nStops) break;
        showProgress("stop " + std::to_string(samples.size() + 1));
        if (const std::optional<int64_t> latencyNs =
                bench.stopOnce(bench.prompt(), bench.randomMoment()))
            samples.push_back(static_cast<double>(*latencyNs) / 1e6);
    }
    showProgress("");
    if (interruptFlag()) return fail(makeError(Errc::Cancelled, "interrupted"));
    if (samples.empty())
        return fail(makeError(Errc::InvalidArgument,
                              "the prefill was always over before the stop: give a longer "
                              "--stop-prompt"));
    const Result<AfterStop> after = answerAfterStop(bench);
    if (!after) return fail(after.error());
    report(std::move(samples), *after, plan);
    return kExitOk;
}

}  // namespace vitrine::engine::cli
