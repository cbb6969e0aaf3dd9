#include <cstdio>
#include <nlohmann/json.hpp>

#include "engine/cli/bench.h"
#include "engine/cli/command.h"
#include "engine/cli/numbers.h"
#include "engine/cli/output.h"
#include "engine/cli/run_object.h"

namespace vitrine::engine::cli {

using nlohmann::ordered_json;

namespace {

/// What one setting measured, a sample per round.
struct Series {
    Observe observe = Observe::Off;
    std::vector<double> prefillNs, tokenNs;
    std::vector<double> prefillCost, tokenCost;  ///< per cent over the first setting, same round
    uint64_t droppedEvents = 0;
    bool identical = true;  ///< ids and raw logits of every round equal those of the first setting
};

bool sameTokens(const RunRecord& a, const RunRecord& b) {
    if (a.tokens.size() != b.tokens.size()) return false;
    for (size_t i = 0; i < a.tokens.size(); ++i) {
        const GeneratedToken &x = a.tokens[i], &y = b.tokens[i];
        if (x.id != y.id || x.candidates.size() != y.candidates.size()) return false;
        for (size_t k = 0; k < x.candidates.size(); ++k) {
            if (x.candidates[k].id != y.candidates[k].id ||
                x.candidates[k].logit != y.candidates[k].logit)
                return false;
        }
    }
    return true;
}

/// Runs the prompt from an empty cache: another short prompt before it drops what is cached.
Result<RunRecord> runFresh(EngineDriver& driver, const std::vector<TokenId>& ids, int32_t nGen) {
    GenerationRequest request;
    request.sampling.temperature = 0;
    request.ignoreEos = true;
    request.nCandidates = 4;
    request.maxTokens = 1;
    request.ids = {TokenId((ids[0].value + 1) % driver.info().vocab)};
    const RunRecord before = driver.run(request, {});
    request.ids = ids;
    request.maxTokens = nGen;
    RunRecord record = driver.run(request, {});
    for (const RunRecord* one : {&before, static_cast<const RunRecord*>(&record)}) {
        if (std::optional<Error> failure = runFailure(*one)) return std::move(*failure);
        if (one->finished.outcome == Outcome::User)
            return makeError(Errc::Cancelled, "interrupted");
    }
    return record;
}

void addSample(Series& series, const Series& base, const RunRecord& record, bool identical) {
    series.prefillNs.push_back(static_cast<double>(record.finished.stats.prefillNs));
    series.tokenNs.push_back(static_cast<double>(record.finished.stats.tpotNs.value_or(0)));
    series.droppedEvents = record.finished.stats.droppedEvents;
    series.identical = series.identical && identical;
    const auto cost = [](double ours, double theirs) {
        return theirs > 0 ? (ours / theirs - 1) * 100 : 0;
    };
    series.prefillCost.push_back(cost(series.prefillNs.back(), base.prefillNs.back()));
    series.tokenCost.push_back(cost(series.tokenNs.back(), base.tokenNs.back()));
}

/// One round: every setting on the same prompt, the first setting first and then in turn.
Result<void> measureRound(EngineDriver& driver, const BenchPlan& plan,
                          const std::vector<TokenId>& ids, std::vector<Series>& all) {
    std::vector<RunRecord> records;
    for (const Series& series : all) {
        driver.setObserve(series.observe);
        Result<RunRecord> record = runFresh(driver, ids, plan.nGen);
        if (!record) return std::move(record).error();
        records.push_back(std::move(*record));
    }
    for (size_t i = 0; i < all.size(); ++i)
        addSample(all[i], all[0], records[i], sameTokens(records[i], records[0]));
    return {};
}

ordered_json seriesJson(const Series& series, const BenchPlan& plan) {
    return {{"test", "pp" + std::to_string(plan.nPrompt) + "+tg" + std::to_string(plan.nGen)},
            {"observe", observeName(series.observe)},
            {"prefill_ts", plan.nPrompt * 1e9 / median(series.prefillNs)},
            {"decode_ts", median(series.tokenNs) > 0 ? 1e9 / median(series.tokenNs) : 0},
            {"prefill_cost_percent", median(series.prefillCost)},
            {"decode_cost_percent", median(series.tokenCost)},
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
    for (int32_t round = -1; round < plan.nRounds; ++round) {  // −1 = warm-up
        showProgress("round " + std::to_string(round + 1) + " of " + std::to_string(plan.nRounds));
        const std::vector<TokenId> ids = randomIds(random, (*info)->vocab, plan.nPrompt, TokenId());
        const Result<void> measured = measureRound(driver, plan, ids, round < 0 ? warm : all);
        if (!measured) return fail(measured.error());
    }
    showProgress("");
    bool identical = true;
    for (const Series& series : all) identical = identical && series.identical;
    if (plan.asJson) {
        ordered_json rows = ordered_json::array();
        for (const Series& series : all) rows.push_back(seriesJson(series, plan));
        printLine(rows.dump());
    } else {
        printLine("observe    prefill t/s    cost %   decode t/s    cost %   tokens and logits");
        for (const Series& series : all) {
            const ordered_json row = seriesJson(series, plan);
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
