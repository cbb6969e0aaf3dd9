#pragma once
// The interface language, switched at run time: installs the translator, then every widget gets
// LanguageChange. Thread: GUI thread.

#include <QString>

namespace vitrine::gui {

/// "en" or "zh_CN"; unknown ones mean "en". Never fails.
void applyLanguage(const QString& language);
QString currentLanguage();

}  // namespace vitrine::gui
