#pragma once
// Before a model is loaded: what it will take against free memory, the largest context that fits,
// and the choice to load it anyway. Thread: GUI thread.

#include <QDialog>

#include "engine/plan/shape_reader.h"
#include "engine/runtime/memory_plan.h"
#include "engine/runtime/messages.h"

class QComboBox;
class QLabel;
class QPushButton;

namespace vitrine::gui {

class ContextField;
class PlotStackBar;

class LoadDialog : public QDialog {
    Q_OBJECT
public:
    /// options: as the settings have them. Requires: model.config.
    LoadDialog(engine::PlannedModel model, const engine::LoadOptions& options, uint64_t freeBytes,
               QWidget* parent = nullptr);

    /// With the context, the type of the cache and, where it does not fit, `force`.
    engine::LoadOptions options() const;

    ContextField& context() { return *context_; }

    QPushButton& loadButton() { return *load_; }

protected:
    void changeEvent(QEvent* event) override;

private:
    engine::MemoryPlan planned() const;
    engine::KvTypes types() const;
    bool fits(const engine::MemoryPlan& plan) const;
    void retranslate();
    void refresh();

    engine::PlannedModel model_;
    engine::LoadOptions options_;
    uint64_t freeBytes_;
    QLabel *title_ = nullptr, *weights_ = nullptr, *contextLabel_ = nullptr, *typeLabel_ = nullptr,
           *typeVLabel_ = nullptr, *barTitle_ = nullptr, *verdict_ = nullptr, *hint_ = nullptr;
    ContextField* context_ = nullptr;
    QComboBox *type_ = nullptr, *typeV_ = nullptr;
    QPushButton *load_ = nullptr, *cancel_ = nullptr, *largest_ = nullptr;
    PlotStackBar* bar_ = nullptr;
};

}  // namespace vitrine::gui
