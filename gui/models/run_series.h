#pragma once
// The gaps, rates and TTFT parts of a run, kept up to date as tokens are appended: what the latency
// view and the timeline draw. Thread: GUI thread.

#include <array>
#include <vector>

#include "gui/models/latency_stats.h"
#include "gui/session/snapshot.h"

namespace vitrine::gui {

/// The five parts of TTFT; they sum to it.
struct TtftParts {
    static constexpr int kCount = 5;
    std::array<int64_t, kCount> ns{};  ///< queue, template, tokenize, prefill, first sample
    int64_t totalNs = 0;
    bool isComplete = false;  ///< the first token is there
};

/// From the stats of a finished run, else from the stamps so far. Never fails.
TtftParts ttftParts(const RunRecord& run);

class RunSeries {
public:
    /// Takes the tokens that are new since the last call; another run starts over. Returns the
    /// number of generated tokens whose values are new (all of them after a start over).
    int32_t update(const RunRecord& run);
    void clear();

    uint32_t runId() const { return runId_; }

    int32_t promptTokens() const { return promptTokens_; }

    int32_t generated() const { return static_cast<int32_t>(itlMs_.size()); }

    /// Gap before each generated token, ms, by index; NaN for the first and where it is unknown.
    const std::vector<float>& itlMs() const { return itlMs_; }

    const RunningSeries& gaps() const { return gaps_; }

    int64_t sumItlNs() const { return sumItlNs_; }

    std::optional<int64_t> firstTokenNs() const { return firstNs_; }

    std::optional<int64_t> lastTokenNs() const { return lastNs_; }

    std::optional<double> tpotMs() const;
    std::optional<double> decodeRate() const;  ///< tokens per second, 1 / TPOT

private:
    uint32_t runId_ = 0;
    const TokenRecord* firstToken_ = nullptr;  // identity of the run beside its id
    int32_t promptTokens_ = 0;
    std::vector<float> itlMs_;
    RunningSeries gaps_;
    int64_t sumItlNs_ = 0;
    std::optional<int64_t> firstNs_, lastNs_;
};

/// Newly computed prompt tokens per second of prefill; none before the end of prefill.
std::optional<double> prefillRate(const RunRecord& run);

}  // namespace vitrine::gui
