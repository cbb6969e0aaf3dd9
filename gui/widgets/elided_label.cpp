#include "gui/widgets/elided_label.h"

#include <QPainter>

namespace vitrine::gui {

void ElidedLabel::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setPen(
        palette().color(isEnabled() ? QPalette::Active : QPalette::Disabled, foregroundRole()));
    painter.drawText(contentsRect(), static_cast<int>(alignment()) | Qt::TextSingleLine,
                     fontMetrics().elidedText(text(), mode_, contentsRect().width()));
}

}  // namespace vitrine::gui
