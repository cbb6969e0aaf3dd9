#pragma once
// One headline number: value, name, small note, with a bar in the station's colour at the left.
// Thread: GUI thread.

#include <QColor>
#include <QFrame>

class QLabel;

namespace vitrine::gui {

class PlotMetricTile : public QFrame {
    Q_OBJECT
public:
    /// `color`: which member of the theme marks it.
    explicit PlotMetricTile(QColor (*color)(), QWidget* parent = nullptr);
    void setTexts(const QString& value, const QString& name, const QString& note = {});
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QColor (*color_)();
    QString value_, name_, note_;
};

}  // namespace vitrine::gui
