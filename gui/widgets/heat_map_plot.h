#pragma once
// The attention picture of one layer and head: zoomable cells with token labels on both axes, the
// sink token in a lane of its own, a colour bar, a caption that says what is shown, selection and
// hover. It knows cells and labels, not snapshots. Thread: GUI thread.

#include <functional>
#include <optional>

#include <qcustomplot.h>

#include "gui/widgets/heat_map_elements.h"

namespace vitrine::gui {

class HeatMapPlot : public QCustomPlot {
    Q_OBJECT
public:
    struct Cell {
        int32_t pos = 0, keyPos = 0;

        bool operator==(const Cell&) const = default;
    };

    explicit HeatMapPlot(QWidget* parent = nullptr);

    /// Grids are kept by the caller; it calls cellsChanged() after changing them.
    void setGrids(const CellGrid* cells, const CellGrid* lane);
    void cellsChanged();
    /// Number of positions that the axes span. Follows growth while the whole is shown.
    void setPositions(int32_t nPositions);
    /// Label of a position; called for visible ones only.
    void setLabelFunction(std::function<QString(int32_t pos)> label);
    void setPainting(const HeatMapPainting& painting);
    void setCaption(const QString& caption);
    void setSelected(std::optional<int32_t> pos, std::optional<int32_t> keyPos);
    void retranslate();
    void applyTheme();

    /// Positions on screen, clipped to the sequence.
    CellRange visibleRange() const;
    /// Device pixels of the cell area.
    QSize cellPixels() const;

    bool isWholeShown() const { return followsWhole_; }

    /// The cell under a widget pixel; none outside the cells.
    std::optional<Cell> cellAt(const QPoint& pixel) const;
    /// The widget pixel at the middle of a cell.
    QPoint pixelOf(const Cell& cell) const;

    bool exportSvg(const QString& path);

public slots:
    void zoomBy(double factor);
    void showWhole();

signals:
    void viewportChanged();
    void cellChosen(int32_t pos, int32_t keyPos);
    void cellHovered(int32_t pos, int32_t keyPos, const QPoint& globalPos);
    void hoverLeft();
    void layerStepped(int delta);
    void headStepped(int delta);

protected:
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    void layOut();
    void rangesChanged();
    void drawLabels(QCPPainter* painter);
    void drawQueryLabels(QCPPainter* painter, bool asTokens);
    void drawKeyLabels(QCPPainter* painter, bool asTokens);
    void drawSelection(QCPPainter* painter);
    void drawMark(QCPPainter* painter, int32_t pos, int32_t keyPos, const QColor& color);
    double rowPixels() const;
    double columnPixels() const;
    /// Pieces are written at rows (keys: columns) of at least this many pixels; else numbers.
    bool hasQueryTokens() const;
    bool hasKeyTokens() const;
    /// The label font, smaller where `room` pixels are less than its line.
    QFont labelFont(double room) const;

    QCPAxisRect* laneRect_;
    QCPAxisRect* mainRect_;
    HeatMapPlottable* lane_;
    HeatMapPlottable* cells_;
    HeatMapScaleBar* bar_;
    std::function<QString(int32_t)> label_;
    QString queryTitle_, keyTitle_, sinkTitle_, caption_;
    int32_t nPositions_ = 0;
    bool followsWhole_ = true;
    bool isSettingRanges_ = false;
    QPoint pressPoint_;
    std::optional<Cell> hovered_;
    std::optional<int32_t> selectedPos_, selectedKey_;
};

}  // namespace vitrine::gui
