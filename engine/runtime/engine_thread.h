#pragma once
// The one engine thread: commands in, outbox out. It owns session, model and KV pages; the window
// and the terminal program use the same class. It loops: take all waiting commands, else one step
// (a decode token, or one layer of a prefill chunk), else sleep. Thread: post, requestStop,
// takeOutbox and hub may be called from any one controlling thread; the poke is called on the
// engine thread.

#include <functional>
#include <memory>
#include <vector>

#include "engine/observe/hub.h"
#include "engine/runtime/messages.h"

namespace vitrine::engine {

class EngineThread {
public:
    /// poke: called without arguments when the outbox became non-empty, at most once until
    /// takeOutbox() empties it. It must not block. hub: shared with the consumer; outlives this
    /// object.
    EngineThread(std::shared_ptr<observe::Hub> hub, std::function<void()> poke);
    /// Requests a stop, joins. Never waits longer than one work item of an op.
    ~EngineThread();
    EngineThread(const EngineThread&) = delete;
    EngineThread& operator=(const EngineThread&) = delete;

    /// Queues a command. Never blocks for longer than a mutex. LoadModel and UnloadModel first stop
    /// what runs.
    void post(Command command);

    /// Stops the running generation or load now: the flag is read inside ops. The run ends with
    /// Outcome::User, the load with Cancelled. Commands posted after it are not affected; a run
    /// that was posted before it but has not begun is ended too.
    void requestStop();

    /// Everything since the last call, in order.
    std::vector<OutboxItem> takeOutbox();

    /// Waits until the outbox is non-empty or `timeoutNs` have passed. For the terminal program and
    /// tests; the window never calls it.
    bool waitOutbox(int64_t timeoutNs);

private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

/// Now, on the clock of all stamps. Never fails.
int64_t steadyNowNs() noexcept;

}  // namespace vitrine::engine
