#pragma once
// The application's style sheet, made from a theme's colours: chips, tabs, docks, scroll bars,
// focus rings. Thread: GUI thread.

#include <QString>

namespace vitrine::gui {

struct Theme;

/// Never fails.
QString themeStyleSheet(const Theme& theme);

}  // namespace vitrine::gui
