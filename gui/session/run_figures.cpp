#include "gui/session/run_figures.h"

#include <algorithm>
#include <vector>

namespace vitrine::gui {
namespace {

/// Linear interpolation between closest ranks, as metrics.md asks. Requires: non-empty, sorted.
int64_t percentile(const std::vector<int64_t>& sorted, double p) {
    const double at = p * static_cast<double>(sorted.size() - 1);
    const auto low = static_cast<size_t>(at);
    const size_t high = std::min(low + 1, sorted.size() - 1);
    const double part = at - static_cast<double>(low);
    return static_cast<int64_t>(static_cast<double>(sorted[low]) * (1 - part) +
                                static_cast<double>(sorted[high]) * part);
}

}  // namespace

RunFigures runFigures(const RunRecord& run) {
    RunFigures f;
    f.cachedTokens = run.cachedTokens;
    f.evaluatedTokens = std::max(0, run.promptTokens - run.cachedTokens);
    f.generatedTokens =
        std::max<int32_t>(0, static_cast<int32_t>(run.tokens.size()) - run.promptTokens);
    if (run.prefillEndNs > run.prefillBeginNs) {
        f.prefillNs = run.prefillEndNs - run.prefillBeginNs;
        f.prefillTokPerS = f.evaluatedTokens * 1e9 / static_cast<double>(*f.prefillNs);
    }
    if (f.generatedTokens < 1) return f;
    const auto first = static_cast<size_t>(run.promptTokens);
    f.ttftNs =
        run.stats.ttftNs > 0 ? run.stats.ttftNs : run.tokens[first]->timeNs - run.submittedNs;
    if (f.generatedTokens < 2) return f;
    f.tpotNs = (run.tokens.back()->timeNs - run.tokens[first]->timeNs) / (f.generatedTokens - 1);
    std::vector<int64_t> gaps;
    gaps.reserve(run.tokens.size() - first);
    for (size_t i = first + 1; i < run.tokens.size(); ++i)
        if (run.tokens[i]->itlNs) gaps.push_back(*run.tokens[i]->itlNs);
    if (gaps.empty()) return f;
    std::sort(gaps.begin(), gaps.end());
    f.p50Ns = percentile(gaps, 0.5);
    if (gaps.size() >= 20) f.p95Ns = percentile(gaps, 0.95);
    return f;
}

}  // namespace vitrine::gui
