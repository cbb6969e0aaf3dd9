#include "engine/base/check.h"

#include <cstdio>
#include <cstdlib>

namespace vitrine::engine {

void checkFailed(const char* what, const char* file, int line) noexcept {
    std::fprintf(stderr, "vitrine: broken contract: %s (%s:%d)\n", what, file, line);
    std::abort();
}

}  // namespace vitrine::engine
