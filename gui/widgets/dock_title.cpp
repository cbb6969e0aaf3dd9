#include "gui/widgets/dock_title.h"

#include <QDockWidget>
#include <QEvent>
#include <QHBoxLayout>
#include <QMainWindow>
#include <QPainter>

#include "gui/widgets/icons.h"
#include "gui/widgets/theme.h"

namespace vitrine::gui {
namespace {

constexpr int kThin = 6;

}  // namespace

DockTitle::DockTitle(QDockWidget* dock) : QWidget(dock), dock_(dock) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(10, 3, 4, 1);
    row->setSpacing(0);
    row->addStretch(1);
    float_ = new IconButton(Icon::Float, this);
    close_ = new IconButton(Icon::Close, this);
    for (IconButton* button : {float_, close_}) {
        button->setFixedSize(20, 20);
        button->setFocusPolicy(Qt::NoFocus);
        row->addWidget(button);
    }
    connect(float_, &QToolButton::clicked, dock,
            [dock] { dock->setFloating(!dock->isFloating()); });
    connect(close_, &QToolButton::clicked, dock, &QDockWidget::close);
    connect(dock, &QDockWidget::visibilityChanged, this, &DockTitle::refresh);
    connect(dock, &QDockWidget::dockLocationChanged, this, &DockTitle::refresh);
    connect(dock, &QDockWidget::topLevelChanged, this, &DockTitle::refresh);
    connect(dock, &QDockWidget::windowTitleChanged, this, [this] { update(); });
    connect(ThemeNotifier::instance(), &ThemeNotifier::changed, this, [this] { updateGeometry(); });
    refresh();
}

void DockTitle::refresh() {
    const auto* window = qobject_cast<QMainWindow*>(dock_->parentWidget());
    isTabbed_ = window && !dock_->isFloating() && !window->tabifiedDockWidgets(dock_).isEmpty();
    for (IconButton* button : {float_, close_}) button->setVisible(!isTabbed_);
    float_->setToolTip(dock_->isFloating() ? tr("Dock") : tr("Float"));
    close_->setToolTip(tr("Hide (View menu brings it back)"));
    updateGeometry();
    update();
}

QSize DockTitle::sizeHint() const {
    if (isTabbed_) return {60, kThin};
    return {80, QFontMetrics(Theme::uiFont(0, QFont::DemiBold)).height() + 8};
}

QSize DockTitle::minimumSizeHint() const {
    return sizeHint();
}

void DockTitle::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) refresh();
}

void DockTitle::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::current();
    QPainter painter(this);
    painter.fillRect(rect(), theme.panel);
    if (isTabbed_) return;
    const QFont font = Theme::uiFont(0, QFont::DemiBold);
    painter.setFont(font);
    painter.setPen(theme.ink);
    const QRect room = rect().adjusted(10, 3, -50, 0);
    painter.drawText(
        room, Qt::AlignVCenter | Qt::AlignLeft,
        QFontMetrics(font).elidedText(dock_->windowTitle(), Qt::ElideRight, room.width()));
}

}  // namespace vitrine::gui
