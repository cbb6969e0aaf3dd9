#pragma once
// What a view shows instead of an empty canvas: a title, and the next step in one sentence. Thread:
// GUI thread.

#include <QWidget>

namespace vitrine::gui {

class PlotNotice : public QWidget {
    Q_OBJECT
public:
    using QWidget::QWidget;
    void setTexts(const QString& title, const QString& hint);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString title_, hint_;
};

}  // namespace vitrine::gui
