#include "gui/app/view_dock.h"

#include <QCoreApplication>

#include "gui/widgets/dock_title.h"

namespace vitrine::gui {

ViewDock::ViewDock(const ViewSpec& spec, const ViewContext& context, QWidget* parent)
    : QDockWidget(parent), spec_(spec) {
    setObjectName(QStringLiteral("view-") + QLatin1String(spec.id));
    setTitleBarWidget(new DockTitle(this));
    view_ = spec.create(context, this);
    setWidget(view_);
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
    if (isSeen_) view_->setSnapshot(snapshot);
}

void ViewDock::retranslate() {
    setWindowTitle(QCoreApplication::translate("ViewSpec", spec_.title));
}

}  // namespace vitrine::gui
