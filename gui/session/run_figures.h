#pragma once
// The figures under an answer, computed from a run's stamps as design/metrics.md defines them:
// TTFT, prompt and decode rates apart, percentiles. Thread: pure functions over immutable records.

#include <optional>

#include "gui/session/snapshot.h"

namespace vitrine::gui {

struct RunFigures {
    std::optional<int64_t> ttftNs;         ///< none before the first token
    std::optional<int64_t> tpotNs;         ///< none for fewer than two tokens
    std::optional<double> prefillTokPerS;  ///< newly evaluated prompt tokens only
    std::optional<int64_t> prefillNs;      ///< none before its end
    std::optional<int64_t> p50Ns, p95Ns;   ///< of the gaps; p95 only for 20 gaps and more
    int32_t evaluatedTokens = 0;
    int32_t cachedTokens = 0;
    int32_t generatedTokens = 0;
};

/// Never fails.
RunFigures runFigures(const RunRecord& run);

}  // namespace vitrine::gui
