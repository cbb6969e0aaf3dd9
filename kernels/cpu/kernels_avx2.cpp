// The AVX2 table: the shared loops compiled for AVX2, FMA and F16C.

#include "kernels/cpu/kernels.h"

#if defined(__x86_64__)

#include "kernels/cpu/int8_avx2.h"
#include "kernels/quant/half.h"
#include "kernels/quant/q4_0.h"
#include "kernels/quant/q8_0.h"
// after all other headers
#include "kernels/cpu/simd_avx2.h"

namespace vitrine::kernels::cpu {

namespace avx2 {

namespace {

#include "kernels/cpu/float_kernels.inc"
#include "kernels/cpu/pointwise_kernels.inc"
// needs the loops above
#include "kernels/cpu/attend_kernels.inc"

}  // namespace

}  // namespace avx2

const Kernels* avx2Kernels() noexcept {
    using namespace avx2;
    static constexpr Kernels kTable{
        "avx2",      1,
        quantizeRow, packedRows,
        widenRow,    dotTile,
        dotStored,   rmsNormRow,
        ropeHeads,   {activateRow<silu>, activateRow<geluTanh>, activateRow<geluErf>},
        narrowRow,   layerNormRow,
        addScaled,   scaleCap,
        attend,      attendWeights,
        mergeRow};
    return &kTable;
}

}  // namespace vitrine::kernels::cpu

#include "kernels/cpu/end_isa.h"

#else

namespace vitrine::kernels::cpu {

const Kernels* avx2Kernels() noexcept {
    return nullptr;
}

}  // namespace vitrine::kernels::cpu

#endif
