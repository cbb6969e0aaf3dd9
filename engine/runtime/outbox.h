#pragma once
// Results on their way up: a mutex-guarded list with one poke per filling. Token batches of the
// same run and load progress are joined, so that a slow consumer gets fewer, larger items. Thread:
// push on the engine thread, take and wait on the controlling thread.

#include <condition_variable>
#include <functional>
#include <mutex>
#include <vector>

#include "engine/runtime/messages.h"

namespace vitrine::engine {

class Outbox {
public:
    explicit Outbox(std::function<void()> poke) : poke_(std::move(poke)) {}

    void push(OutboxItem item);
    std::vector<OutboxItem> take();
    bool wait(int64_t timeoutNs);

private:
    std::function<void()> poke_;
    std::mutex mutex_;
    std::condition_variable filled_;
    std::vector<OutboxItem> items_;
};

}  // namespace vitrine::engine
