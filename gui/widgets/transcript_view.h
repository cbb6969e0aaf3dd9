#pragma once
// The scrolling transcript of a chat: streaming answers with their tokens underlined by
// probability, selection and copying, version arrows, and the buttons of the message under the
// mouse. Follows the newest text only while at the bottom. Thread: GUI thread.

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include <QAbstractScrollArea>
#include <QTimer>

#include "gui/widgets/transcript_message.h"

class QToolButton;

namespace vitrine::gui {

class TranscriptButtons;

class TranscriptView : public QAbstractScrollArea {
    Q_OBJECT
public:
    explicit TranscriptView(QWidget* parent = nullptr);
    ~TranscriptView() override;

    /// All messages anew. keepPlace: the reader stays where they are; else the end is shown.
    void setMessages(std::vector<MessageContent> messages, bool keepPlace);
    /// Text of a growing answer: what `content` holds beyond what is there is appended.
    void grow(const MessageContent& content);
    /// Everything of a message but its text.
    void updateMeta(const MessageContent& content);
    /// Marked between messages: "N turns above are no longer sent". index: first message below it.
    void setDropMark(int index, const QString& text);

    void selectToken(int32_t turn, int32_t token);  ///< −1 = none
    void setTokensShown(bool isShown);

    bool areTokensShown() const { return showTokens_; }

    /// Tool tip of a token; empty = none.
    void setTokenTip(std::function<QString(int32_t turn, int32_t token)> tip) {
        tokenTip_ = std::move(tip);
    }

    int32_t currentTurn() const;  ///< keyboard's message; −1 = none
    void setCurrentTurn(int32_t turn);
    QString selectedText() const;
    void scrollToEnd();

    bool isAtEnd() const { return isFollowing_; }

    size_t messageCount() const { return messages_.size(); }

public slots:
    void copySelection();  ///< the selection, else the current message
    void moveCurrent(int delta);

signals:
    void tokenClicked(int32_t turn, int32_t token);
    void answerClicked(int32_t turn);
    void copyRequested(int32_t turn);
    void editRequested(int32_t turn);
    void regenerateRequested(int32_t turn);
    void removeRequested(int32_t turn);
    void versionRequested(int32_t turn, int delta);
    void menuRequested(int32_t turn, const QPoint& globalPos);
    void linkActivated(const QString& address);

protected:
    bool viewportEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    void restyle();
    void placeMessages(size_t first);
    void layOutVisible();
    void updateScrollBar();
    void onIdle();
    int messageAt(qreal y) const;
    TranscriptMessage* byTurn(int32_t turn, int* index = nullptr) const;
    qreal viewTop() const;
    void setHover(const QPointF& viewportPos);
    void placeButtons();
    qreal gapAbove(size_t index) const;

    std::vector<std::unique_ptr<TranscriptMessage>> messages_;
    RowFonts fonts_;
    qreal total_ = 0;
    bool isFollowing_ = true, isAdjusting_ = false;
    bool showTokens_ = true;
    int dropMark_ = -1;
    QString dropText_;
    int current_ = -1, hover_ = -1, hoverToken_ = -1;
    int32_t hoverCopy_ = -1;
    int copiedMessage_ = -1;
    int32_t copiedBlock_ = -1;
    int32_t selectedTurn_ = -1, selectedToken_ = -1;
    // Text selection, within one message.
    int selectMessage_ = -1;
    TextPlace anchor_, cursor_;
    bool isSelecting_ = false;
    std::function<QString(int32_t, int32_t)> tokenTip_;
    TranscriptButtons* buttons_ = nullptr;
    QToolButton* toEnd_ = nullptr;
    QTimer idle_, copiedTimer_;
};

}  // namespace vitrine::gui
