#pragma once
// Writes typed events into the hub's ring and keeps the sums of the current step. With op times off
// it reads no clock per op. Thread: the engine thread.

#include <array>
#include <cstdint>
#include <memory>

#include "engine/observe/hub.h"

namespace vitrine::engine {

class Observer {
public:
    explicit Observer(std::shared_ptr<observe::Hub> hub) : hub_(std::move(hub)) {}

    void setTaps(const observe::TapSet& taps) { taps_ = taps; }

    const observe::TapSet& taps() const { return taps_; }

    bool timesOps() const { return taps_.opTimes; }

    /// What the events of the coming work belong to.
    void setContext(uint32_t runId, observe::Phase phase, int32_t step) {
        runId_ = runId;
        phase_ = phase;
        step_ = step;
    }

    observe::Phase phase() const { return phase_; }

    /// Records one measured stretch. bytes and flops are derived from shapes by the caller.
    void record(observe::OpClass op, int32_t layer, int32_t firstPos, int32_t nTok, int64_t beginNs,
                int64_t endNs, uint64_t bytes, uint64_t flops);

    /// Time per op class since the last call (Layer and Step included); zero without op times.
    std::array<int64_t, observe::kOpClassCount> takeSums();

    uint64_t dropped() const { return hub_ ? hub_->events.dropped() : 0; }

    const std::shared_ptr<observe::Hub>& hub() const { return hub_; }

private:
    std::shared_ptr<observe::Hub> hub_;  ///< may be null: nothing is written
    observe::TapSet taps_;
    uint32_t runId_ = 0;
    observe::Phase phase_ = observe::Phase::Idle;
    int32_t step_ = 0;
    std::array<int64_t, observe::kOpClassCount> sums_{};
};

}  // namespace vitrine::engine
