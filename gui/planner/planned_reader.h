#pragma once
// Reads what is to be planned for away from the GUI thread: a header with a large vocabulary takes
// some 10 ms. Thread: GUI thread; the answer comes back there.

#include <functional>
#include <memory>

#include <QObject>

#include "engine/plan/shape_reader.h"

namespace vitrine::gui {

using PlannedAnswer = std::shared_ptr<const engine::Result<engine::PlannedModel>>;

/// Calls `done` on the GUI thread, unless `context` is gone by then.
void readPlanned(const QString& path, QObject* context, std::function<void(PlannedAnswer)> done);

}  // namespace vitrine::gui
