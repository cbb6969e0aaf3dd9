#pragma once
// A dock with one view in it: gives it snapshots only while it can be seen. Thread: GUI thread.

#include <QDockWidget>

#include "gui/views/view.h"

namespace vitrine::gui {

class ViewDock : public QDockWidget {
    Q_OBJECT
public:
    ViewDock(const ViewSpec& spec, const ViewContext& context, QWidget* parent);

    const ViewSpec& spec() const { return spec_; }

    View* view() const { return view_; }

    bool isSeen() const { return isSeen_; }

    /// The view gets it in an event of its own, so that no event does the work of all views.
    void setSnapshot(const SnapshotPtr& snapshot);
    void retranslate();
    void refreshTitle();

signals:
    void seenChanged();

private:
    const ViewSpec& spec_;
    View* view_ = nullptr;
    SnapshotPtr last_;
    bool isSeen_ = false, isDelivering_ = false;
};

}  // namespace vitrine::gui
