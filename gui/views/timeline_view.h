#pragma once
// The bottom strip: the four stations with their times, and the scrubber that sets the moment for
// all views. Thread: GUI thread.

#include "gui/views/view_base.h"

class QLabel;
class QToolButton;

namespace vitrine::gui {

class TimelineStrip;

class TimelineView : public ViewBase {
    Q_OBJECT
public:
    explicit TimelineView(const ViewContext& context, QWidget* parent = nullptr);

    QSize sizeHint() const override { return {900, 124}; }

protected:
    void retranslate() override;
    void applyTheme() override;
    void refresh() override;
    void refreshSelection() override;

private:
    void step(int delta);
    void showStations();
    QString prefillText() const;
    QString decodeText() const;

    QLabel* stations_;
    QLabel* moment_;
    QToolButton* back_;
    QToolButton* forward_;
    QToolButton* live_;
    TimelineStrip* strip_;
};

}  // namespace vitrine::gui
