#pragma once
// A sequence as text made of coloured pieces with their ids, wrapped like text, scrolled, painted
// by the visible lines only: 50,000 pieces cost no more than a screen. Thread: GUI thread.

#include <optional>
#include <vector>

#include <QAbstractScrollArea>
#include <QStringList>

#include "gui/session/snapshot.h"

namespace vitrine::gui {

class TokenFlow : public QAbstractScrollArea {
    Q_OBJECT
public:
    explicit TokenFlow(QWidget* parent = nullptr);

    /// Shows the tokens of a run. New tokens at the end are appended; anything else starts over.
    void setRun(const std::shared_ptr<const RunRecord>& run);
    void setSelected(std::optional<int32_t> pos);  ///< scrolls to it
    void setHasIds(bool hasIds);
    void applyTheme();
    void retranslate();

    int32_t count() const { return static_cast<int32_t>(pieces_.size()); }

    std::optional<int32_t> posAt(const QPoint& viewportPoint) const;
    /// In viewport coordinates.
    QRect pieceRect(int32_t pos) const;

    QSize sizeHint() const override { return {480, 240}; }

    QSize minimumSizeHint() const override { return {120, 80}; }

signals:
    void chosen(int32_t pos);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool viewportEvent(QEvent* event) override;

private:
    struct Piece {
        int32_t x = 0, width = 0, line = 0;
    };

    void layOut(size_t first);
    void updateScrollBar();
    int lineHeight() const;
    QString label(int32_t pos) const;
    void paintPiece(QPainter& painter, int32_t pos, const QRect& rect) const;
    QString describe(const TokenRecord& token) const;
    void reveal(int32_t pos);

    std::shared_ptr<const RunRecord> run_;
    std::vector<Piece> pieces_;
    std::vector<int32_t> firstOfLine_;  ///< [line]
    std::optional<int32_t> selected_, hovered_;
    bool hasIds_ = true;
    int layoutWidth_ = 0;
};

}  // namespace vitrine::gui
