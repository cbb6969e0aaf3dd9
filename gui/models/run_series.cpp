#include "gui/models/run_series.h"

#include <algorithm>
#include <limits>

#include "gui/models/moment.h"

namespace vitrine::gui {

TtftParts ttftParts(const RunRecord& run) {
    TtftParts parts;
    if (run.stats.ttftNs > 0) {
        parts.ns = {run.stats.queueNs, run.stats.templateNs, run.stats.tokenizeNs,
                    run.stats.prefillNs, run.stats.firstSampleNs};
        parts.totalNs = run.stats.ttftNs;
        parts.isComplete = true;
        return parts;
    }
    int64_t firstTokenNs = 0;
    const int32_t prompt = promptCount(run);
    if (const TokenRecord* first = tokenAt(run, prompt)) firstTokenNs = first->timeNs;
    // Each stamp ends a part; a stamp that is not there yet (0) leaves its part and the rest at 0.
    const int64_t stamps[] = {run.submittedNs,   run.takenNs,      run.templateEndNs,
                              run.tokenizeEndNs, run.prefillEndNs, firstTokenNs};
    for (size_t i = 0; i < parts.ns.size(); ++i) {
        if (stamps[i + 1] == 0) return parts;
        parts.ns[i] = std::max<int64_t>(0, spanNs(stamps[i], stamps[i + 1]));
        parts.totalNs = spanNs(stamps[0], stamps[i + 1]);
    }
    parts.isComplete = true;
    return parts;
}

void RunSeries::clear() {
    *this = RunSeries();
}

int32_t RunSeries::update(const RunRecord& run) {
    const TokenRecord* first = tokenAt(run, 0);
    const int32_t prompt = promptCount(run);
    const int32_t total = static_cast<int32_t>(run.tokens.size()) - prompt;
    if (run.runId != runId_ || first != firstToken_ || prompt != promptTokens_ ||
        total < generated()) {
        clear();
        runId_ = run.runId;
        firstToken_ = first;
        promptTokens_ = prompt;
    }
    const int32_t before = generated();
    std::vector<double> fresh;
    for (int32_t i = before; i < total; ++i) {
        const TokenRecord* token = tokenAt(run, prompt + i);
        if (!token || !token->itlNs) {
            itlMs_.push_back(std::numeric_limits<float>::quiet_NaN());
        } else {
            const double ms = static_cast<double>(*token->itlNs) / 1e6;
            itlMs_.push_back(static_cast<float>(ms));
            fresh.push_back(ms);
            sumItlNs_ = addNs(sumItlNs_, *token->itlNs);
        }
        if (token) {
            if (!firstNs_) firstNs_ = token->timeNs;
            lastNs_ = token->timeNs;
        }
    }
    gaps_.add(fresh);
    return generated() - before;
}

std::optional<double> RunSeries::tpotMs() const {
    if (generated() < 2 || !firstNs_ || !lastNs_) return std::nullopt;
    return static_cast<double>(spanNs(*firstNs_, *lastNs_)) / 1e6 / (generated() - 1);
}

std::optional<double> RunSeries::decodeRate() const {
    const auto tpot = tpotMs();
    if (!tpot || !(*tpot > 0)) return std::nullopt;
    return 1e3 / *tpot;
}

std::optional<double> prefillRate(const RunRecord& run) {
    const int64_t ns = run.stats.prefillNs > 0 ? run.stats.prefillNs
                       : run.prefillEndNs > 0  ? spanNs(run.prefillBeginNs, run.prefillEndNs)
                                               : 0;
    const int32_t tokens = run.promptTokens - run.cachedTokens;
    if (ns <= 0 || tokens <= 0) return std::nullopt;
    return tokens * 1e9 / static_cast<double>(ns);
}

}  // namespace vitrine::gui
