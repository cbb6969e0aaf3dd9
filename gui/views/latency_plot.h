#pragma once
// Gap before each token as a scatter, with percentile lines, the target band and the chosen token.
// Thread: GUI thread.

#include <optional>

#include <qcustomplot.h>

#include "gui/models/run_series.h"
#include "gui/widgets/plot_edge_labels.h"

namespace vitrine::gui {

class LatencyPlot : public QCustomPlot {
    Q_OBJECT
public:
    explicit LatencyPlot(QWidget* parent = nullptr);

    /// Appends what is new in the series.
    void setSeries(const RunSeries& series, double targetMs);
    void setSelected(std::optional<int32_t> index);  ///< among generated tokens
    void retranslate();
    void applyTheme();

    /// Index of the token nearest to a pixel; none without tokens.
    std::optional<int32_t> indexAt(const QPoint& pixel) const;
    QPoint pixelOf(int32_t index) const;

    /// Gaps above the shown range, drawn at its upper edge.
    int32_t clipped() const { return clipped_; }

signals:
    void chosen(int32_t index);

protected:
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void labelPercentiles();
    void labelAxes();

    QCPGraph* dots_;
    QCPGraph* outliers_;
    QCPItemRect* band_;
    QCPItemStraightLine* lines_[3];
    QCPItemStraightLine* moment_;
    PlotEdgeLabels* labels_;
    std::vector<float> itlMs_;
    SeriesSummary summary_;
    uint32_t runId_ = 0;
    int32_t clipped_ = 0;
    double top_ = 0;
};

}  // namespace vitrine::gui
