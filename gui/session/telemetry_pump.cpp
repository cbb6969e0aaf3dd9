#include "gui/session/telemetry_pump.h"

namespace vitrine::gui {
namespace {

constexpr int kTickMs = 33;

}  // namespace

TelemetryPump::TelemetryPump(const EngineLinkFactory& makeLink,
                             std::function<bool(Intake&)> handler, QObject* parent)
    : QObject(parent), hub_(std::make_shared<observe::Hub>()), handler_(std::move(handler)) {
    timer_.setInterval(kTickMs);
    timer_.setTimerType(Qt::PreciseTimer);
    connect(&timer_, &QTimer::timeout, this, &TelemetryPump::tick);
    sinceTick_.start();
    link_ = makeLink(hub_, [this] { poke(); });
}

TelemetryPump::~TelemetryPump() {
    timer_.stop();
    link_.reset();
}

void TelemetryPump::poke() {
    if (isPokeQueued_.exchange(true, std::memory_order_acq_rel)) return;
    QMetaObject::invokeMethod(this, "onPoked", Qt::QueuedConnection);
}

void TelemetryPump::onPoked() {
    isPokeQueued_.store(false, std::memory_order_release);
    if (sinceTick_.elapsed() >= kTickMs)
        tick();
    else
        wake();
}

void TelemetryPump::wake() {
    if (!timer_.isActive()) timer_.start();
}

void TelemetryPump::tick() {
    sinceTick_.restart();
    Intake intake;
    // Outbox first: what it announces comes before the events that describe it.
    intake.items = link_->takeOutbox();
    events_.clear();
    hub_->events.drain(events_);
    intake.events.swap(events_);
    if (hub_->frame.refresh()) intake.frame = &hub_->frame.front();
    intake.droppedEvents = hub_->events.dropped();
    const bool isMoreExpected = handler_(intake);
    events_.swap(intake.events);
    if (isMoreExpected)
        wake();
    else
        timer_.stop();
}

}  // namespace vitrine::gui
