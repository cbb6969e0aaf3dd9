#pragma once
// Attention of the fast modes: tiles with online softmax over the pages as stored. Thread: the
// engine thread calls; the pool works.

#include "kernels/cpu/context.h"

namespace vitrine::kernels::cpu {

/// Shared scratch for the partial states of a decode step.
inline constexpr size_t kAttentionSharedBytes = size_t{2} << 20;

void fastAttention(Context& context, const AttentionArgs& args) noexcept;
void fastAttentionTile(Context& context, const AttentionTileArgs& args) noexcept;

}  // namespace vitrine::kernels::cpu
