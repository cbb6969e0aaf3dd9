#pragma once
// Shows a prompt, as text or as tokens: template and content told apart by their background,
// special tokens as chips, spaces marked on demand. Paints the visible lines only and lays out in
// slices. Thread: GUI thread.

#include <memory>
#include <optional>

#include <QAbstractScrollArea>
#include <QTimer>

#include "gui/prompt/prompt_layout.h"

namespace vitrine::gui {

class PromptFlow : public QAbstractScrollArea {
    Q_OBJECT
public:
    explicit PromptFlow(QWidget* parent = nullptr);

    /// Null = nothing. What was on show stays until the new one is laid out.
    void setPrompt(PromptTextPtr prompt);
    void setTokens(bool isTokens);
    void setSpacesShown(bool areShown);
    void setPale(bool isPale);  ///< what is shown is no longer the newest
    void applyTheme();
    void retranslate();

    bool isTokens() const { return isTokens_; }

    /// Null before the first is laid out.
    const PromptLayout* layout() const { return shown_.get(); }

    /// Nothing is left to lay out.
    bool isSettled() const { return next_ == nullptr; }

    std::optional<int32_t> cellAt(const QPoint& viewportPoint) const;
    QRectF cellRect(int32_t cell) const;  ///< in viewport coordinates
    QString selectedText() const;         ///< empty = nothing is selected
    QString selectedIds() const;          ///< the same, as tokens only
    QString currentText() const;          ///< a line about the current cell; empty without one

    QSize minimumSizeHint() const override { return {160, 90}; }

signals:
    void currentChanged();  ///< another cell, or none

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    bool viewportEvent(QEvent* event) override;

private:
    static constexpr int kMargin = 8;  ///< above the first line and below the last

    void layOut();
    void goOn();
    void updateScrollBar();
    int lineHeight() const;
    int count() const;
    void setCurrent(std::optional<int32_t> cell, bool extends);
    void paintLine(QPainter& painter, int line, int top) const;
    void paintToken(QPainter& painter, int32_t cell, const QRectF& rect) const;
    void paintSpaces(QPainter& painter, int32_t cell, const QRectF& rect) const;
    void paintChip(QPainter& painter, int32_t cell, const QRectF& rect) const;
    QString describe(int32_t cell) const;

    PromptTextPtr prompt_;
    std::unique_ptr<PromptLayout> shown_, next_;
    QTimer slice_;
    std::optional<int32_t> current_, anchor_;
    bool isTokens_ = false, spacesShown_ = false, isPale_ = false;
    int layoutWidth_ = 0;
};

}  // namespace vitrine::gui
