// The telemetry ring and the latest-value buffer under two threads: nothing is lost but what was
// counted, and no value is torn.

#include <atomic>
#include <thread>

#include "engine/observe/hub.h"
#include "tests/support/mini_test.h"

using namespace vitrine::observe;

TEST(ringKeepsOrderAndCountsDrops) {
    Ring<int> ring(5);
    CHECK_EQ(ring.capacity(), size_t{8});
    for (int i = 0; i < 11; ++i) CHECK_EQ(ring.push(i), i < 8);
    CHECK_EQ(ring.dropped(), uint64_t{3});
    std::vector<int> out{-1};
    CHECK_EQ(ring.drain(out), size_t{8});
    CHECK((out == std::vector<int>{-1, 0, 1, 2, 3, 4, 5, 6, 7}));
    CHECK_EQ(ring.drain(out), size_t{0});
    for (int round = 0; round < 100; ++round) {  // round the end many times
        out.clear();
        for (int i = 0; i < 7; ++i) CHECK(ring.push(round * 10 + i));
        CHECK_EQ(ring.drain(out), size_t{7});
        CHECK(out.front() == round * 10 && out.back() == round * 10 + 6);
    }
    CHECK_EQ(ring.dropped(), uint64_t{3});
    CHECK_EQ(Ring<int>(1).capacity(), size_t{1});
    CHECK_EQ(Ring<int>(0).capacity(), size_t{1});
}

namespace {

/// An event all of whose fields follow from its number, so that a torn one shows.
Event numbered(uint64_t n) {
    Event e;
    e.beginNs = static_cast<int64_t>(n);
    e.durationNs = static_cast<int64_t>(n * 3);
    e.bytes = n * 5;
    e.flops = ~n;
    e.runId = static_cast<uint32_t>(n);
    return e;
}

bool isWhole(const Event& e) {
    const Event want = numbered(static_cast<uint64_t>(e.beginNs));
    return e.durationNs == want.durationNs && e.bytes == want.bytes && e.flops == want.flops &&
           e.runId == want.runId;
}

}  // namespace

TEST(ringUnderTwoThreads) {
    constexpr uint64_t kEvents = 2'000'000;
    Ring<Event> ring(1024);
    std::atomic<bool> isDone{false};
    std::vector<bool> accepted(kEvents);  // written by the producer, read after the join
    std::thread producer([&] {
        for (uint64_t n = 0; n < kEvents; ++n) {
            accepted[n] = ring.push(numbered(n));
            if (n % 4096 == 0) std::this_thread::yield();
        }
        isDone.store(true, std::memory_order_release);
    });
    std::vector<Event> batch;
    std::vector<uint64_t> seen;
    uint64_t torn = 0;
    for (bool last = false; !last;) {
        last = isDone.load(std::memory_order_acquire);
        batch.clear();
        ring.drain(batch);
        for (const Event& e : batch) {
            torn += isWhole(e) ? 0 : 1;
            seen.push_back(static_cast<uint64_t>(e.beginNs));
        }
    }
    producer.join();
    CHECK_EQ(torn, uint64_t{0});
    CHECK_EQ(seen.size() + ring.dropped(), kEvents);
    size_t next = 0;
    uint64_t wrong = 0;
    for (uint64_t n = 0; n < kEvents; ++n) {
        if (!accepted[n]) continue;
        wrong += next < seen.size() && seen[next] == n ? 0 : 1;
        ++next;
    }
    CHECK_EQ(wrong, uint64_t{0});
    CHECK_EQ(next, seen.size());
    CHECK(!seen.empty());
    std::printf("  %zu events passed, %llu dropped and counted\n", seen.size(),
                static_cast<unsigned long long>(ring.dropped()));
}

TEST(latestShowsTheNewest) {
    Latest<int> latest;
    CHECK(!latest.refresh());
    CHECK_EQ(latest.front(), 0);
    latest.back() = 1;
    CHECK(!latest.refresh());  // not published yet
    latest.publish();
    latest.back() = 2;
    latest.publish();
    CHECK_EQ(latest.front(), 0);  // until refresh
    CHECK(latest.refresh());
    CHECK_EQ(latest.front(), 2);
    CHECK(!latest.refresh());
    CHECK_EQ(latest.front(), 2);
    for (int i = 3; i < 100; ++i) {
        latest.back() = i;
        latest.publish();
        if (i % 3 == 0) {
            CHECK(latest.refresh());
            CHECK_EQ(latest.front(), i);
        }
    }
}

TEST(latestUnderTwoThreads) {
    constexpr uint64_t kFrames = 300'000;
    Latest<Frame> latest;
    std::thread writer([&] {
        for (uint64_t n = 1; n <= kFrames; ++n) {
            Frame& f = latest.back();
            f.stamp = n;
            f.timeNs = static_cast<int64_t>(n * 7);
            f.memory.rss = ~n;
            f.pages.resize(n % 8);
            for (KvPageState& page : f.pages) page.pageId = static_cast<int32_t>(n);
            latest.publish();
            if (n % 1024 == 0) std::this_thread::yield();
        }
    });
    uint64_t previous = 0, torn = 0, backwards = 0, fresh = 0;
    while (previous < kFrames) {
        if (!latest.refresh()) {
            std::this_thread::yield();
            continue;
        }
        ++fresh;
        const Frame& f = latest.front();
        bool isWholeFrame = f.timeNs == static_cast<int64_t>(f.stamp * 7) &&
                            f.memory.rss == ~f.stamp && f.pages.size() == f.stamp % 8;
        for (const KvPageState& page : f.pages) {
            isWholeFrame &= page.pageId == static_cast<int32_t>(f.stamp);
        }
        torn += isWholeFrame ? 0 : 1;
        backwards += f.stamp > previous ? 0 : 1;
        previous = f.stamp;
    }
    writer.join();
    CHECK_EQ(torn, uint64_t{0});
    CHECK_EQ(backwards, uint64_t{0});
    CHECK_EQ(previous, kFrames);  // the last one always arrives
    CHECK(!latest.refresh());
    std::printf("  %llu of %llu frames seen\n", static_cast<unsigned long long>(fresh),
                static_cast<unsigned long long>(kFrames));
}

VITRINE_TEST_MAIN()
