#pragma once
// Sampling parameters and limits as a form. Field names are the field's standard terms; tool tips
// say what they do and what switches them off. Thread: GUI thread.

#include <QWidget>

#include "gui/session/chat.h"

class QCheckBox;
class QDoubleSpinBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;

namespace vitrine::gui {

class SamplingForm : public QWidget {
    Q_OBJECT
public:
    explicit SamplingForm(QWidget* parent = nullptr);

    SamplingSettings settings() const;
    void setSettings(const SamplingSettings& settings);

signals:
    void edited();  ///< by the user

protected:
    void changeEvent(QEvent* event) override;

private:
    void retranslate();
    QDoubleSpinBox* addReal(double low, double high, double step, int decimals);
    QSpinBox* addWhole(int low, int high);
    void addRow(QWidget* field);

    QFormLayout* form_ = nullptr;
    QDoubleSpinBox *temperature_, *topP_, *minP_, *typicalP_, *repeat_, *presence_, *frequency_,
        *firstTimeout_, *totalTimeout_;
    QSpinBox *topK_, *lastN_, *maxTokens_;
    QLineEdit *seed_, *stop_;
    QPushButton* reset_ = nullptr;
    bool isSetting_ = false;
};

}  // namespace vitrine::gui
