#pragma once
// Mixture of experts of every mode: routing, and feed-forwards grouped by expert. Thread: the
// engine thread calls; the pool works.

#include "kernels/cpu/context.h"

namespace vitrine::kernels::cpu {

/// RouteArgs of one token in float32, for the fast modes. Never fails.
void routeToken(const RouteArgs& args, int64_t tok) noexcept;

/// The tokens of each chosen expert are gathered and go through the mode's own linear and activate,
/// so one token and a chunk give the same bits. Never fails.
void groupedExperts(Context& context, const ExpertsArgs& args) noexcept;

}  // namespace vitrine::kernels::cpu
