#include "gui/app/view_dock.h"

#include <QCoreApplication>
#include <QScrollArea>

#include "gui/widgets/dock_title.h"

namespace vitrine::gui {
namespace {

class ViewScroll : public QScrollArea {
public:
    explicit ViewScroll(QWidget* parent) : QScrollArea(parent) {
        setWidgetResizable(true);
        setFrameShape(QFrame::NoFrame);
        setFocusPolicy(Qt::NoFocus);
        setProperty("role", "panel");
    }

    QSize minimumSizeHint() const override { return {120, 72}; }

    QSize sizeHint() const override { return widget() ? widget()->sizeHint() : minimumSizeHint(); }
};

}  // namespace

ViewDock::ViewDock(const ViewSpec& spec, const ViewContext& context, QWidget* parent)
    : QDockWidget(parent), spec_(spec) {
    setObjectName(QStringLiteral("view-") + QLatin1String(spec.id));
    setTitleBarWidget(new DockTitle(this));
    view_ = spec.create(context, this);
    // A dock may be smaller than what its view needs: then it scrolls instead of widening the
    // window.
    auto* scroll = new ViewScroll(this);
    scroll->setWidget(view_);
    setWidget(scroll);
    connect(this, &QDockWidget::visibilityChanged, this, [this](bool isVisible) {
        if (isSeen_ == isVisible) return;
        isSeen_ = isVisible;
        if (isSeen_ && last_) view_->setSnapshot(last_);
        emit seenChanged();
    });
    retranslate();
}

void ViewDock::setSnapshot(const SnapshotPtr& snapshot) {
    last_ = snapshot;
    if (!isSeen_ || isDelivering_) return;
    isDelivering_ = true;
    QMetaObject::invokeMethod(
        this,
        [this] {
            isDelivering_ = false;
            if (isSeen_) view_->setSnapshot(last_);
        },
        Qt::QueuedConnection);
}

void ViewDock::refreshTitle() {
    static_cast<DockTitle*>(titleBarWidget())->refresh();
}

void ViewDock::retranslate() {
    setWindowTitle(QCoreApplication::translate("ViewSpec", spec_.title));
}

}  // namespace vitrine::gui
