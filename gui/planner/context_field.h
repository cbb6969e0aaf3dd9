#pragma once
// A number of tokens: a slider over powers of two and a field for any other number. Thread: GUI
// thread.

#include <QWidget>

class QSlider;
class QSpinBox;

namespace vitrine::gui {

class ContextField : public QWidget {
    Q_OBJECT
public:
    static constexpr int kMost = 1 << 24;

    explicit ContextField(QWidget* parent = nullptr);

    int tokens() const;
    void setTokens(int tokens);  ///< tells nobody

signals:
    void edited();

protected:
    void changeEvent(QEvent* event) override;

private:
    void retranslate();
    void showOnSlider(int tokens);

    QSlider* slider_ = nullptr;
    QSpinBox* box_ = nullptr;
};

}  // namespace vitrine::gui
