#pragma once
// Pictures that views asked for and that are served between steps: tiles by slot (the newest
// request of a slot wins) and one atlas at a time. While a run goes on they take a bounded share of
// the time. Thread: the engine thread.

#include <atomic>
#include <map>
#include <memory>

#include "engine/runtime/atlas_job.h"
#include "engine/runtime/messages.h"
#include "engine/runtime/outbox.h"

namespace vitrine::engine {

class Session;

class Lookers {
public:
    Lookers(Outbox& outbox, const std::atomic<bool>& cancel) : outbox_(outbox), cancel_(cancel) {}

    bool hasWork() const { return !tiles_.empty() || atlasRequest_; }

    void add(const RequestTile& request) { tiles_[request.slot] = request; }

    void add(const RequestAtlas& request);
    /// The sequence is about to change or the model to go: what was asked for would show something
    /// else.
    void clear();

    /// Serves at most one tile or one layer of the atlas. session: null = no model, which is
    /// answered with the reason.
    void serve(Session* session, bool isRunning);

private:
    void serveTile(Session* session);
    void serveAtlas(Session* session);

    bool isCancelled() const { return cancel_.load(std::memory_order_relaxed); }

    Outbox& outbox_;
    const std::atomic<bool>&
        cancel_;  ///< while it is up, ops return early and what they wrote means nothing
    std::map<uint32_t, RequestTile> tiles_;
    std::optional<RequestAtlas> atlasRequest_;
    std::unique_ptr<AtlasJob> atlas_;
    int64_t nextNs_ = 0;
};

}  // namespace vitrine::engine
