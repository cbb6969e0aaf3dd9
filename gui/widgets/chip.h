#pragma once
// Pieces of the top bar: a chip with a strong and a quiet text (and a gauge), and a tile with a
// figure. Thread: GUI thread.

#include <QAbstractButton>

namespace vitrine::gui {

/// A button with two texts; the quiet one is shortened first. With a gauge: used share and, in
/// another shade, what would come on top.
class Chip : public QAbstractButton {
    Q_OBJECT
public:
    explicit Chip(QWidget* parent = nullptr);

    void setTexts(const QString& strong, const QString& quiet);
    void setTrailing(const QString& text);       ///< after the gauge
    void setGauge(double used, double pending);  ///< shares 0…1; used < 0 = no gauge
    void setMenuArrow(bool hasArrow);
    /// Only what stands after the gauge may be left out for lack of room.
    void setRigid(bool isRigid);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void enterEvent(QEnterEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    void invalidate();
    int contentWidth(int quietWidth) const;

    QString strong_, quiet_, trailing_;
    double used_ = -1, pending_ = 0;
    bool hasArrow_ = false, isRigid_ = false;
    mutable QSize hint_, minimum_;  ///< cached: asked for on every tick
};

/// A figure, what it is, and whether it is inside its target.
class FigureTile : public QWidget {
    Q_OBJECT
public:
    explicit FigureTile(QWidget* parent = nullptr);

    enum class Verdict { Unknown, Inside, Outside };

    void setFigure(const QString& figure, const QString& caption, Verdict verdict);
    void setMark(const QColor& color);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString figure_, caption_;
    Verdict verdict_ = Verdict::Unknown;
    QColor mark_;
    mutable QSize hint_;
};

}  // namespace vitrine::gui
