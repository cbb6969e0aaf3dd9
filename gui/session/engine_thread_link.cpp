#include "gui/session/engine_thread_link.h"

#include "engine/runtime/engine_thread.h"

namespace vitrine::gui {
namespace {

class EngineThreadLink : public EngineLink {
public:
    EngineThreadLink(std::shared_ptr<observe::Hub> hub, std::function<void()> poke)
        : thread_(std::move(hub), std::move(poke)) {}

    void post(engine::Command command) override { thread_.post(std::move(command)); }

    void requestStop() override { thread_.requestStop(); }

    std::vector<engine::OutboxItem> takeOutbox() override { return thread_.takeOutbox(); }

private:
    engine::EngineThread thread_;
};

}  // namespace

std::unique_ptr<EngineLink> makeEngineThreadLink(std::shared_ptr<observe::Hub> hub,
                                                 std::function<void()> poke) {
    return std::make_unique<EngineThreadLink>(std::move(hub), std::move(poke));
}

}  // namespace vitrine::gui
