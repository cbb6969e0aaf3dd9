#pragma once
// Colours and fonts of the window, dark and light, as plain values. Widgets and plots read
// Theme::current() when they paint, and repaint on ThemeNotifier::changed (QCustomPlot ignores the
// palette: set its pens and brushes there). The four stations of a run have one colour each, the
// same in every view. Thread: GUI thread.

#include <array>

#include <QColor>
#include <QFont>
#include <QObject>
#include <QPalette>
#include <QString>

namespace vitrine::gui {

struct Theme {
    QString id;  ///< "dark" or "light": settings use it
    bool isDark = true;

    // Surfaces, from the back to the front.
    QColor window;  ///< behind everything
    QColor panel;   ///< cards, bars, plot backgrounds
    QColor raised;  ///< chips, input fields, code blocks
    QColor line;    ///< borders and grid lines
    QColor bubble;  ///< the user's messages

    QColor ink;    ///< text
    QColor dim;    ///< secondary text, axis labels
    QColor faint;  ///< tertiary text, tick labels (still 4.5 : 1 on `panel`)

    QColor accent;        ///< selection, focus, links
    QColor accentInk;     ///< text on accent
    QColor selectedCell;  ///< outline of the chosen token, row, cell

    // The four stations.
    QColor tokenize, prefill, decode, detokenize;

    // Memory.
    QColor weights, kv, activations, scratch, capture, process;

    // KV pages.
    QColor kvPrompt, kvReused, kvGenerated, kvEmpty;

    QColor good, warn, bad;
    QColor targetBand;  ///< translucent fill of "inside the target"

    /// For series without a meaning of their own (op classes, layers), told apart by lightness too.
    std::array<QColor, 10> series;

    /// The theme in force. Never fails; dark before the first apply().
    static const Theme& current();
    static const Theme& dark();
    static const Theme& light();

    /// Sets palette, style and style sheet of the application and tells everyone. Unknown ids mean
    /// "dark". Requires: a QApplication.
    static void apply(const QString& id);

    /// Interface and fixed-width fonts; `delta` points added to the application's size.
    static QFont uiFont(qreal delta = 0, int weight = QFont::Normal);
    static QFont monoFont(qreal delta = 0, int weight = QFont::Normal);
    /// Base size of all fonts in points, 7…24 (Ctrl + and Ctrl −); apply() sends it round.
    static void setBasePointSize(qreal points);
    static qreal basePointSize();

    QPalette palette() const;
};

class ThemeNotifier : public QObject {
    Q_OBJECT
public:
    static ThemeNotifier* instance();

signals:
    void changed();  ///< colours or font size are new

private:
    using QObject::QObject;
};

}  // namespace vitrine::gui
