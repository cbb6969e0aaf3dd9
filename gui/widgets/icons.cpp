#include "gui/widgets/icons.h"

#include <algorithm>
#include <cmath>

#include <QPainter>
#include <QPainterPath>

#include "gui/widgets/theme.h"

namespace vitrine::gui {
namespace {

/// Paths in a 16 × 16 box; in two parts for the sake of length.
QPainterPath windowPath(Icon icon) {
    QPainterPath p;
    switch (icon) {
        case Icon::Chats:
            for (const qreal y : {4.0, 8.0, 12.0}) {
                p.moveTo(2.5, y);
                p.lineTo(13.5, y);
            }
            break;
        case Icon::Plus:
            p.moveTo(8, 3);
            p.lineTo(8, 13);
            p.moveTo(3, 8);
            p.lineTo(13, 8);
            break;
        case Icon::Settings:
            p.addEllipse(QPointF(8, 8), 2.3, 2.3);
            for (int i = 0; i < 8; ++i) {
                const QPointF d(std::cos(i * 0.7854), std::sin(i * 0.7854));
                p.moveTo(QPointF(8, 8) + d * 4.3);
                p.lineTo(QPointF(8, 8) + d * 6.3);
            }
            p.addEllipse(QPointF(8, 8), 4.4, 4.4);
            break;
        case Icon::Sliders:
            for (int i = 0; i < 3; ++i) {
                const qreal y = 4 + 4 * i, x = i == 1 ? 10.5 : 5.5;
                p.moveTo(2.5, y);
                p.lineTo(x - 1.6, y);
                p.moveTo(x + 1.6, y);
                p.lineTo(13.5, y);
                p.addEllipse(QPointF(x, y), 1.6, 1.6);
            }
            break;
        case Icon::Down:
            p.moveTo(8, 2.5);
            p.lineTo(8, 13);
            p.moveTo(3.6, 8.8);
            p.lineTo(8, 13.2);
            p.lineTo(12.4, 8.8);
            break;
        case Icon::Close:
            p.moveTo(4, 4);
            p.lineTo(12, 12);
            p.moveTo(12, 4);
            p.lineTo(4, 12);
            break;
        case Icon::Float:
            p.addRoundedRect(QRectF(2.8, 5.5, 7.7, 7.7), 1, 1);
            p.moveTo(6, 5.2);
            p.lineTo(6, 2.8);
            p.lineTo(13.2, 2.8);
            p.lineTo(13.2, 10);
            p.lineTo(10.8, 10);
            break;
        case Icon::Search:
            p.addEllipse(QPointF(7, 7), 4.2, 4.2);
            p.moveTo(10.2, 10.2);
            p.lineTo(13.5, 13.5);
            break;
        case Icon::Theme: p.addEllipse(QPointF(8, 8), 5, 5); break;
        case Icon::More:
            for (const qreal x : {3.5, 8.0, 12.5}) p.addEllipse(QPointF(x, 8), 0.9, 0.9);
            break;
        case Icon::Open:
            p.moveTo(2.5, 12.8);
            p.lineTo(2.5, 3.5);
            p.lineTo(6.2, 3.5);
            p.lineTo(7.6, 5.2);
            p.lineTo(13.5, 5.2);
            p.lineTo(13.5, 12.8);
            p.closeSubpath();
            break;
        case Icon::Preview:  // an eye
            p.moveTo(1.6, 8);
            p.cubicTo(4.4, 2.9, 11.6, 2.9, 14.4, 8);
            p.cubicTo(11.6, 13.1, 4.4, 13.1, 1.6, 8);
            p.closeSubpath();
            p.addEllipse(QPointF(8, 8), 2.1, 2.1);
            break;
        default: break;
    }
    return p;
}

QPainterPath messagePath(Icon icon) {
    QPainterPath p;
    switch (icon) {
        case Icon::Copy:
            p.addRoundedRect(QRectF(5.5, 5.5, 8, 8), 1.5, 1.5);
            p.moveTo(3.8, 10.5);
            p.lineTo(2.5, 10.5);
            p.lineTo(2.5, 2.5);
            p.lineTo(10.5, 2.5);
            p.lineTo(10.5, 3.8);
            break;
        case Icon::Edit:
            p.moveTo(3, 13);
            p.lineTo(3.6, 10);
            p.lineTo(10.6, 3);
            p.lineTo(13, 5.4);
            p.lineTo(6, 12.4);
            p.closeSubpath();
            break;
        case Icon::Regenerate:
            p.arcMoveTo(QRectF(3, 3, 10, 10), 40);
            p.arcTo(QRectF(3, 3, 10, 10), 40, 290);
            p.moveTo(12.6, 1.8);
            p.lineTo(12.2, 5);
            p.lineTo(9, 4.6);
            break;
        case Icon::Trash:
            p.moveTo(2.8, 4.2);
            p.lineTo(13.2, 4.2);
            p.moveTo(6, 4);
            p.lineTo(6.4, 2.5);
            p.lineTo(9.6, 2.5);
            p.lineTo(10, 4);
            p.moveTo(4.2, 4.4);
            p.lineTo(4.8, 13.4);
            p.lineTo(11.2, 13.4);
            p.lineTo(11.8, 4.4);
            p.moveTo(6.8, 6.8);
            p.lineTo(7, 11);
            p.moveTo(9.2, 6.8);
            p.lineTo(9, 11);
            break;
        case Icon::Send:
            p.moveTo(8, 13.5);
            p.lineTo(8, 3);
            p.moveTo(3.6, 7.2);
            p.lineTo(8, 2.8);
            p.lineTo(12.4, 7.2);
            break;
        case Icon::Stop: p.addRoundedRect(QRectF(4, 4, 8, 8), 1, 1); break;
        default: break;
    }
    return p;
}

QPainterPath pathOf(Icon icon) {
    const QPainterPath path = messagePath(icon);
    return path.isEmpty() ? windowPath(icon) : path;
}

}  // namespace

void paintIcon(QPainter& painter, Icon icon, const QRectF& square, const QColor& color) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.translate(square.topLeft());
    painter.scale(square.width() / 16, square.height() / 16);
    const bool isFilled = icon == Icon::Stop || icon == Icon::More;
    painter.setPen(isFilled ? QPen(Qt::NoPen)
                            : QPen(color, 1.35, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.setBrush(isFilled ? QBrush(color) : QBrush(Qt::NoBrush));
    painter.drawPath(pathOf(icon));
    if (icon == Icon::Theme) {
        QPainterPath half;
        half.moveTo(8, 3);
        half.arcTo(QRectF(3, 3, 10, 10), 90, 180);
        half.closeSubpath();
        painter.fillPath(half, color);
    }
    painter.restore();
}

IconButton::IconButton(Icon icon, QWidget* parent) : QToolButton(parent), icon_(icon) {
    setProperty("role", "flat");
    setAutoRaise(true);
    setCursor(Qt::PointingHandCursor);
}

void IconButton::setIconKind(Icon icon) {
    icon_ = icon;
    update();
}

QSize IconButton::sizeHint() const {
    const int side = fontMetrics().height() + 12;
    return {side, side};
}

void IconButton::paintEvent(QPaintEvent* event) {
    QToolButton::paintEvent(event);
    const Theme& theme = Theme::current();
    QPainter painter(this);
    const int side = std::min({width(), height(), fontMetrics().height() + 12}) - 8;
    const QRectF square((width() - side) / 2.0, (height() - side) / 2.0, side, side);
    const QColor color = !isEnabled()                ? theme.line
                         : underMouse() || isDown()  ? theme.ink
                         : isChecked() || hasFocus() ? theme.accent
                                                     : theme.dim;
    paintIcon(painter, icon_, square, color);
}

}  // namespace vitrine::gui
