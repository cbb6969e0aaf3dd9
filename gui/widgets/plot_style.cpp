#include "gui/widgets/plot_style.h"

#include <qcustomplot.h>

#include "gui/widgets/theme.h"

namespace vitrine::gui {

QPen hairline(const QColor& color, Qt::PenStyle style) {
    QPen pen(color, 1, style);
    pen.setCosmetic(true);
    return pen;
}

QColor withAlpha(QColor color, int alpha) {
    color.setAlpha(alpha);
    return color;
}

QColor inkOn(const QColor& background) {
    const double luma =
        0.299 * background.red() + 0.587 * background.green() + 0.114 * background.blue();
    return luma > 140 ? QColor(0x10, 0x14, 0x1a) : QColor(Qt::white);
}

QString colored(const QString& text, const QColor& color, bool isBold) {
    const QString span = QStringLiteral("<span style=\"color:%1\">%2</span>")
                             .arg(color.name(), text.toHtmlEscaped());
    return isBold ? QStringLiteral("<b>%1</b>").arg(span) : span;
}

void applyAxisTheme(QCPAxis* axis) {
    const Theme& theme = Theme::current();
    axis->setBasePen(hairline(theme.line));
    axis->setTickPen(hairline(theme.line));
    axis->setSubTickPen(Qt::NoPen);
    axis->setTickLabelColor(theme.faint);
    axis->setLabelColor(theme.dim);
    axis->setTickLabelFont(Theme::monoFont(-2));
    axis->setLabelFont(Theme::uiFont(-1.5));
    axis->setTickLengthIn(0);
    axis->setTickLengthOut(3);
    axis->setSubTicks(false);
    axis->setLabelPadding(4);
    axis->grid()->setPen(hairline(withAlpha(theme.line, theme.isDark ? 150 : 190)));
    axis->grid()->setZeroLinePen(hairline(theme.line));
    axis->grid()->setSubGridVisible(false);
}

void applyPlotTheme(QCustomPlot* plot) {
    const Theme& theme = Theme::current();
    plot->setBackground(theme.panel);
    for (QCPAxisRect* rect : plot->axisRects()) {
        rect->setBackground(Qt::NoBrush);
        for (QCPAxis* axis : rect->axes()) applyAxisTheme(axis);
    }
}

}  // namespace vitrine::gui
