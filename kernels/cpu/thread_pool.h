#pragma once
// The pool of the CPU backend: a counter of small work items that the caller and the pool's threads
// empty together. Built for a machine that is busy elsewhere: items are handed out dynamically, the
// caller never waits for a thread that has not begun, and whoever has nothing to do spins for some
// microseconds and then sleeps. Thread: one caller at a time (the owner); items run on any thread
// of the pool, the caller included.

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

namespace vitrine::kernels::cpu {

class ThreadPool {
public:
    /// Work on items first…last−1. `thread` is 0 for the caller, 1…nThreads−1 for the others.
    using Body = void (*)(void* state, int64_t first, int64_t last, int thread);

    /// nThreads counts the caller; fewer start when the system refuses a thread. Never fails.
    ThreadPool(int nThreads, int niceness, const std::atomic<bool>* cancel) noexcept;
    ~ThreadPool();
    ThreadPool(const ThreadPool&) = delete;
    ThreadPool& operator=(const ThreadPool&) = delete;

    int nThreads() const noexcept { return static_cast<int>(threads_.size()) + 1; }

    /// Runs body over items 0…nItems−1 in chunks of `chunk` items and returns when all are done, or
    /// early when `cancel` is set (it is read once per chunk).
    void run(int64_t nItems, int64_t chunk, Body body, void* state) noexcept;

    /// The same for a callable f(first, last, thread).
    template <class F>
    void parallelFor(int64_t nItems, int64_t chunk, const F& f) noexcept {
        run(
            nItems, chunk,
            [](void* state, int64_t first, int64_t last, int thread) {
                (*static_cast<const F*>(state))(first, last, thread);
            },
            const_cast<void*>(static_cast<const void*>(&f)));
    }

    bool isCancelled() const noexcept {
        return cancel_ != nullptr && cancel_->load(std::memory_order_relaxed);
    }

private:
    void threadMain(int thread, int niceness) noexcept;
    bool join(uint64_t& seen) noexcept;
    void leave() noexcept;
    void waitForJob(uint64_t seen) noexcept;
    void waitForOthers() noexcept;
    void work(int thread) noexcept;

    // The job: written by the caller while it is closed and nobody is inside.
    Body body_ = nullptr;
    void* state_ = nullptr;
    int64_t nItems_ = 0;
    int64_t chunk_ = 1;
    const std::atomic<bool>* cancel_;

    alignas(64) std::atomic<int64_t> next_{0};
    /// generation << 32 | open << 31 | number of pool threads inside
    alignas(64) std::atomic<uint64_t> gate_{0};
    alignas(64) std::atomic<int> sleepers_{0};
    std::atomic<bool> isCallerAsleep_{false};
    std::atomic<bool> isStopping_{false};
    std::mutex mutex_;
    std::condition_variable jobPosted_;
    std::condition_variable allLeft_;
    std::vector<std::thread> threads_;
};

}  // namespace vitrine::kernels::cpu
