#include "engine/cli/interrupt.h"

#include <csignal>

namespace vitrine::engine::cli {

namespace {

std::atomic<bool> flag{false};
std::atomic<int> count{0};
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free);

void onSignal(int) {
    // The count first: who sees the flag must see the press counted, on whatever thread this runs.
    count.fetch_add(1);
    flag.store(true);
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
    return count.load();
}

void forgetInterrupts() noexcept {
    count.store(0);
}

}  // namespace vitrine::engine::cli
