#pragma once
// The look that all plots share: QCustomPlot ignores the palette, so pens, brushes and fonts are
// set by hand from the theme. Thread: GUI thread.

#include <QColor>
#include <QFont>
#include <QPen>
#include <QString>

class QCustomPlot;
class QCPAxis;
class QCPAxisRect;
class QPainter;

namespace vitrine::gui {

/// Background, axes, grid and fonts of every axis rect of the plot.
void applyPlotTheme(QCustomPlot* plot);
void applyAxisTheme(QCPAxis* axis);
/// A 1-px pen: wider ones fall into Qt's slow stroker.
QPen hairline(const QColor& color, Qt::PenStyle style = Qt::SolidLine);
QColor withAlpha(QColor color, int alpha);
/// Black or white, whichever reads better on the colour.
QColor inkOn(const QColor& background);
/// Text as HTML in a colour, escaped.
QString colored(const QString& text, const QColor& color, bool isBold = false);

}  // namespace vitrine::gui
