#include "engine/cli/interrupt.h"

#include <csignal>

namespace vitrine::engine::cli {

namespace {

std::atomic<bool> flag{false};
std::atomic<int> count{0};
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free);

void onSignal(int) {
    flag.store(true, std::memory_order_relaxed);
    count.fetch_add(1, std::memory_order_relaxed);
}

}  // namespace

void installInterruptHandler() {
    struct sigaction action {};

    action.sa_handler = onSignal;
    sigemptyset(&action.sa_mask);
    action.sa_flags = 0;  // no SA_RESTART: a read of stdin must return
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
}

std::atomic<bool>& interruptFlag() noexcept {
    return flag;
}

int interruptCount() noexcept {
    return count.load(std::memory_order_relaxed);
}

void resetInterrupts() noexcept {
    count.store(0, std::memory_order_relaxed);
    flag.store(false, std::memory_order_relaxed);
}

}  // namespace vitrine::engine::cli
