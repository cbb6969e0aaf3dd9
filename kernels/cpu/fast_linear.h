#pragma once
// Linear of the fast modes: int8 activations against interleaved weights, or float32 against rows
// widened on the way. Thread: the engine thread calls; the pool works.

#include "kernels/cpu/context.h"

namespace vitrine::kernels::cpu {

/// Bytes of shared scratch (rounded activations) and of thread scratch (widened rows).
size_t fastLinearSharedBytes(int64_t nCols) noexcept;
size_t fastLinearThreadBytes(int64_t nCols) noexcept;

void fastLinear(Context& context, const LinearArgs& args) noexcept;

}  // namespace vitrine::kernels::cpu
