#pragma once
// What engine and window share for telemetry: the ring, the latest frame and the drop count.
// Outlives the engine thread. Thread: the engine thread writes, one consumer (the telemetry pump)
// reads.

#include "engine/observe/events.h"
#include "engine/observe/frame.h"
#include "engine/observe/latest.h"
#include "engine/observe/ring.h"

namespace vitrine::observe {

struct Hub {
    Ring<Event> events{1u << 15};
    Latest<Frame> frame;
};

/// What visible views ask for; the union is sent down, changes apply at step boundaries. Nothing is
/// computed that nobody asks for.
struct TapSet {
    bool opTimes = true;     ///< events per layer × op class
    bool frames = true;      ///< page map and ledger
    bool qStore = true;      ///< keep Q within its budget
    int32_t liveLayer = -1;  ///< a layer whose rows a visible view follows

    bool operator==(const TapSet&) const = default;
};

}  // namespace vitrine::observe
