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

class StopBench {
public:
    StopBench(EngineDriver& driver, const BenchPlan& plan) : driver_(driver), plan_(plan) {}

    /// Time of an uninterrupted prefill, which bounds the random moments.
    Result<RunRecord> undisturbed(const std::vector<TokenId>& ids) {
        RunRecord record = driver_.run(requestFor(ids, 8), {});
        if (std::optional<Error> failure = runFailure(record)) return std::move(*failure);
        if (record.finished.outcome == Outcome::User)
            return makeError(Errc::Cancelled, "interrupted");
        prefillNs_ = record.finished.stats.prefillNs;
        return record;
    }

    /// From requestStop to RunFinished, in ns; nullopt when the prefill was over before the stop.
    std::optional<int64_t> stopOnce(const std::vector<TokenId>& ids) {
        GenerationRequest request = requestFor(ids, 8);
        request.runId = kFirstStopRun + nRuns_++;
        request.submittedNs = steadyNowNs();
        EngineThread& engine = driver_.thread();
        engine.post(std::move(request));
        const auto delayNs =
            static_cast<int64_t>(std::uniform_real_distribution<double>(0, 0.9)(random_) *
                                 static_cast<double>(prefillNs_));
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
        return randomIds(random_, driver_.info().vocab, plan_.stopPrompt, TokenId());
    }

private:
    static GenerationRequest requestFor(const std::vector<TokenId>& ids, int32_t nGen) {
        GenerationRequest request;
        request.ids = ids;
        request.maxTokens = nGen;
        request.sampling.temperature = 0;
        request.ignoreEos = true;
        request.nCandidates = 4;
        return request;
    }

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

bool sameAnswer(const RunRecord& a, const RunRecord& b) {
    bool same = a.tokens.size() == b.tokens.size();
    for (size_t i = 0; same && i < a.tokens.size(); ++i) {
        same = a.tokens[i].id == b.tokens[i].id &&
               a.tokens[i].candidates.size() == b.tokens[i].candidates.size();
        for (size_t k = 0; same && k < a.tokens[i].candidates.size(); ++k)
            same = a.tokens[i].candidates[k].logit == b.tokens[i].candidates[k].logit;
    }
    return same;
}

void report(std::vector<double> samples, bool same, const BenchPlan& plan) {
    std::sort(samples.begin(), samples.end());
    const double worst = samples.back();
    if (plan.asJson) {
        printLine(nlohmann::ordered_json::array({{{"test", "stop"},
                                                  {"n_prompt", plan.stopPrompt},
                                                  {"median_ms", median(samples)},
                                                  {"worst_ms", worst},
                                                  {"samples_ms", samples},
                                                  {"next_answer_bit_equal", same}}})
                      .dump());
        return;
    }
    char line[200];
    std::snprintf(
        line, sizeof line,
        "Stop inside a prefill of %d tokens, %zu times: median %.2f ms, worst %.2f ms; the "
        "next answer is %s",
        plan.stopPrompt, samples.size(), median(samples), worst,
        same ? "bit-equal" : "not bit-equal");
    printLine(line);
}

}  // namespace

int benchStop(const ModelChoice& model, const BenchPlan& plan) {
    EngineDriver driver;
    const auto info = driver.load(model);
    if (!info) return fail(info.error());
    StopBench bench(driver, plan);
    const std::vector<TokenId> first = bench.prompt();
    const Result<RunRecord> before = bench.undisturbed(first);
    if (!before) return fail(before.error());
    std::vector<double> samples;
    // A prefill that was over before its stop is measured again; ten times as many tries are
    // enough.
    for (int32_t i = 0; i < 10 * plan.nStops && !interruptFlag(); ++i) {
        if (static_cast<int32_t>(samples.size()) == plan.nStops) break;
        showProgress("stop " + std::to_string(samples.size() + 1));
        if (const std::optional<int64_t> latencyNs = bench.stopOnce(bench.prompt()))
            samples.push_back(static_cast<double>(*latencyNs) / 1e6);
    }
    showProgress("");
    if (interruptFlag()) return fail(makeError(Errc::Cancelled, "interrupted"));
    if (samples.empty())
        return fail(makeError(Errc::InvalidArgument,
                              "the prefill was always over before the stop: give a longer "
                              "--stop-prompt"));
    // The same prompt as at the beginning: stopped inside, then answered whole on what was kept.
    bench.stopOnce(first);
    const Result<RunRecord> after = bench.undisturbed(first);
    if (!after) return fail(after.error());
    report(std::move(samples), sameAnswer(*before, *after), plan);
    return kExitOk;
}

}  // namespace vitrine::engine::cli
