#pragma once
// A label that shortens its text with "…" instead of widening the window. Thread: GUI thread.

#include <QLabel>

namespace vitrine::gui {

/// As many of the parts of "a · b · c" as fit into `width` pixels, whole; a first part that does
/// not fit is shortened with "…", or left out where fewer than some letters would stay.
QString fittingParts(const QFontMetrics& metrics, const QString& text, int width);

class ElidedLabel : public QLabel {
    Q_OBJECT
public:
    using QLabel::QLabel;

    QSize minimumSizeHint() const override { return {20, QLabel::minimumSizeHint().height()}; }

    void setElideMode(Qt::TextElideMode mode) { mode_ = mode; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Qt::TextElideMode mode_ = Qt::ElideRight;
};

}  // namespace vitrine::gui
