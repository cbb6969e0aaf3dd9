#pragma once
// The bottom strip: the four stations with their times, and the scrubber that sets the moment for
// all views. Thread: GUI thread.

#include <array>

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
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void step(int delta);
    void showStations();
    /// Texts of the four stations: 0 = names, 1 = with times, 2 = with derived rates.
    std::array<QString, 4> stationTexts(int detail) const;
    QString prefillText(bool hasRates) const;
    QString decodeText(bool hasRates) const;
    QString notes() const;

    QLabel* stations_;
    QLabel* moment_;
    QToolButton* back_;
    QToolButton* forward_;
    QToolButton* live_;
    TimelineStrip* strip_;
};

}  // namespace vitrine::gui
