#include "gui/widgets/plot_style.h"

#include <QHeaderView>
#include <QTableView>
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

void applyTableTheme(QTableView* table) {
    const Theme& theme = Theme::current();
    table->setFont(Theme::uiFont(-0.5));
    table->horizontalHeader()->setFont(Theme::uiFont(-1.5));
    table->verticalHeader()->setDefaultSectionSize(QFontMetrics(Theme::uiFont(-0.5)).height() + 6);
    table->setStyleSheet(
        QStringLiteral("QTableView { background: transparent; border: none; }"
                       "QTableView::item { padding: 0 8px; }"
                       "QHeaderView { background: transparent; border: none; }"
                       "QHeaderView::section { background: transparent; border: none; "
                       "border-bottom: 1px solid %1; color: %2; padding: 2px 8px; }")
            .arg(theme.line.name(), theme.dim.name()));
}

void paintFocusFrame(QPainter* painter, const QWidget* widget) {
    if (!widget->hasFocus() || !widget->window()->testAttribute(Qt::WA_KeyboardFocusChange)) return;
    painter->setPen(hairline(withAlpha(Theme::current().accent, 190), Qt::DotLine));
    painter->setBrush(Qt::NoBrush);
    painter->drawRect(widget->rect().adjusted(0, 0, -1, -1));
}

void paintOutline(QPainter* painter, const QRectF& rect, const QColor& color, qreal width) {
    painter->fillRect(QRectF(rect.left(), rect.top(), rect.width(), width), color);
    painter->fillRect(QRectF(rect.left(), rect.bottom() - width, rect.width(), width), color);
    painter->fillRect(QRectF(rect.left(), rect.top(), width, rect.height()), color);
    painter->fillRect(QRectF(rect.right() - width, rect.top(), width, rect.height()), color);
}

void applyPlotTheme(QCustomPlot* plot) {
    // A replot paints in the next update with everything else: painting at once would draw the
    // whole window within one event, once per plot.
    plot->setPlottingHint(QCP::phImmediateRefresh, false);
    const Theme& theme = Theme::current();
    plot->setBackground(theme.panel);
    for (QCPAxisRect* rect : plot->axisRects()) {
        rect->setBackground(Qt::NoBrush);
        for (QCPAxis* axis : rect->axes()) applyAxisTheme(axis);
    }
}

}  // namespace vitrine::gui
