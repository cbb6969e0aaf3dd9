#pragma once

// Broken contracts, as opposed to expected failures (those are Result): always on, or debug builds
// only in inner loops. Thread: any.

namespace vitrine::engine {

/// Prints what was broken and where, then aborts. Never returns.
[[noreturn]] void checkFailed(const char* what, const char* file, int line) noexcept;

}  // namespace vitrine::engine

#define VITRINE_CHECK(cond) \
    ((cond) ? static_cast<void>(0) : ::vitrine::engine::checkFailed(#cond, __FILE__, __LINE__))

#ifdef NDEBUG
#define VITRINE_DCHECK(cond) static_cast<void>(sizeof(!(cond)))
#else
#define VITRINE_DCHECK(cond) VITRINE_CHECK(cond)
#endif
