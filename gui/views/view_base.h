#pragma once
// What all views share: the newest snapshot, the selection, redraw on theme and language changes,
// and a notice in place of an empty canvas. A hidden view keeps the snapshot and draws it when it
// becomes visible. Thread: GUI thread.

#include "gui/views/view.h"

class QHBoxLayout;
class QStackedLayout;

namespace vitrine::gui {

class PlotNotice;

class ViewBase : public View {
    Q_OBJECT
public:
    ViewBase(const ViewContext& context, QWidget* parent);

    void setSnapshot(const SnapshotPtr& snapshot) final;

protected:
    /// Called once, at the end of the subclass's constructor.
    void start();

    virtual void retranslate() = 0;  ///< static texts
    virtual void applyTheme() = 0;   ///< colours and fonts that do not follow the palette
    virtual void refresh() = 0;      ///< draws snapshot() and selection()

    virtual void noticeAction() {}

    /// Only the selection changed. Default: refresh().
    virtual void refreshSelection() { refresh(); }

    const Snapshot& snapshot() const { return *snapshot_; }

    const SnapshotPtr& snapshotPtr() const { return snapshot_; }

    const RunRecord* run() const { return snapshot_->run.get(); }

    Selection& selection() const { return *selection_; }

    AttentionSource* attention() const { return attention_; }

    /// Parent of what the view draws.
    QWidget* content() const { return content_; }

public:
    /// Views shrink further than their parts would like: they leave out what does not fit.
    QSize minimumSizeHint() const override { return {220, 90}; }

protected:
    /// action: text of a button under the hint, which calls noticeAction().
    void showNotice(const QString& title, const QString& hint, const QString& action = {});
    void hideNotice();
    /// Shows the notice for "no model" or "no run" where that is so. True when it did. Recorded
    /// runs are shown without a model too.
    bool showNoticeWithoutRun();

    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    SnapshotPtr snapshot_;
    Selection* selection_;
    AttentionSource* attention_;
    QStackedLayout* stack_;
    QWidget* content_;
    PlotNotice* notice_;
    bool isStarted_ = false;
    bool isDirty_ = false;
};

/// A caption line: bold title, dim detail (elided), controls at the right.
class ViewHeader : public QWidget {
    Q_OBJECT
public:
    explicit ViewHeader(QWidget* parent = nullptr);
    void setTexts(const QString& title, const QString& detail);
    void addControl(QWidget* control);

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    QHBoxLayout* layout_;
    QWidget* text_;  ///< the room that the texts have
    QString title_, detail_;
};

}  // namespace vitrine::gui
