#pragma once
// The 8-bit part of the AVX2 table (kernels.h says what they do). Thread: pure, any thread.

#include "kernels/cpu/kernels.h"

namespace vitrine::kernels::cpu::avx2 {

void quantizeRow(const float* x, int64_t nCols, const Int8Tile& token, int nTok);
void packedRows(DType type, const PackedGroups& groups, int64_t nCols, const Int8Tile& tile,
                int nTok, float* y);

}  // namespace vitrine::kernels::cpu::avx2
