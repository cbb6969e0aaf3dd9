#include "gui/widgets/plot_notice.h"

#include <algorithm>

#include <QPainter>
#include <QPushButton>

#include "gui/widgets/theme.h"

namespace vitrine::gui {
namespace {
constexpr int kFlags = Qt::AlignHCenter | Qt::AlignTop | Qt::TextWordWrap;
constexpr int kGap = 8;
}  // namespace

PlotNotice::PlotNotice(QWidget* parent) : QWidget(parent), button_(new QPushButton(this)) {
    button_->hide();
    connect(button_, &QPushButton::clicked, this, &PlotNotice::actionWanted);
}

void PlotNotice::setTexts(const QString& title, const QString& hint, const QString& action) {
    if (title == title_ && hint == hint_ && action == button_->text()) return;
    title_ = title;
    hint_ = hint;
    setAccessibleName(title);
    setAccessibleDescription(hint);
    button_->setText(action);
    button_->setVisible(!action.isEmpty());
    placeButton();
    update();
}

PlotNotice::Placement PlotNotice::place() const {
    const int textWidth = std::max(40, std::min(width() - 32, 460));
    const QRect bounds(0, 0, textWidth, 4000);
    const QFontMetrics title(Theme::uiFont(1, QFont::DemiBold)), hint(Theme::uiFont());
    const int titleHeight = title.boundingRect(bounds, kFlags, title_).height();
    const int hintHeight = hint.boundingRect(bounds, kFlags, hint_).height() + 4;
    const int buttonHeight = button_->text().isEmpty() ? 0 : button_->sizeHint().height() + kGap;
    const int y = std::max(4, (height() - titleHeight - kGap - hintHeight - buttonHeight) / 2);
    const int x = (width() - textWidth) / 2;
    return {QRect(x, y, textWidth, titleHeight),
            QRect(x, y + titleHeight + kGap, textWidth, hintHeight)};
}

void PlotNotice::placeButton() {
    const QSize size = button_->sizeHint();
    button_->setGeometry((width() - size.width()) / 2, place().hint.bottom() + kGap, size.width(),
                         size.height());
}

void PlotNotice::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    placeButton();
}

void PlotNotice::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::current();
    QPainter painter(this);
    painter.fillRect(rect(), theme.panel);
    const Placement at = place();
    painter.setFont(Theme::uiFont(1, QFont::DemiBold));
    painter.setPen(theme.dim);
    painter.drawText(at.title, kFlags, title_);
    painter.setFont(Theme::uiFont());
    painter.setPen(theme.faint);
    painter.drawText(at.hint, kFlags, hint_);
}

}  // namespace vitrine::gui
