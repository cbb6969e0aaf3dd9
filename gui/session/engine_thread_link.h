#pragma once
// The link to the real engine thread. Thread: GUI thread.

#include "gui/session/engine_link.h"

namespace vitrine::gui {

/// Starts an engine thread. Never fails.
std::unique_ptr<EngineLink> makeEngineThreadLink(std::shared_ptr<observe::Hub> hub,
                                                 std::function<void()> poke);

}  // namespace vitrine::gui
