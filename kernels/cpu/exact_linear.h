#pragma once
// Linear of the exact mode: float32 on dequantised weights in one fixed order of summation.
// Thread: the engine thread calls; the pool works.

#include "kernels/cpu/context.h"

namespace vitrine::kernels::cpu {

/// Bytes of thread scratch for weight rows of nCols values.
size_t exactLinearThreadBytes(int64_t nCols) noexcept;

void exactLinear(Context& context, const LinearArgs& args) noexcept;

/// Also for attention: the value depends on a, b and n alone.
float exactDot(const float* a, const float* b, int64_t n) noexcept;

}  // namespace vitrine::kernels::cpu
