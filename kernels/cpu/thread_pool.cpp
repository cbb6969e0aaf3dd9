#include "kernels/cpu/thread_pool.h"

#include <chrono>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace vitrine::kernels::cpu {

namespace {

constexpr uint64_t kOpen = 1ull << 31;
constexpr uint64_t kInside = kOpen - 1;
constexpr uint64_t kGeneration = 1ull << 32;

// Longer than the serial work between two ops of a decode step, far shorter than a time slice.
constexpr std::chrono::microseconds kSpin{60};

void pause() noexcept {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

/// Spins until `done` or until kSpin has passed; true = done.
template <class Done>
bool spinUntil(Done done) noexcept {
    const auto end = std::chrono::steady_clock::now() + kSpin;
    do {
        for (int i = 0; i < 32; ++i) {
            if (done()) return true;
            pause();
        }
    } while (std::chrono::steady_clock::now() < end);
    return done();
}

}  // namespace

ThreadPool::ThreadPool(int nThreads, int niceness, const std::atomic<bool>* cancel) noexcept
    : cancel_(cancel) {
    try {
        threads_.reserve(static_cast<size_t>(nThreads > 1 ? nThreads - 1 : 0));
        for (int i = 1; i < nThreads; ++i) {
            threads_.emplace_back([this, i, niceness] { threadMain(i, niceness); });
        }
    } catch (...) {
        // No memory or no more threads: go on with those that started.
    }
}

ThreadPool::~ThreadPool() {
    isStopping_.store(true);
    {
        const std::lock_guard lock(mutex_);
        jobPosted_.notify_all();
    }
    for (std::thread& t : threads_) t.join();
}

void ThreadPool::work(int thread) noexcept {
    while (!isCancelled()) {
        const int64_t first = next_.fetch_add(chunk_, std::memory_order_relaxed);
        if (first >= nItems_) return;
        const int64_t last = first + chunk_ < nItems_ ? first + chunk_ : nItems_;
        body_(state_, first, last, thread);
    }
}

void ThreadPool::run(int64_t nItems, int64_t chunk, Body body, void* state) noexcept {
    if (nItems <= 0) return;
    body_ = body;
    state_ = state;
    nItems_ = nItems;
    chunk_ = chunk > 0 ? chunk : 1;
    next_.store(0, std::memory_order_relaxed);
    if (threads_.empty() || nItems_ <= chunk_) {
        work(0);
        return;
    }
    gate_.store(((gate_.load(std::memory_order_relaxed) | kInside | kOpen) + 1) | kOpen);
    if (sleepers_.load() > 0) {
        const std::lock_guard lock(mutex_);
        jobPosted_.notify_all();
    }
    work(0);
    gate_.fetch_and(~kOpen);
    waitForOthers();
}

void ThreadPool::waitForOthers() noexcept {
    const auto isEmpty = [this] { return (gate_.load() & kInside) == 0; };
    if (isEmpty() || spinUntil(isEmpty)) return;
    std::unique_lock lock(mutex_);
    isCallerAsleep_.store(true);
    while (!isEmpty()) allLeft_.wait(lock);
    isCallerAsleep_.store(false);
}

bool ThreadPool::join(uint64_t& seen) noexcept {
    uint64_t gate = gate_.load();
    while (true) {
        if (gate / kGeneration == seen) return false;
        if ((gate & kOpen) == 0) {
            seen = gate / kGeneration;  // over before we came
            return false;
        }
        if (gate_.compare_exchange_weak(gate, gate + 1)) {
            seen = gate / kGeneration;
            return true;
        }
    }
}

void ThreadPool::leave() noexcept {
    const uint64_t left = gate_.fetch_sub(1) - 1;
    if ((left & kInside) == 0 && isCallerAsleep_.load()) {
        const std::lock_guard lock(mutex_);
        allLeft_.notify_one();
    }
}

void ThreadPool::waitForJob(uint64_t seen) noexcept {
    const auto hasNews = [this, seen] {
        return gate_.load() / kGeneration != seen || isStopping_.load();
    };
    if (spinUntil(hasNews)) return;
    std::unique_lock lock(mutex_);
    sleepers_.fetch_add(1);
    while (!hasNews()) jobPosted_.wait(lock);
    sleepers_.fetch_sub(1);
}

void ThreadPool::threadMain(int thread, int niceness) noexcept {
    if (niceness != 0) {
        // On Linux a thread id names one thread here; a refusal leaves the usual priority.
        setpriority(PRIO_PROCESS, static_cast<id_t>(syscall(SYS_gettid)), niceness);
    }
    uint64_t seen = 0;
    while (!isStopping_.load()) {
        if (join(seen)) {
            work(thread);
            leave();
        } else {
            waitForJob(seen);
        }
    }
}

}  // namespace vitrine::kernels::cpu
