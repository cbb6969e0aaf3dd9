#pragma once
// The figures under an answer, computed from a run's stamps as design/metrics.md defines them:
// TTFT, prompt and decode rates apart, percentiles. Thread: pure functions over immutable records.

#include <optional>

#include <QString>

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

/// "812 ns", "0.3 ms", "84 ms", "1.42 s", "2 min 5 s". Never fails.
QString formatDuration(int64_t ns);
/// "812", "12.3", "1,240" tokens per second, without a unit. Never fails.
QString formatRate(double perSecond);
/// Binary units: "94 MiB", "3.3 MiB", "1.00 GiB". Never fails.
QString formatBytes(uint64_t bytes);
/// Whole numbers with the interface language's thousands separator. Never fails.
QString formatCount(qint64 count);
/// A sentence part for people: "end of text", "stopped by you", … translated. Never fails.
QString outcomeText(engine::Outcome outcome);

}  // namespace vitrine::gui
