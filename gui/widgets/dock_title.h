#pragma once
// The title bar of a dock: its name, float and close; only a thin handle while tabs already show
// the name. Thread: GUI thread.

#include <QWidget>

class QDockWidget;

namespace vitrine::gui {

class ElidedLabel;
class IconButton;

class DockTitle : public QWidget {
    Q_OBJECT
public:
    explicit DockTitle(QDockWidget* dock);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

public slots:
    void refresh();  ///< the dock was moved, or others were moved to or from it

private:
    QDockWidget* dock_;
    IconButton *float_ = nullptr, *close_ = nullptr;
    bool isTabbed_ = false;
};

}  // namespace vitrine::gui
