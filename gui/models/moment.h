#pragma once
// What the selection means for the run on show: the token, its step, and how many attention rows
// are there. Thread: GUI thread.

#include <optional>

#include "gui/session/selection.h"
#include "gui/session/snapshot.h"

namespace vitrine::gui {

/// The selected position clipped to the run, or its newest token; −1 for a run without tokens.
int32_t momentPos(const RunRecord& run, const Selection& selection);
/// The token at momentPos; null for a run without tokens.
const TokenRecord* momentToken(const RunRecord& run, const Selection& selection);
/// The newest generated token at or before momentPos, else the first generated one; null before the
/// first token.
const TokenRecord* momentStep(const RunRecord& run, const Selection& selection);
/// Number of prompt tokens, which come first in run.tokens.
int32_t promptCount(const RunRecord& run);
/// Attention rows [0, n) of one layer that the engine can compute now.
int32_t readyRows(const Snapshot& snapshot, int32_t layer);
/// Token record at a position; null outside.
const TokenRecord* tokenAt(const RunRecord& run, int32_t pos);
/// The first run of this start: caches, pages and clocks were cold.
bool isColdRun(const Snapshot& snapshot);
/// A run that belongs in percentiles: measured and not aborted.
bool countsInPercentiles(const RunRecord& run);

}  // namespace vitrine::gui
