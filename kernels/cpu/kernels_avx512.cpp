// The AVX-512 table: the shared loops compiled for AVX-512, eight-bit products with VNNI. Rounding
// activations is AVX2's.

#include "kernels/cpu/kernels.h"

#if defined(__x86_64__)

#include "kernels/cpu/int8_avx2.h"
#include "kernels/cpu/int8_avx512.h"
#include "kernels/quant/half.h"
#include "kernels/quant/q4_0.h"
#include "kernels/quant/q8_0.h"
// after all other headers
#include "kernels/cpu/simd_avx512.h"

namespace vitrine::kernels::cpu {

namespace avx512 {

namespace {

#include "kernels/cpu/float_kernels.inc"
#include "kernels/cpu/pointwise_kernels.inc"
// needs the loops above
#include "kernels/cpu/attend_kernels.inc"

}  // namespace

}  // namespace avx512

const Kernels* avx512Kernels() noexcept {
    using namespace avx512;
    static constexpr Kernels kTable{
        "avx512",
        4,
        avx2::quantizeRow,
        packedRows,
        widenRow,
        dotTile,
        dotStored,
        rmsNormRow,
        ropeHeads,
        {activateRow<silu>, activateRow<geluTanh>, activateRow<geluErf>},
        narrowRow,
        layerNormRow,
        addScaled,
        scaleCap,
        attend,
        attendWeights,
        mergeRow};
    return &kTable;
}

}  // namespace vitrine::kernels::cpu

#include "kernels/cpu/end_isa.h"

#else

namespace vitrine::kernels::cpu {

const Kernels* avx512Kernels() noexcept {
    return nullptr;
}

}  // namespace vitrine::kernels::cpu

#endif
