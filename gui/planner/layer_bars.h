#pragma once
// The KV cache of each layer as bars: windowed layers stand out by colour and height. Thread: GUI
// thread.

#include <QWidget>

#include "engine/plan/kv_plan.h"

class QCPBars;
class QCustomPlot;

namespace vitrine::gui {

class LayerBars : public QWidget {
    Q_OBJECT
public:
    explicit LayerBars(QWidget* parent = nullptr);

    void setLayers(const engine::ModelShape& shape, const engine::KvPlan& plan);
    void clear();

protected:
    void changeEvent(QEvent* event) override;

private:
    void draw();
    void applyTheme();
    void showTip(const QPoint& pos);

    engine::ModelShape shape_;
    engine::KvPlan plan_;
    QCustomPlot* plot_ = nullptr;
    QCPBars *full_ = nullptr, *windowed_ = nullptr;
};

}  // namespace vitrine::gui
