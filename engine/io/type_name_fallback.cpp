#include <cstdio>

#include "kernels/api/dtype.h"

namespace vitrine::kernels {

// Weak: gives way to the kernels' own table of names.
__attribute__((weak)) const char* ggmlTypeName(uint32_t ggmlTypeId) noexcept {
    thread_local char text[32];
    if (ggmlTypeId == 16) return "IQ2_XXS";
    std::snprintf(text, sizeof text, "type %u", ggmlTypeId);
    return text;
}

}  // namespace vitrine::kernels
