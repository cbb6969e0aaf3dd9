#pragma once
// Empties outbox and hub on the GUI thread: every 33 ms while something runs, at once when poked
// after a pause. The poke may come from any thread; it crosses as one queued call without
// arguments. Thread: GUI thread, except poke().

#include <atomic>
#include <functional>
#include <memory>
#include <vector>

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include "gui/session/engine_link.h"

namespace vitrine::gui {

class TelemetryPump : public QObject {
    Q_OBJECT
public:
    struct Intake {
        std::vector<engine::OutboxItem> items;
        std::vector<observe::Event> events;
        const observe::Frame* frame = nullptr;  ///< null = no newer one
        uint64_t droppedEvents = 0;             ///< of this process so far
    };

    /// handler: called once per tick; returns true while more is expected soon (the timer goes on).
    TelemetryPump(const EngineLinkFactory& makeLink, std::function<bool(Intake&)> handler,
                  QObject* parent = nullptr);
    ~TelemetryPump() override;

    EngineLink& link() { return *link_; }

    /// Starts the timer; for commands whose effect shows in the hub only.
    void wake();
    /// One tick now.
    void tick();

private slots:
    void onPoked();

private:
    void poke();  // any thread

    std::shared_ptr<observe::Hub> hub_;
    std::function<bool(Intake&)> handler_;
    std::atomic<bool> isPokeQueued_{false};
    QTimer timer_;
    QElapsedTimer sinceTick_;
    std::vector<observe::Event> events_;
    std::unique_ptr<EngineLink> link_;  // last: its thread ends before what it pokes
};

}  // namespace vitrine::gui
