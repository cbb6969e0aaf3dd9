// The AVX-512 table: 8-bit products with VNNI, the float loops of AVX2.

#include "kernels/cpu/int8_avx512.h"
#include "kernels/cpu/kernels.h"

namespace vitrine::kernels::cpu {

#if defined(__x86_64__)

const Kernels* avx512Kernels() noexcept {
    static const Kernels table = [] {
        Kernels k = *avx2Kernels();
        k.isa = "avx512";
        k.groupsAtOnce = 4;
        k.packedRows = avx512::packedRows;
        return k;
    }();
    return &table;
}

#else

const Kernels* avx512Kernels() noexcept {
    return nullptr;
}

#endif

}  // namespace vitrine::kernels::cpu
