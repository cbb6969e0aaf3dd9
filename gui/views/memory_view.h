#pragma once
// Memory by purpose over time as stacked areas, the process's resident size as a line, and the
// exact bytes as a table that is the legend too. Thread: GUI thread.

#include "gui/models/memory_model.h"
#include "gui/views/view_base.h"

class QCPGraph;
class QCPGraphData;
class QCustomPlot;
class QTableView;

namespace vitrine::gui {

class PlotEdgeLabels;

class MemoryView : public ViewBase {
    Q_OBJECT
public:
    explicit MemoryView(const ViewContext& context, QWidget* parent = nullptr);

protected:
    void retranslate() override;
    void applyTheme() override;
    void refresh() override;
    void refreshSelection() override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void fitTable();
    void drawAreas();
    void labelEdge(const std::array<QVector<QCPGraphData>, kStackedParts>& sums,
                   const QVector<QCPGraphData>& process);
    std::array<QColor, kMemoryParts> colors() const;

    ViewHeader* header_;
    QCustomPlot* plot_;
    std::array<QCPGraph*, kStackedParts> areas_{};
    QCPGraph* process_ = nullptr;
    class QCPItemStraightLine* moment_ = nullptr;
    PlotEdgeLabels* labels_ = nullptr;
    MemoryModel* model_;
    QTableView* table_;
    double unit_ = 1;
};

}  // namespace vitrine::gui
