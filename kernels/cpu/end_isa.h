// Closes what begin_avx2.h or begin_avx512.h opened; the last line of a file. Thread: –.
#if defined(__clang__)
#pragma clang attribute pop
#endif
