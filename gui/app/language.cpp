#include "gui/app/language.h"

#include <QApplication>
#include <QLibraryInfo>
#include <QLocale>
#include <QTranslator>

namespace vitrine::gui {
namespace {

QString current = QStringLiteral("en");

// Texts that Qt's own dialogs take from their context; its catalogues need not be installed.
[[maybe_unused]] const char* const kQtTexts[] = {
    QT_TRANSLATE_NOOP("QPlatformTheme", "OK"),
    QT_TRANSLATE_NOOP("QPlatformTheme", "Cancel"),
    QT_TRANSLATE_NOOP("QPlatformTheme", "Close"),
    QT_TRANSLATE_NOOP("QPlatformTheme", "Open"),
    QT_TRANSLATE_NOOP("QPlatformTheme", "Save"),
    QT_TRANSLATE_NOOP("QPlatformTheme", "&Yes"),
    QT_TRANSLATE_NOOP("QPlatformTheme", "&No"),
    QT_TRANSLATE_NOOP("QPlatformTheme", "Reset"),
    QT_TRANSLATE_NOOP("QWidgetTextControl", "&Undo"),
    QT_TRANSLATE_NOOP("QWidgetTextControl", "&Redo"),
    QT_TRANSLATE_NOOP("QWidgetTextControl", "Cu&t"),
    QT_TRANSLATE_NOOP("QWidgetTextControl", "&Copy"),
    QT_TRANSLATE_NOOP("QWidgetTextControl", "&Paste"),
    QT_TRANSLATE_NOOP("QWidgetTextControl", "Delete"),
    QT_TRANSLATE_NOOP("QWidgetTextControl", "Select All"),
    QT_TRANSLATE_NOOP("QLineEdit", "&Undo"),
    QT_TRANSLATE_NOOP("QLineEdit", "&Redo"),
    QT_TRANSLATE_NOOP("QLineEdit", "Cu&t"),
    QT_TRANSLATE_NOOP("QLineEdit", "&Copy"),
    QT_TRANSLATE_NOOP("QLineEdit", "&Paste"),
    QT_TRANSLATE_NOOP("QLineEdit", "Delete"),
    QT_TRANSLATE_NOOP("QLineEdit", "Select All"),
};

}  // namespace

void applyLanguage(const QString& language) {
    static QTranslator own, plural;
    qApp->removeTranslator(&own);
    qApp->removeTranslator(&plural);
    current = language == QLatin1String("zh_CN") ? language : QStringLiteral("en");
    // English too has a catalogue: it holds the plural forms.
    if (plural.load(QStringLiteral(":/i18n/vitrine_en.qm"))) qApp->installTranslator(&plural);
    if (current != QLatin1String("en") &&
        own.load(QStringLiteral(":/i18n/vitrine_%1.qm").arg(current)))
        qApp->installTranslator(&own);
    QLocale::setDefault(current == QLatin1String("zh_CN")
                            ? QLocale(QLocale::Chinese, QLocale::China)
                            : QLocale(QLocale::English));
}

QString currentLanguage() {
    return current;
}

}  // namespace vitrine::gui
