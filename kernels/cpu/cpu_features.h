#pragma once

// What this processor can do, by CPUID feature bits alone: hypervisors hide model numbers.
// Thread: any.

namespace vitrine::kernels::cpu {

/// AVX2, FMA and F16C, with the operating system saving the wide registers. Never fails.
bool hasAvx2() noexcept;

/// AVX-512 F, BW, DQ, VL and VNNI beside AVX2. Never fails.
bool hasAvx512() noexcept;

/// Physical cores that this process may use, at least 1. Never fails.
int physicalCores() noexcept;

}  // namespace vitrine::kernels::cpu
