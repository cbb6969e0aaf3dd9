#pragma once
// Bounded single-producer single-consumer ring. When full, the newest is dropped and counted; the
// count is shown to the user. Thread: push by one thread, drain by one other; dropped() by any.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace vitrine::observe {

template <class T>
class Ring {
public:
    /// capacity is rounded up to a power of two.
    explicit Ring(size_t capacity) {
        size_t n = 1;
        while (n < capacity) n *= 2;
        slots_.resize(n);
    }

    /// Producer. False = full: dropped and counted.
    bool push(const T& value) noexcept {
        const uint64_t head = head_.load(std::memory_order_relaxed);
        if (head - tail_.load(std::memory_order_acquire) == slots_.size()) {
            dropped_.fetch_add(1, std::memory_order_relaxed);
            return false;
        }
        slots_[head & (slots_.size() - 1)] = value;
        head_.store(head + 1, std::memory_order_release);
        return true;
    }

    /// Consumer. Appends all that is there to `out`; returns how many.
    size_t drain(std::vector<T>& out) {
        const uint64_t tail = tail_.load(std::memory_order_relaxed);
        const uint64_t head = head_.load(std::memory_order_acquire);
        for (uint64_t i = tail; i != head; ++i) out.push_back(slots_[i & (slots_.size() - 1)]);
        tail_.store(head, std::memory_order_release);
        return static_cast<size_t>(head - tail);
    }

    uint64_t dropped() const noexcept { return dropped_.load(std::memory_order_relaxed); }

    size_t capacity() const noexcept { return slots_.size(); }

private:
    std::vector<T> slots_;
    alignas(64) std::atomic<uint64_t> head_{0};
    alignas(64) std::atomic<uint64_t> tail_{0};
    alignas(64) std::atomic<uint64_t> dropped_{0};
};

}  // namespace vitrine::observe
