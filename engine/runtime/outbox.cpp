#include "engine/runtime/outbox.h"

#include <chrono>
#include <utility>

namespace vitrine::engine {

namespace {

/// Joins `item` to the last one where order and content allow it.
bool joinLast(std::vector<OutboxItem>& items, OutboxItem& item) {
    if (items.empty()) return false;
    if (auto* batch = std::get_if<TokenBatch>(&item)) {
        auto* last = std::get_if<TokenBatch>(&items.back());
        if (last == nullptr || last->runId != batch->runId) return false;
        for (GeneratedToken& token : batch->tokens) last->tokens.push_back(std::move(token));
        return true;
    }
    if (auto* progress = std::get_if<LoadProgress>(&item)) {
        auto* last = std::get_if<LoadProgress>(&items.back());
        if (last == nullptr) return false;
        *last = std::move(*progress);
        return true;
    }
    return false;
}

}  // namespace

void Outbox::push(OutboxItem item) {
    bool wasEmpty = false;
    {
        const std::lock_guard lock(mutex_);
        wasEmpty = items_.empty();
        if (!joinLast(items_, item)) items_.push_back(std::move(item));
    }
    if (!wasEmpty) return;
    filled_.notify_all();
    if (poke_) poke_();
}

std::vector<OutboxItem> Outbox::take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(items_, {});
}

bool Outbox::wait(int64_t timeoutNs) {
    std::unique_lock lock(mutex_);
    return filled_.wait_for(lock, std::chrono::nanoseconds(timeoutNs),
                            [&] { return !items_.empty(); });
}

}  // namespace vitrine::engine
