// Include this last: everything after it is compiled for AVX2, FMA and F16C. Only code in anonymous
// namespaces may follow, and no template of a foreign header may be used from it: an instance made
// here would be AVX2 code that the linker may hand to callers on older machines. Thread: –.
// clang-format off
#include <immintrin.h>

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma,f16c"))), apply_to = function)
#else
#pragma GCC target("avx2,fma,f16c")
#endif
