// The scalar table: the shared loops in plain C++, for machines without AVX2.

#include "kernels/cpu/int8_scalar.h"
#include "kernels/cpu/kernels.h"
#include "kernels/quant/half.h"
#include "kernels/quant/q4_0.h"
#include "kernels/quant/q8_0.h"
// after all other headers
#include "kernels/cpu/simd_scalar.h"

namespace vitrine::kernels::cpu {

namespace scalar {

namespace {

#include "kernels/cpu/float_kernels.inc"
#include "kernels/cpu/pointwise_kernels.inc"
// needs the loops above
#include "kernels/cpu/attend_kernels.inc"

}  // namespace

}  // namespace scalar

const Kernels& scalarKernels() noexcept {
    using namespace scalar;
    static constexpr Kernels kTable{
        "scalar",    1,
        quantizeRow, packedRows,
        widenRow,    dotTile,
        dotStored,   rmsNormRow,
        ropeHeads,   {activateRow<silu>, activateRow<geluTanh>, activateRow<geluErf>},
        narrowRow,   layerNormRow,
        addScaled,   scaleCap,
        attend,      attendWeights,
        mergeRow};
    return kTable;
}

}  // namespace vitrine::kernels::cpu
