#pragma once
// A thread that does one job at a time; a new job cancels the one that runs and replaces one that
// waits. Thread: all functions from any thread; jobs run on the thread that this object owns.

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

namespace vitrine::engine {

class LatestJob {
public:
    /// Reads true once a newer job is there or the object ends.
    using Job = std::function<void(const std::atomic<bool>& isCancelled)>;

    LatestJob() = default;
    /// Cancels and waits.
    ~LatestJob();
    LatestJob(const LatestJob&) = delete;
    LatestJob& operator=(const LatestJob&) = delete;

    /// The job may throw nothing.
    void start(Job job);
    void cancel();

private:
    void loop();

    std::mutex mutex_;
    std::condition_variable wake_;
    Job next_;
    std::shared_ptr<std::atomic<bool>> current_;  ///< the running job's flag; null = none runs
    bool isEnding_ = false;
    std::thread thread_;  ///< begun with the first job
};

}  // namespace vitrine::engine
