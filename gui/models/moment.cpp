#include "gui/models/moment.h"

#include <algorithm>

namespace vitrine::gui {

const TokenRecord* tokenAt(const RunRecord& run, int32_t pos) {
    if (pos < 0 || static_cast<size_t>(pos) >= run.tokens.size()) return nullptr;
    return run.tokens[static_cast<size_t>(pos)].get();
}

int32_t momentPos(const RunRecord& run, const Selection& selection) {
    const int32_t last = static_cast<int32_t>(run.tokens.size()) - 1;
    return selection.pos() ? std::clamp(*selection.pos(), std::min(0, last), std::max(last, -1))
                           : last;
}

const TokenRecord* momentToken(const RunRecord& run, const Selection& selection) {
    return tokenAt(run, momentPos(run, selection));
}

int32_t promptCount(const RunRecord& run) {
    // Prompt tokens are a prefix: binary search, since this is asked at every tick.
    const auto end = std::partition_point(
        run.tokens.begin(), run.tokens.end(),
        [](const std::shared_ptr<const TokenRecord>& token) { return token && token->isPrompt; });
    return static_cast<int32_t>(end - run.tokens.begin());
}

const TokenRecord* momentStep(const RunRecord& run, const Selection& selection) {
    const int32_t pos = std::max(momentPos(run, selection), promptCount(run));
    return tokenAt(run, pos);
}

int32_t readyRows(const Snapshot& snapshot, int32_t layer) {
    const observe::Frame& frame = snapshot.frame;
    int32_t rows = frame.contextUsed;
    if (snapshot.run && snapshot.run->runId == frame.runId &&
        frame.phase == observe::Phase::Prefill && frame.chunkTokens > 0)
        rows = layer < frame.layersDone ? frame.chunkFirst + frame.chunkTokens : frame.chunkFirst;
    // Until the first frame of a new run arrives, only what it reuses is certain.
    if (snapshot.run && snapshot.run->isRunning && snapshot.run->runId != frame.runId)
        rows = std::min(rows, snapshot.run->cachedTokens);
    const int32_t known = snapshot.run ? static_cast<int32_t>(snapshot.run->tokens.size()) : 0;
    return std::clamp(rows, 0, known);
}

bool isColdRun(const Snapshot& snapshot) {
    return snapshot.run && snapshot.run->provenance == Provenance::Measured &&
           std::none_of(snapshot.history.begin(), snapshot.history.end(),
                        [&](const std::shared_ptr<const RunRecord>& run) {
                            return run && run->provenance == Provenance::Measured &&
                                   run->submittedNs < snapshot.run->submittedNs;
                        });
}

bool countsInPercentiles(const RunRecord& run) {
    if (!run.outcome) return false;
    switch (*run.outcome) {
        case engine::Outcome::Eos:
        case engine::Outcome::Length:
        case engine::Outcome::Stop:
        case engine::Outcome::ContextFull: return true;
        default: return false;
    }
}

}  // namespace vitrine::gui
