#pragma once
// What the planner found, as a page: the cache in bytes, a bar against free memory, layers, other
// kinds of attention. Thread: GUI thread.

#include <optional>

#include <QWidget>

#include "engine/plan/shape_reader.h"

class QLabel;

namespace vitrine::gui {

class LayerBars;
class PlotStackBar;

/// Everything a page of results depends on.
struct PlannerQuestion {
    engine::PlannedModel model;
    engine::ModelShape shape;  ///< the model's, or with another kind of attention
    engine::KvRequest request;
    uint64_t freeBytes = 0;  ///< 0 = unknown
};

class PlannerResults : public QWidget {
    Q_OBJECT
public:
    explicit PlannerResults(QWidget* parent = nullptr);

    void show(const PlannerQuestion& question);
    void showProblem(const QString& problem);

    QString headline() const;

private:
    QString facts(const engine::KvPlan& plan) const;
    QString whatIf() const;
    void showBar(const engine::KvPlan& plan);
    uint64_t scratchBytes() const;

    std::optional<PlannerQuestion> question_;
    QLabel *headline_ = nullptr, *exact_ = nullptr, *facts_ = nullptr, *verdict_ = nullptr,
           *barTitle_ = nullptr, *layersTitle_ = nullptr, *whatIf_ = nullptr;
    PlotStackBar* bar_ = nullptr;
    LayerBars* layers_ = nullptr;
};

}  // namespace vitrine::gui
