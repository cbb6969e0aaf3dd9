#pragma once
// The KV cache: page map, what a token costs, allocated beside used, growth. Thread: GUI thread.

#include "gui/views/view_base.h"

class QComboBox;
class QCustomPlot;
class QLabel;

namespace vitrine::gui {

class KvPageMap;
class PlotFacts;

class KvCacheView : public ViewBase {
    Q_OBJECT
public:
    explicit KvCacheView(const ViewContext& context, QWidget* parent = nullptr);

protected:
    void retranslate() override;
    void applyTheme() override;
    void refresh() override;
    void refreshSelection() override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void arrange();
    void showFacts();
    void showLegend();
    void drawGrowth();

    ViewHeader* header_;
    QLabel* legend_;
    KvPageMap* map_;
    QWidget* belowPanel_;  ///< figures and chart
    PlotFacts* facts_;
    QWidget* growthPanel_;
    QLabel* growthTitle_;
    QComboBox* growthBy_;
    QCustomPlot* growth_;
};

}  // namespace vitrine::gui
