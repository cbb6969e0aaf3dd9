#include "gui/app/language.h"

#include <cstring>

#include <QApplication>
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

/// The catalogues name classes without their namespace (lupdate of Qt 6.4 does not see through
/// `namespace vitrine::gui`), tr() asks with it.
class Catalogue : public QTranslator {
public:
    QString translate(const char* context, const char* source, const char* comment,
                      int n) const override {
        const char* const colon = std::strrchr(context, ':');
        return QTranslator::translate(colon ? colon + 1 : context, source, comment, n);
    }
};

}  // namespace

void applyLanguage(const QString& language) {
    static Catalogue own, plural;
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
