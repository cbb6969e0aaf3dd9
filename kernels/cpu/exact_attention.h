#pragma once
// Attention of the exact mode: per query and head over the keys in order. Thread: the engine thread
// calls; the pool works.

#include "kernels/cpu/context.h"

namespace vitrine::kernels::cpu {

void exactAttention(Context& context, const AttentionArgs& args) noexcept;

}  // namespace vitrine::kernels::cpu
