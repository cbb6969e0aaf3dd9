#pragma once
// The atlas of all layers and heads, one layer per step, so that commands and stops are heard in
// between. It shows the tokens that were cached when it began. Thread: the engine thread.

#include "engine/runtime/messages.h"

namespace vitrine::engine {

class Session;

class AtlasJob {
public:
    /// Requires: `session` outlives the job and its cached tokens only grow meanwhile.
    AtlasJob(Session& session, const RequestAtlas& request);
    /// Does one layer. True = finished.
    bool step();

    /// The last layer was computed while ops were being cancelled: it is done again.
    void redoLayer();

    AtlasReply take() { return std::move(reply_); }

private:
    Session& session_;
    AtlasReply reply_;
    int32_t nextLayer_ = 0;
};

}  // namespace vitrine::engine
