#include "engine/runtime/observer.h"

namespace vitrine::engine {

void Observer::record(observe::OpClass op, int32_t layer, int32_t firstPos, int32_t nTok,
                      int64_t beginNs, int64_t endNs, uint64_t bytes, uint64_t flops) {
    sums_[static_cast<size_t>(op)] += endNs - beginNs;
    if (hub_ == nullptr) return;
    observe::Event event;
    event.beginNs = beginNs;
    event.durationNs = endNs - beginNs;
    event.bytes = bytes;
    event.flops = flops;
    event.runId = runId_;
    event.step = step_;
    event.firstPos = firstPos;
    event.nTok = nTok;
    event.layer = static_cast<int16_t>(layer);
    event.op = op;
    event.phase = phase_;
    hub_->events.push(event);
}

std::array<int64_t, observe::kOpClassCount> Observer::takeSums() {
    const auto sums = sums_;
    sums_.fill(0);
    return sums;
}

}  // namespace vitrine::engine
