#include "engine/runtime/atlas_job.h"

#include "engine/runtime/engine_thread.h"
#include "engine/runtime/session.h"

namespace vitrine::engine {

AtlasJob::AtlasJob(Session& session, const RequestAtlas& request)
    : session_(session), reply_(session.beginAtlas(request)) {}

bool AtlasJob::step() {
    if (!reply_.notAvailable.empty()) return true;
    const int64_t begin = steadyNowNs();
    session_.fillAtlas(reply_, nextLayer_++);
    reply_.computeNs += steadyNowNs() - begin;
    return nextLayer_ == reply_.nLayers;
}

void AtlasJob::redoLayer() {
    if (nextLayer_ > 0) --nextLayer_;
}

}  // namespace vitrine::engine
