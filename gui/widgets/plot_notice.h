#pragma once
// What a view shows instead of an empty canvas: a title, and the next step in one sentence. Thread:
// GUI thread.

#include <QWidget>

class QPushButton;

namespace vitrine::gui {

class PlotNotice : public QWidget {
    Q_OBJECT
public:
    explicit PlotNotice(QWidget* parent = nullptr);
    /// action: text of a button under the hint; empty = none.
    void setTexts(const QString& title, const QString& hint, const QString& action = {});

signals:
    void actionWanted();

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Placement {
        QRect title, hint;
    };

    Placement place() const;
    void placeButton();

    QPushButton* button_;
    QString title_, hint_;
};

}  // namespace vitrine::gui
