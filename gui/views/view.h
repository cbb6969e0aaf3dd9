#pragma once
// The contract of a view: a widget that draws snapshots. A view includes gui/models, gui/widgets,
// snapshot.h, selection.h and this file, never the session. It must look right with no model, no
// run, a tiny run and a huge one, in both themes and languages. Thread: GUI thread; nothing over 8
// ms.

#include <functional>

#include <QIcon>
#include <QWidget>

#include "gui/session/selection.h"
#include "gui/session/snapshot.h"

namespace vitrine::gui {

/// Where a view pulls attention from. Replies come as signals; the newest request of a slot wins,
/// older ones may go unanswered.
class AttentionSource : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;
    virtual uint64_t requestTile(
        engine::RequestTile request) = 0;  ///< returns the request id that the reply will carry
    virtual uint64_t requestAtlas(int32_t cells) = 0;

    /// Where attention is not live: evaluates the shown run's tokens again (Snapshot::
    /// isAttentionBeingRecomputed, then isAttentionRecomputed).
    virtual void recompute() {}

signals:
    void tileReady(std::shared_ptr<const engine::TileReply> reply);
    void atlasReady(std::shared_ptr<const engine::AtlasReply> reply);
};

struct ViewContext {
    Selection* selection = nullptr;
    AttentionSource* attention = nullptr;
};

class View : public QWidget {
    Q_OBJECT
public:
    using QWidget::QWidget;
    /// Called once per pump tick while visible, and once when it becomes visible; never null.
    virtual void setSnapshot(const SnapshotPtr& snapshot) = 0;
};

struct ViewSpec {
    const char* id;        ///< stable: settings and saved layouts use it
    const char* title;     ///< source text in context "ViewSpec", translated when shown
    observe::TapSet taps;  ///< what it needs while visible
    View* (*create)(const ViewContext&, QWidget* parent);
};

/// All views, in menu order. Generated from gui/views/CMakeLists.txt.
const std::vector<const ViewSpec*>& viewSpecs();

}  // namespace vitrine::gui
