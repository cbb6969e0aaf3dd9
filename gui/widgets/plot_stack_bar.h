#pragma once
// One horizontal stacked bar with its legend underneath: parts of TTFT, op classes of a step.
// Labels never lie over the bar. Thread: GUI thread.

#include <vector>

#include <QColor>
#include <QWidget>

namespace vitrine::gui {

class PlotStackBar : public QWidget {
    Q_OBJECT
public:
    struct Part {
        QString name;
        QString value;  ///< as written in the legend, with its unit
        double amount = 0;
        QColor color;
    };

    explicit PlotStackBar(QWidget* parent = nullptr);

    /// Parts of amount ≤ 0 are listed but take no width. `fullScale` ≥ the sum shows an unfilled
    /// rest (a target); ≤ 0 = the sum. `mark` > 0 draws a tick at that amount.
    void setParts(std::vector<Part> parts, double fullScale = 0, double mark = 0,
                  const QString& markName = {});

    size_t partCount() const { return parts_.size(); }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

    bool hasHeightForWidth() const override { return true; }

    int heightForWidth(int width) const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    struct LegendItem {
        QRect rect;
        size_t part = 0;
    };

    std::vector<LegendItem> layoutLegend(int width, int* height) const;
    double scale() const;
    QRectF barRect() const;

    std::vector<Part> parts_;
    double fullScale_ = 0, mark_ = 0;
    QString markName_;
};

}  // namespace vitrine::gui
