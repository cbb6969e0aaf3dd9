#pragma once
// The run on one line: tokenize, one bar per layer of the prefill, one bar per generated token, and
// the scrubber. Heights are times, on a scale per station. Thread: GUI thread.

#include <memory>
#include <optional>

#include <QWidget>

#include "gui/models/run_series.h"

namespace vitrine::gui {

class TimelineStrip : public QWidget {
    Q_OBJECT
public:
    explicit TimelineStrip(QWidget* parent = nullptr);

    void setRun(const SnapshotPtr& snapshot);
    void setMoment(std::optional<int32_t> pos, int32_t layer);
    void retranslate();

    std::optional<int32_t> posAt(const QPoint& point) const;
    std::optional<int32_t> layerAt(const QPoint& point) const;
    double xOf(int32_t pos) const;

    QSize sizeHint() const override { return {800, 84}; }

    QSize minimumSizeHint() const override { return {200, 56}; }

signals:
    void posChosen(int32_t pos);
    void layerChosen(int32_t layer);
    void stepped(int delta);
    void liveWanted();

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    struct Geometry {
        QRectF tokenize, prefill, decode;
        double bottom = 0;
        double perToken = 1;  ///< pixels in decode
    };

    Geometry geometry() const;
    void paintPrefill(QPainter& painter, const Geometry& g) const;
    void paintDecode(QPainter& painter, const Geometry& g) const;
    void paintScrubber(QPainter& painter, const Geometry& g) const;
    QString describe(const QPoint& point) const;
    QString describeOps(const std::array<int64_t, observe::kOpClassCount>& opNs) const;
    int32_t barCount() const;

    SnapshotPtr snapshot_;
    RunSeries series_;
    std::optional<int32_t> pos_;
    int32_t layer_ = 0;
    bool isDragging_ = false;
    QString tokenizeName_, layersName_, decodeName_;
};

}  // namespace vitrine::gui
