#pragma once
// Sampling parameters and limits as a form. Field names are the field's standard terms; tool tips
// say what they do and what switches them off. Beside each parameter stands whose value is in
// force: yours, the model's or the program's. Thread: GUI thread.

#include <array>

#include <QWidget>

#include "gui/session/chat.h"

class QCheckBox;
class QDoubleSpinBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;
class QToolButton;

namespace vitrine::gui {

class SamplingForm : public QWidget {
    Q_OBJECT
public:
    explicit SamplingForm(QWidget* parent = nullptr);

    SamplingSettings settings() const;
    void setSettings(const SamplingSettings& settings);
    /// What the open model recommends; nothing without a model.
    void setRecommended(const engine::RecommendedSampling& recommended);

    /// Whose value a parameter has now.
    engine::SamplingSource source(engine::SamplingField field) const;
    /// Gives a parameter back to the model or the program.
    void release(engine::SamplingField field);

signals:
    void edited();  ///< by the user

protected:
    void changeEvent(QEvent* event) override;

private:
    void retranslate();
    QDoubleSpinBox* addReal(double low, double high, double step, int decimals, int field = -1);
    QSpinBox* addWhole(int low, int high, int field = -1);
    void addRow(QWidget* field, QWidget* beside = nullptr);
    QToolButton* addSource(engine::SamplingField field);
    void own(engine::SamplingField field);
    engine::SamplingParams shownParams() const;
    void showParams(const engine::SamplingParams& params);
    void showSources();

    QFormLayout* form_ = nullptr;
    QDoubleSpinBox *temperature_, *topP_, *minP_, *typicalP_, *repeat_, *presence_, *frequency_,
        *firstTimeout_, *totalTimeout_;
    QSpinBox *topK_, *lastN_, *maxTokens_;
    QLineEdit *seed_, *stop_;
    QPushButton *reset_ = nullptr, *program_ = nullptr;
    QLabel* ignored_ = nullptr;
    std::array<QToolButton*, engine::kSamplingFieldCount> sources_{};
    engine::SamplingFields own_ = 0;
    engine::RecommendedSampling recommended_;
    bool isSetting_ = false;
};

}  // namespace vitrine::gui
