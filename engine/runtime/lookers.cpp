#include "engine/runtime/lookers.h"

#include "engine/runtime/engine_thread.h"
#include "engine/runtime/session.h"

namespace vitrine::engine {

namespace {

/// While a run goes on, pictures take at most one part in this many of the time.
constexpr int64_t kShare = 10;
constexpr const char* kNoModel = "No model is loaded.";

}  // namespace

void Lookers::add(const RequestAtlas& request) {
    atlasRequest_ = request;
    atlas_.reset();
}

void Lookers::clear() {
    tiles_.clear();
    atlasRequest_.reset();
    atlas_.reset();
}

void Lookers::serve(Session* session, bool isRunning) {
    if (!hasWork() || isCancelled()) return;
    const int64_t begin = steadyNowNs();
    if (isRunning && begin < nextNs_) return;
    if (!tiles_.empty()) {
        serveTile(session);
    } else {
        serveAtlas(session);
    }
    const int64_t end = steadyNowNs();
    nextNs_ = end + (end - begin) * (kShare - 1);
}

void Lookers::serveTile(Session* session) {
    const RequestTile request = tiles_.begin()->second;
    TileReply reply;
    if (session != nullptr) {
        reply = session->tile(request);
        if (isCancelled()) return;  // the request stays
    } else {
        reply.slot = request.slot;
        reply.requestId = request.requestId;
        reply.notAvailable = kNoModel;
    }
    tiles_.erase(request.slot);
    outbox_.push(std::move(reply));
}

void Lookers::serveAtlas(Session* session) {
    if (session == nullptr) {
        AtlasReply reply;
        reply.requestId = atlasRequest_->requestId;
        reply.notAvailable = kNoModel;
        outbox_.push(std::move(reply));
        clear();
        return;
    }
    if (!atlas_) atlas_ = std::make_unique<AtlasJob>(*session, *atlasRequest_);
    const bool isDone = atlas_->step();
    if (isCancelled()) {
        atlas_->redoLayer();
    } else if (isDone) {
        outbox_.push(atlas_->take());
        atlas_.reset();
        atlasRequest_.reset();
    }
}

}  // namespace vitrine::engine
