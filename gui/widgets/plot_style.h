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
class QTableView;
class QWidget;

namespace vitrine::gui {

/// Background, axes, grid and fonts of every axis rect of the plot.
void applyPlotTheme(QCustomPlot* plot);
void applyAxisTheme(QCPAxis* axis);
/// A flat header and compact rows; numbers columns take what they need.
void applyTableTheme(QTableView* table);
/// The dotted frame of a widget that was reached by keyboard.
void paintFocusFrame(QPainter* painter, const QWidget* widget);
/// An outline of `width` pixels just inside `rect`.
void paintOutline(QPainter* painter, const QRectF& rect, const QColor& color, qreal width = 2);
/// A 1-px pen: wider ones fall into Qt's slow stroker.
QPen hairline(const QColor& color, Qt::PenStyle style = Qt::SolidLine);
QColor withAlpha(QColor color, int alpha);
/// Black or white, whichever reads better on the colour.
QColor inkOn(const QColor& background);
/// Text as HTML in a colour, escaped.
QString colored(const QString& text, const QColor& color, bool isBold = false);

}  // namespace vitrine::gui
