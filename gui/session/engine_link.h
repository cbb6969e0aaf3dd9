#pragma once
// What the session controller needs of an engine: commands in, outbox out. The real one wraps
// EngineThread; tests script their own. Thread: all calls come from the GUI thread; the poke given
// to a factory may be called from any thread.

#include <functional>
#include <memory>
#include <vector>

#include "engine/runtime/messages.h"

namespace vitrine::gui {

class EngineLink {
public:
    virtual ~EngineLink() = default;
    /// Queues a command. Never blocks for longer than a mutex. Never fails.
    virtual void post(engine::Command command) = 0;
    /// Stops the running generation or load at once. Never fails.
    virtual void requestStop() = 0;
    /// Everything since the last call, in order. Never fails.
    virtual std::vector<engine::OutboxItem> takeOutbox() = 0;
};

/// Makes a link that publishes telemetry into `hub` and calls `poke` when its outbox became
/// non-empty.
using EngineLinkFactory = std::function<std::unique_ptr<EngineLink>(
    std::shared_ptr<observe::Hub> hub, std::function<void()> poke)>;

}  // namespace vitrine::gui
