#pragma once
// The lines under an answer, in words: figures, then model and sampling. Thread: pure functions.

#include <QString>

#include "gui/session/snapshot.h"

namespace vitrine::gui {

/// "TTFT 84 ms · prefill 41 tok at 488 tok/s · decode 57 tok at 81 tok/s · p50 12.1 ms · p95 14.0
/// ms · end of text", as far as the run has got; "recorded" first for one of an earlier start.
/// Never fails.
QString answerLine(const RunRecord& run);
/// "SmolLM2 · temperature 0.8 · top-k 40 · … · seed 42". Never fails.
QString settingsLine(const RunRecord& run);

}  // namespace vitrine::gui
