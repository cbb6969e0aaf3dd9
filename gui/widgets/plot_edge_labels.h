#pragma once
// Labels of values at the right of an axis rect, outside the data: direct names of lines and areas
// in their colours. Labels that would overlap are pushed apart. Thread: GUI thread.

#include <vector>

#include <qcustomplot.h>

namespace vitrine::gui {

class PlotEdgeLabels : public QCPLayerable {
    Q_OBJECT
public:
    struct Label {
        double value = 0;  ///< on the left axis
        QString text;
        QColor color;
    };

    /// Draws beside the plot's default axis rect.
    explicit PlotEdgeLabels(QCustomPlot* plot);

    /// Reserves the room that the texts need; less than a third of the plot, else none are drawn.
    void setLabels(std::vector<Label> labels);

protected:
    void applyDefaultAntialiasingHint(QCPPainter* painter) const override;
    void draw(QCPPainter* painter) override;

private:
    std::vector<Label> labels_;
    int width_ = 0;
};

}  // namespace vitrine::gui
