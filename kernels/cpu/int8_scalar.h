#pragma once
// The 8-bit part of the scalar table (kernels.h says what they do). Thread: pure, any thread.

#include "kernels/cpu/kernels.h"

namespace vitrine::kernels::cpu::scalar {

void quantizeRow(const float* x, int64_t nCols, int8_t* a, int64_t aStride, Int8Scale* scales,
                 int64_t scaleStride);
void packedRows(DType type, const void* group, int64_t nCols, const int8_t* a,
                const Int8Scale* scales, int nTok, float* y);

}  // namespace vitrine::kernels::cpu::scalar
