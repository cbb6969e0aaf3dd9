#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "engine/cli/bench.h"
#include "engine/cli/command.h"
#include "engine/cli/output.h"
#include "engine/cli/run_object.h"

namespace vitrine::engine::cli {

using nlohmann::ordered_json;

namespace {

/// What one setting measured, a sample per round.
struct Series {
    Observe observe = Observe::Off;
    std::vector<double> prefillNs, tokenNs;
    uint64_t droppedEvents = 0;
    bool identical = true;  ///< ids and raw logits of every round equal those of the first setting
};

/// Fails: what the run says; Cancelled after Ctrl-C.
Result<RunRecord> runOnce(EngineDriver& driver, const std::vector<TokenId>& ids, int32_t nGen) {
    RunRecord record = driver.run(fixedRequest(ids, nGen), {});
    if (std::optional<Error> failure = runFailure(record)) return std::move(*failure);
    if (record.finished.outcome == Outcome::User) return makeError(Errc::Cancelled, "interrupted");
    return record;
}

void addSample(Series& series, const RunRecord& record, bool identical) {
    series.prefillNs.push_back(static_cast<double>(record.finished.stats.prefillNs));
    series.tokenNs.push_back(static_cast<double>(record.finished.stats.tpotNs.value_or(0)));
    series.droppedEvents = record.finished.stats.droppedEvents;
    series.identical = series.identical && identical;
}

/// The fastest round: whatever else the machine does only ever adds time.
double fastest(const std::vector<double>& samples) {
    return *std::min_element(samples.begin(), samples.end());
}

double costPercent(const std::vector<double>& samples, const std::vector<double>& base) {
    return fastest(base) > 0 ? (fastest(samples) / fastest(base) - 1) * 100 : 0;
}

double perSecond(double count, double durationNs) {
    return durationNs > 0 ? count * 1e9 / durationNs : 0;
}

/// One round: every setting on the same prompt, beginning with another one each time, since a
/// machine that warms up or throttles favours a place in the row.
Result<void> measureRound(EngineDriver& driver, const BenchPlan& plan, size_t round,
                          const std::vector<TokenId>& ids, std::vector<Series>& all) {
    std::vector<RunRecord> records(all.size());
    for (size_t i = 0; i < all.size(); ++i) {
        const size_t at = (round + i) % all.size();
        driver.setObserve(all[at].observe);
        Result<RunRecord> record = runOnce(driver, ids, plan.nGen);
        if (!record) return std::move(record).error();
        records[at] = std::move(*record);
    }
    for (size_t i = 0; i < all.size(); ++i)
        addSample(all[i], records[i], sameAnswer(records[i], records[0]));
    return {};
}

ordered_json seriesJson(const Series& series, const Series& base, const BenchPlan& plan) {
    return {{"test", "pp" + std::to_string(plan.nPrompt) + "+tg" + std::to_string(plan.nGen)},
            {"observe", observeName(series.observe)},
            {"prefill_ts", perSecond(plan.nPrompt, fastest(series.prefillNs))},
            {"decode_ts", perSecond(1, fastest(series.tokenNs))},
            {"prefill_cost_percent", costPercent(series.prefillNs, base.prefillNs)},
            {"decode_cost_percent", costPercent(series.tokenNs, base.tokenNs)},
            {"samples_prefill_ns", series.prefillNs},
            {"samples_tpot_ns", series.tokenNs},
            {"identical", series.identical},
            {"dropped_events", series.droppedEvents}};
}

}  // namespace

int benchObserve(const ModelChoice& model, const BenchPlan& plan) {
    EngineDriver driver;
    const auto info = driver.load(model);
    if (!info) return fail(info.error());
    std::vector<Series> all;
    for (const Observe observe : plan.observe) {
        all.emplace_back();
        all.back().observe = observe;
    }
    std::mt19937 random(20260807);
    std::vector<Series> warm = all;
    for (int32_t round = 0; round <= plan.nRounds; ++round) {  // round 0 = warm-up
        showProgress("round " + std::to_string(round) + " of " + std::to_string(plan.nRounds));
        const std::vector<TokenId> ids = randomIds(random, (*info)->vocab, plan.nPrompt);
        const Result<void> measured =
            measureRound(driver, plan, static_cast<size_t>(round), ids, round == 0 ? warm : all);
        if (!measured) return fail(measured.error());
    }
    showProgress("");
    bool identical = true;
    for (const Series& series : all) identical = identical && series.identical;
    if (plan.asJson) {
        ordered_json rows = ordered_json::array();
        for (const Series& series : all) rows.push_back(seriesJson(series, all[0], plan));
        printLine(rows.dump());
    } else {
        printLine(
            "observe    prefill t/s    cost %   decode t/s    cost %   tokens and logits (fastest "
            "round)");
        for (const Series& series : all) {
            const ordered_json row = seriesJson(series, all[0], plan);
            char line[160];
            std::snprintf(line, sizeof line, "%-10s %11.2f %9.2f %12.2f %9.2f   %s",
                          observeName(series.observe), row["prefill_ts"].get<double>(),
                          row["prefill_cost_percent"].get<double>(), row["decode_ts"].get<double>(),
                          row["decode_cost_percent"].get<double>(),
                          series.identical ? "identical" : "DIFFERENT");
            printLine(line);
        }
    }
    if (identical) return kExitOk;
    return fail(makeError(Errc::Device,
                          "observing changed the tokens: report this with the model's "
                          "name and 'vitrine-cli info'"));
}

}  // namespace vitrine::engine::cli
