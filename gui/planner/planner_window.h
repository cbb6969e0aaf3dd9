#pragma once
// The KV planner: what a model and its cache would take, for the open model, any file, a
// config.json, a published model or free numbers. Loads nothing. Thread: GUI thread.

#include <map>

#include <QDialog>

#include "gui/planner/planner_results.h"

class QCheckBox;
class QComboBox;
class QFormLayout;
class QLabel;
class QPushButton;
class QScrollArea;
class QSpinBox;

namespace vitrine::gui {

class ContextField;

class PlannerWindow : public QDialog {
    Q_OBJECT
public:
    explicit PlannerWindow(QWidget* parent);

    /// What can be chosen by name: the open model (empty = none) and others on this machine.
    void setModels(const QString& openPath, const QStringList& others);
    /// A GGUF file, a folder or a config.json; → planned.
    void plan(const QString& path);
    void planPublished(const QString& name);

    PlannerResults& results() { return *results_; }

    ContextField& context() { return *context_; }

signals:
    void planned();

protected:
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    QWidget* buildInputs();
    QSpinBox* addNumber(int low, int high);
    void retranslate();
    void fillModels();
    void chooseSource(int index);
    void chooseFile(bool isConfig);
    void take(const engine::PlannedModel& model, const QString& name);
    void showNumbers();
    void readNumbers();
    void refresh();

    engine::PlannedModel model_;
    QString openPath_, shownName_, problem_;
    QStringList others_;
    bool isFree_ = false, isSetting_ = false;
    QFormLayout* form_ = nullptr;
    QComboBox *source_ = nullptr, *kind_ = nullptr, *k_ = nullptr, *v_ = nullptr, *page_ = nullptr;
    QSpinBox *layers_ = nullptr, *dim_ = nullptr, *heads_ = nullptr, *kvHeads_ = nullptr,
             *headDim_ = nullptr, *ffDim_ = nullptr, *vocab_ = nullptr;
    ContextField* context_ = nullptr;
    QCheckBox* windows_ = nullptr;
    QLabel* note_ = nullptr;
    QPushButton* close_ = nullptr;
    QScrollArea* inputs_ = nullptr;
    PlannerResults* results_ = nullptr;
};

}  // namespace vitrine::gui
