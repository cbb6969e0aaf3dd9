#pragma once
// The engine's sentences in the interface language. The engine knows no translations: its messages
// are matched against a table of its sentences, with what they hold in between kept. One that is
// not in the table is shown as it is. Thread: GUI thread.

#include <string>

#include <QString>

namespace vitrine::gui {

/// Never fails.
QString engineText(const std::string& message);
QString engineText(const QString& message);

}  // namespace vitrine::gui
