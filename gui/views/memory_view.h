#pragma once
// Memory by purpose over time as stacked areas, the process's resident size as a line, and the
// exact bytes as a table that is the legend too. Thread: GUI thread.

#include "gui/models/memory_model.h"
#include "gui/views/view_base.h"

class QCPGraph;
class QCustomPlot;
class QTableView;

namespace vitrine::gui {

class MemoryView : public ViewBase {
    Q_OBJECT
public:
    explicit MemoryView(const ViewContext& context, QWidget* parent = nullptr);

protected:
    void retranslate() override;
    void applyTheme() override;
    void refresh() override;
    void refreshSelection() override;

private:
    void drawAreas();
    std::array<QColor, kMemoryParts> colors() const;

    ViewHeader* header_;
    QCustomPlot* plot_;
    std::array<QCPGraph*, kStackedParts> areas_{};
    QCPGraph* process_ = nullptr;
    class QCPItemStraightLine* moment_ = nullptr;
    MemoryModel* model_;
    QTableView* table_;
    double unit_ = 1;
};

}  // namespace vitrine::gui
