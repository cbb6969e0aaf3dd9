#include "kernels/cpu/cpu_features.h"

#include <sched.h>
#include <unistd.h>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace vitrine::kernels::cpu {

namespace {

/// Logical processors that share a core, 1 when unknown.
int threadsPerCore() noexcept {
#if defined(__x86_64__)
    unsigned a = 0, b = 0, c = 0, d = 0;
    // Leaf 0x0B, sub-leaf 0: EBX = logical processors at the thread level.
    if (__get_cpuid_count(0x0b, 0, &a, &b, &c, &d) != 0 && (b & 0xffffu) > 0) {
        return static_cast<int>(b & 0xffffu);
    }
#endif
    return 1;
}

}  // namespace

bool hasAvx2() noexcept {
#if defined(__x86_64__)
    unsigned a = 0, b = 0, c = 0, d = 0;
    if (__get_cpuid(1, &a, &b, &c, &d) == 0) return false;
    constexpr unsigned kFma = 1u << 12, kOsXsave = 1u << 27, kAvx = 1u << 28, kF16c = 1u << 29;
    constexpr unsigned kNeeded = kFma | kOsXsave | kAvx | kF16c;
    if ((c & kNeeded) != kNeeded) return false;
    unsigned low = 0, high = 0;
    __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    if ((low & 6u) != 6u) return false;  // XMM and YMM state
    if (__get_cpuid_count(7, 0, &a, &b, &c, &d) == 0) return false;
    return (b & (1u << 5)) != 0;
#else
    return false;
#endif
}

bool hasAvx512() noexcept {
#if defined(__x86_64__)
    if (!hasAvx2()) return false;
    unsigned low = 0, high = 0;
    __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    if ((low & 0xe6u) != 0xe6u) return false;  // and opmask and ZMM state
    unsigned a = 0, b = 0, c = 0, d = 0;
    if (__get_cpuid_count(7, 0, &a, &b, &c, &d) == 0) return false;
    constexpr unsigned kF = 1u << 16, kDq = 1u << 17, kBw = 1u << 30, kVl = 1u << 31;
    constexpr unsigned kVnni = 1u << 11;
    return (b & (kF | kDq | kBw | kVl)) == (kF | kDq | kBw | kVl) && (c & kVnni) != 0;
#else
    return false;
#endif
}

int physicalCores() noexcept {
    long usable = sysconf(_SC_NPROCESSORS_ONLN);
    cpu_set_t set;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof(set), &set) == 0) usable = CPU_COUNT(&set);
    const long cores = usable / threadsPerCore();
    return cores > 1 ? static_cast<int>(cores) : 1;
}

}  // namespace vitrine::kernels::cpu
