// The pool under load: every item exactly once, also with many short jobs, with idle gaps that put
// the threads to sleep, and with more threads than cores. Also meant for TSan.

#include <atomic>
#include <chrono>
#include <ctime>
#include <thread>
#include <vector>

#include "kernels/cpu/thread_pool.h"
#include "tests/support/mini_test.h"

using vitrine::kernels::cpu::ThreadPool;

namespace {

/// Runs one job over n items and counts the items that were not visited exactly once. The counts
/// are plain ints: a race between two threads is an error that TSan reports.
int wrongVisits(ThreadPool& pool, int n, int chunk) {
    std::vector<int> visits(static_cast<size_t>(n), 0);
    pool.parallelFor(n, chunk, [&](int64_t first, int64_t last, int) {
        for (int64_t i = first; i < last; ++i) ++visits[static_cast<size_t>(i)];
    });
    int wrong = 0;
    for (int v : visits) wrong += v != 1;
    return wrong;
}

}  // namespace

TEST(visitsEveryItemOnce) {
    for (int nThreads : {1, 2, 3, 8}) {
        ThreadPool pool(nThreads, 0, nullptr);
        CHECK_EQ(pool.nThreads(), nThreads);
        for (int n : {0, 1, 2, 7, 64, 1000}) {
            for (int chunk : {1, 3, 2000}) CHECK_EQ(wrongVisits(pool, n, chunk), 0);
        }
    }
}

TEST(manyShortJobs) {
    ThreadPool pool(4, 0, nullptr);
    int wrong = 0;
    for (int i = 0; i < 5000; ++i) wrong += wrongVisits(pool, 16, 1);
    CHECK_EQ(wrong, 0);
}

TEST(jobsAfterSleep) {
    ThreadPool pool(4, 5, nullptr);
    int wrong = 0;
    for (int i = 0; i < 100; ++i) {
        std::this_thread::sleep_for(std::chrono::microseconds(i * 7 % 400));
        wrong += wrongVisits(pool, 64, 2);
    }
    CHECK_EQ(wrong, 0);
}

TEST(callerWaitsForSlowItems) {
    ThreadPool pool(3, 0, nullptr);
    for (int i = 0; i < 20; ++i) {
        int done[3] = {};
        pool.parallelFor(3, 1, [&](int64_t first, int64_t, int) {
            std::this_thread::sleep_for(std::chrono::milliseconds(first == 0 ? 0 : 2));
            done[first] = 1;
        });
        CHECK_EQ(done[0] + done[1] + done[2], 3);
    }
}

TEST(idleThreadsUseNoTime) {
    ThreadPool pool(4, 0, nullptr);
    wrongVisits(pool, 64, 1);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    const std::clock_t before = std::clock();
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    const double seconds = static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC;
    CHECK(seconds < 0.05);
}

TEST(cancelStopsEarly) {
    std::atomic<bool> cancel{false};
    ThreadPool pool(2, 0, &cancel);
    std::atomic<int> visited{0};
    pool.parallelFor(1000, 1, [&](int64_t, int64_t, int) {
        if (++visited == 10) cancel = true;
    });
    CHECK(visited >= 10 && visited < 20);
    cancel = false;
    CHECK_EQ(wrongVisits(pool, 100, 1), 0);
}

VITRINE_TEST_MAIN()
