#pragma once
// Line icons drawn in the theme's colours, sharp at every scale, and a flat button that shows one.
// Thread: GUI thread.

#include <QIcon>
#include <QToolButton>

namespace vitrine::gui {

enum class Icon {
    Chats,
    Plus,
    Settings,
    Sliders,
    Copy,
    Edit,
    Regenerate,
    Trash,
    Send,
    Stop,
    Down,
    Close,
    Float,
    Search,
    Theme,
    More,
    Open,
    Preview
};

/// Draws an icon into a square. Never fails.
void paintIcon(QPainter& painter, Icon icon, const QRectF& square, const QColor& color);

class IconButton : public QToolButton {
    Q_OBJECT
public:
    explicit IconButton(Icon icon, QWidget* parent = nullptr);
    void setIconKind(Icon icon);
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Icon icon_;
};

}  // namespace vitrine::gui
