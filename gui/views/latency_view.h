#pragma once
// Time to first token and time per token: the parts of TTFT, every gap, percentiles, targets, and
// what the chosen token's step was spent on. Thread: GUI thread.

#include "gui/models/run_series.h"
#include "gui/views/view_base.h"

class QComboBox;
class QLabel;

namespace vitrine::gui {

class LatencyPlot;
class PlotMetricTile;
class PlotStackBar;

class LatencyView : public ViewBase {
    Q_OBJECT
public:
    explicit LatencyView(const ViewContext& context, QWidget* parent = nullptr);

    static double ttftTargetMs();  ///< setting "targets/ttftMs", 1000 by default
    static double tpotTargetMs();  ///< setting "targets/tpotMs", 50 by default

protected:
    void retranslate() override;
    void applyTheme() override;
    void refresh() override;
    void refreshSelection() override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void fitParts();
    void showTiles();
    void showTtft();
    void showStatistics();
    void showStep();
    QString pooledText() const;

    ViewHeader* header_;
    QComboBox* convention_;
    std::vector<PlotMetricTile*> tiles_;
    QLabel* ttftTitle_;
    PlotStackBar* ttftBar_;
    LatencyPlot* plot_;
    QLabel* statistics_;
    QLabel* stepTitle_;
    PlotStackBar* stepBar_;
    RunSeries series_;
};

}  // namespace vitrine::gui
