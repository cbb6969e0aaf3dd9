#pragma once
// The 8-bit part of the AVX-512 table (kernels.h says what it does). Thread: pure, any thread.

#include "kernels/cpu/kernels.h"

namespace vitrine::kernels::cpu::avx512 {

void packedRows(DType type, const PackedGroups& groups, int64_t nCols, const Int8Tile& tile,
                int nTok, float* y);

}  // namespace vitrine::kernels::cpu::avx512
