#include "gui/widgets/elided_label.h"

#include <QPainter>

namespace vitrine::gui {

QString fittingParts(const QFontMetrics& metrics, const QString& text, int width) {
    static const QString separator = QStringLiteral(" · ");
    QString shown = text;
    while (metrics.horizontalAdvance(shown) > width) {
        const qsizetype end = shown.lastIndexOf(separator);
        if (end < 0) {
            const bool isLegible = metrics.horizontalAdvance(shown) * 2 < width * 3;
            return isLegible ? metrics.elidedText(shown, Qt::ElideRight, width) : QString();
        }
        shown.truncate(end);
    }
    return shown;
}

void ElidedLabel::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setPen(
        palette().color(isEnabled() ? QPalette::Active : QPalette::Disabled, foregroundRole()));
    painter.drawText(contentsRect(), static_cast<int>(alignment()) | Qt::TextSingleLine,
                     fontMetrics().elidedText(text(), mode_, contentsRect().width()));
}

}  // namespace vitrine::gui
