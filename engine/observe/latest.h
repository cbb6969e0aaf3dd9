#pragma once
// Latest-value buffer (triple buffer): the writer never waits, the reader sees the newest whole
// value. Thread: one writer, one reader.

#include <array>
#include <atomic>
#include <cstdint>

namespace vitrine::observe {

template <class T>
class Latest {
public:
    /// Writer: the value to fill in; valid until publish().
    T& back() noexcept { return values_[write_]; }

    /// Writer: hands over what back() holds.
    void publish() noexcept {
        write_ = shared_.exchange(write_ | kFresh, std::memory_order_acq_rel) & kIndex;
    }

    /// Reader: true when there is a newer value than at the last call; front() then shows it.
    bool refresh() noexcept {
        if ((shared_.load(std::memory_order_acquire) & kFresh) == 0) return false;
        read_ = shared_.exchange(read_, std::memory_order_acq_rel) & kIndex;
        return true;
    }

    const T& front() const noexcept { return values_[read_]; }

private:
    static constexpr uint32_t kIndex = 3;
    static constexpr uint32_t kFresh = 4;
    std::array<T, 3> values_{};
    uint32_t write_ = 0;
    uint32_t read_ = 1;
    std::atomic<uint32_t> shared_{2};
};

}  // namespace vitrine::observe
