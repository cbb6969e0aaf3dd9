// Include this last: everything after it is compiled for AVX-512 F, BW, DQ, VL and VNNI (which
// every processor with VNNI has). The rules of begin_avx2.h hold. Thread: –.
// clang-format off
#include <immintrin.h>

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma,f16c,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni"))), apply_to = function)
#else
#pragma GCC target("avx2,fma,f16c,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni")
#endif
