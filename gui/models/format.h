#pragma once
// Numbers, units and token labels as the window writes them: binary units (1 KiB = 1,024 B), a
// fixed number of digits, the locale's separators. Thread: GUI thread.

#include <cstdint>
#include <optional>

#include <QString>

#include "engine/observe/events.h"
#include "engine/runtime/messages.h"

namespace vitrine::gui {

/// "0 B", "23.0 KiB", "3.30 MiB", "1.25 GiB".
QString formatBytes(uint64_t bytes);
/// "3,460,300 B".
QString formatExactBytes(uint64_t bytes);
/// "0.31 ms", "12.3 ms", "84 ms", "2.31 s", "1 min 12 s".
QString formatDuration(int64_t ns);
/// "n/a" for none.
QString formatDuration(std::optional<int64_t> ns);
/// "12.3" of milliseconds for axis-side labels.
QString formatMs(double ms);
/// "81.3 tok/s".
QString formatRate(double tokensPerSecond);
/// "1.90 GFLOP/s", "18.7 GB/s" (decimal, as bandwidths are sold).
QString formatPerSecond(double value, const QString& unit);
QString formatCount(int64_t value);
/// "0.137", "0.0042", "< 0.0001".
QString formatProbability(double p);
/// "71.0 %".
QString formatPercent(double share);

/// A piece for a label: spaces, line ends and tabs made visible, control characters as ‹hex›, at
/// most maxChars characters, elided in the middle. Never fails.
QString visiblePiece(const QString& text, int maxChars = 0);
/// As visiblePiece, but a single space before a word is left out: for narrow axis labels.
QString axisPiece(const QString& text, int maxChars);
/// Bytes of a piece as text: ‹hex› where they are no whole character.
QString pieceFromUtf8(const std::string& bytes);

/// Translated name of a measured place: "attention", "feed-forward", ….
QString opClassName(observe::OpClass op);
/// Translated name of a sampler stage, with its value: "top-k 40".
QString samplerStageText(engine::SamplerStage stage, const engine::SamplingParams& params);
bool isSamplerStageOn(engine::SamplerStage stage, const engine::SamplingParams& params);
/// "penalties → top-k 40 → … → temperature 0.8 · seed 42", stages that are off left out.
QString samplerChainText(const engine::SamplingParams& params);
/// Translated: "end of text", "stopped", ….
QString outcomeText(engine::Outcome outcome);

}  // namespace vitrine::gui
