// Closes what begin_avx2.h opened; the last line of a file. Thread: –.
#if defined(__clang__)
#pragma clang attribute pop
#endif
