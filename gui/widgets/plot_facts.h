#pragma once
// A small table of figures: name, value, note. Painted by hand: a rich-text label with a table
// costs several milliseconds each time it changes. Thread: GUI thread.

#include <vector>

#include <QWidget>

namespace vitrine::gui {

class PlotFacts : public QWidget {
    Q_OBJECT
public:
    struct Row {
        QString name, value, note;

        bool operator==(const Row&) const = default;
    };

    explicit PlotFacts(QWidget* parent = nullptr);
    void setRows(std::vector<Row> rows);
    void applyTheme();
    QSize sizeHint() const override;

    QSize minimumSizeHint() const override { return {120, 20}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    struct Widths {
        int name = 0, value = 0, note = 0;
    };

    Widths widths() const;

    std::vector<Row> rows_;
};

}  // namespace vitrine::gui
