#include "gui/widgets/plot_notice.h"

#include <algorithm>

#include <QPainter>

#include "gui/widgets/theme.h"

namespace vitrine::gui {

void PlotNotice::setTexts(const QString& title, const QString& hint) {
    if (title == title_ && hint == hint_) return;
    title_ = title;
    hint_ = hint;
    setAccessibleName(title);
    setAccessibleDescription(hint);
    update();
}

void PlotNotice::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::current();
    QPainter painter(this);
    painter.fillRect(rect(), theme.panel);
    const QFont titleFont = Theme::uiFont(1, QFont::DemiBold), hintFont = Theme::uiFont();
    const int textWidth = std::max(40, std::min(width() - 32, 460));
    const QRect bounds(0, 0, textWidth, 4000);
    const int flags = Qt::AlignHCenter | Qt::AlignTop | Qt::TextWordWrap;
    const int titleHeight = QFontMetrics(titleFont).boundingRect(bounds, flags, title_).height();
    const int hintHeight = QFontMetrics(hintFont).boundingRect(bounds, flags, hint_).height();
    int y = std::max(4, (height() - titleHeight - 8 - hintHeight) / 2);
    const int x = (width() - textWidth) / 2;
    painter.setFont(titleFont);
    painter.setPen(theme.dim);
    painter.drawText(QRect(x, y, textWidth, titleHeight), flags, title_);
    y += titleHeight + 8;
    painter.setFont(hintFont);
    painter.setPen(theme.faint);
    painter.drawText(QRect(x, y, textWidth, hintHeight + 4), flags, hint_);
}

}  // namespace vitrine::gui
