#include "engine/library/latest_job.h"

#include <utility>

namespace vitrine::engine {

LatestJob::~LatestJob() {
    {
        const std::lock_guard lock(mutex_);
        isEnding_ = true;
        next_ = nullptr;
        if (current_) *current_ = true;
    }
    wake_.notify_all();
    if (thread_.joinable()) thread_.join();
}

void LatestJob::start(Job job) {
    {
        const std::lock_guard lock(mutex_);
        next_ = std::move(job);
        if (current_) *current_ = true;
        if (!thread_.joinable()) thread_ = std::thread([this] { loop(); });
    }
    wake_.notify_all();
}

void LatestJob::cancel() {
    const std::lock_guard lock(mutex_);
    next_ = nullptr;
    if (current_) *current_ = true;
}

void LatestJob::loop() {
    std::unique_lock lock(mutex_);
    while (true) {
        wake_.wait(lock, [this] { return isEnding_ || next_; });
        if (isEnding_) return;
        const Job job = std::exchange(next_, nullptr);
        const auto flag = std::make_shared<std::atomic<bool>>(false);
        current_ = flag;
        lock.unlock();
        job(*flag);
        lock.lock();
        current_ = nullptr;
    }
}

}  // namespace vitrine::engine
