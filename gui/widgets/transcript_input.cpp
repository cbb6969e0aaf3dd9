#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QScrollBar>
#include <QToolTip>

#include "gui/widgets/transcript_buttons.h"
#include "gui/widgets/transcript_view.h"

// Mouse and keyboard of the transcript.

namespace vitrine::gui {

void TranscriptView::setHover(const QPointF& pos) {
    const qreal y = pos.y() + viewTop();
    int hover = messageAt(y + 4);
    int token = -1;
    int32_t copy = -1;
    Qt::CursorShape shape = Qt::ArrowCursor;
    if (hover >= 0) {
        TranscriptMessage& message = *messages_[static_cast<size_t>(hover)];
        const QPointF local(pos.x(), y - message.y);
        const bool isBeside = local.y() > message.height() + 10;
        if (isBeside) hover = -1;
        copy = message.copyButtonAt(local);
        const int arrow = message.versionArrowAt(local);
        if (showTokens_ && !isBeside) token = message.tokenAt(local);
        const bool isOnText = message.content().isUser ? message.bubbleRect().contains(local)
                                                       : local.y() < message.footerRect().top() ||
                                                             message.footerRect().isNull();
        if (copy >= 0 || arrow != 0 || !message.linkAt(local).isEmpty())
            shape = Qt::PointingHandCursor;
        else if (isOnText && !isBeside)
            shape = Qt::IBeamCursor;
    }
    viewport()->setCursor(shape);
    if (hover == hover_ && token == hoverToken_ && copy == hoverCopy_) return;
    hover_ = hover;
    hoverToken_ = token;
    hoverCopy_ = copy;
    placeButtons();
    viewport()->update();
}

void TranscriptView::placeButtons() {
    const int index = hover_ >= 0 ? hover_ : hasFocus() ? current_ : -1;
    if (index < 0 || index >= static_cast<int>(messages_.size()) || isSelecting_) {
        buttons_->hide();
        return;
    }
    const TranscriptMessage& message = *messages_[static_cast<size_t>(index)];
    bool isBusy = false;
    for (const auto& other : messages_) isBusy = isBusy || other->content().isGrowing;
    buttons_->message = index;
    buttons_->setKind(message.content().isUser, isBusy);
    const qreal top = message.y - viewTop();
    if (message.content().isUser) {
        const QRectF bubble = message.bubbleRect();
        buttons_->move(std::max(4, static_cast<int>(bubble.left()) - buttons_->width() - 6),
                       static_cast<int>(top + bubble.bottom()) - buttons_->height() - 5);
    } else {
        const qreal y = top + message.height() - buttons_->height() + 14;
        buttons_->move(viewport()->width() - buttons_->width() - 10, static_cast<int>(y));
    }
    buttons_->setVisible(!message.content().isGrowing);
    buttons_->raise();
}

bool TranscriptView::viewportEvent(QEvent* event) {
    if (event->type() == QEvent::Leave && !buttons_->underMouse()) {
        hover_ = hoverToken_ = -1;
        hoverCopy_ = -1;
        placeButtons();
        viewport()->update();
    }
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        QString tip;
        if (hover_ >= 0) {
            TranscriptMessage& message = *messages_[static_cast<size_t>(hover_)];
            const QPointF local(help->pos().x(), help->pos().y() + viewTop() - message.y);
            if (message.isOverFooter(local))
                tip = message.content().details;
            else if (const QString link = message.linkAt(local); !link.isEmpty())
                tip = link;
            else if (hoverToken_ >= 0 && tokenTip_)
                tip = tokenTip_(message.content().turn, hoverToken_);
        }
        if (tip.isEmpty())
            QToolTip::hideText();
        else
            QToolTip::showText(help->globalPos(), tip, viewport());
        return true;
    }
    return QAbstractScrollArea::viewportEvent(event);
}

void TranscriptView::mousePressEvent(QMouseEvent* event) {
    const QPointF pos = event->position();
    const int index = messageAt(pos.y() + viewTop() + 4);
    if (index < 0 || event->button() != Qt::LeftButton) return;
    TranscriptMessage& message = *messages_[static_cast<size_t>(index)];
    const QPointF local(pos.x(), pos.y() + viewTop() - message.y);
    const int32_t turn = message.content().turn;
    current_ = index;
    if (const int arrow = message.versionArrowAt(local); arrow != 0) {
        emit versionRequested(turn, arrow);
        return;
    }
    if (const int32_t block = message.copyButtonAt(local); block >= 0) {
        QApplication::clipboard()->setText(message.codeText(block));
        copiedMessage_ = index;
        copiedBlock_ = block;
        copiedTimer_.start(1500);
        viewport()->update();
        return;
    }
    selectMessage_ = index;
    cursor_ = message.placeAt(local);
    if (!(event->modifiers() & Qt::ShiftModifier)) anchor_ = cursor_;
    isSelecting_ = true;
    viewport()->update();
}

void TranscriptView::mouseMoveEvent(QMouseEvent* event) {
    const QPointF pos = event->position();
    if (!isSelecting_) {
        setHover(pos);
        return;
    }
    TranscriptMessage& message = *messages_[static_cast<size_t>(selectMessage_)];
    cursor_ = message.placeAt({pos.x(), pos.y() + viewTop() - message.y});
    if (pos.y() < 0 || pos.y() > viewport()->height())
        verticalScrollBar()->setValue(verticalScrollBar()->value() + (pos.y() < 0 ? -24 : 24));
    viewport()->update();
}

void TranscriptView::mouseReleaseEvent(QMouseEvent* event) {
    if (!isSelecting_) return;
    isSelecting_ = false;
    if (selectMessage_ < 0) return;
    TranscriptMessage& message = *messages_[static_cast<size_t>(selectMessage_)];
    if (anchor_.key() != cursor_.key()) {
        if (QApplication::clipboard()->supportsSelection())
            QApplication::clipboard()->setText(selectedText(), QClipboard::Selection);
        return;
    }
    // A click, not a selection: a link, a token, or the answer as a whole.
    selectMessage_ = -1;
    const QPointF local(event->position().x(), event->position().y() + viewTop() - message.y);
    const int32_t turn = message.content().turn;
    if (const QString link = message.linkAt(local); !link.isEmpty()) {
        emit linkActivated(link);
        return;
    }
    const int32_t token = message.tokenAt(local);
    if (token >= 0)
        emit tokenClicked(turn, token);
    else if (!message.content().isUser)
        emit answerClicked(turn);
    viewport()->update();
}

void TranscriptView::mouseDoubleClickEvent(QMouseEvent* event) {
    const int index = messageAt(event->position().y() + viewTop() + 4);
    if (index < 0) return;
    TranscriptMessage& message = *messages_[static_cast<size_t>(index)];
    const TextPlace place =
        message.placeAt({event->position().x(), event->position().y() + viewTop() - message.y});
    const MarkdownRow& row = message.rows()[static_cast<size_t>(place.row)];
    if (row.cells.empty()) return;
    const QString& text = row.cells[static_cast<size_t>(place.at.cell)].text;
    const auto isWord = [&text](int i) {
        return i >= 0 && i < text.size() && (text[i].isLetterOrNumber() || text[i] == '_');
    };
    int from = place.at.pos, to = place.at.pos;
    while (isWord(from - 1)) --from;
    while (isWord(to)) ++to;
    selectMessage_ = index;
    anchor_ = cursor_ = place;
    anchor_.at.pos = from;
    cursor_.at.pos = to;
    viewport()->update();
}

void TranscriptView::contextMenuEvent(QContextMenuEvent* event) {
    int index = current_;
    if (event->reason() == QContextMenuEvent::Mouse)
        index = messageAt(event->pos().y() + viewTop() + 4);
    if (index < 0 || index >= static_cast<int>(messages_.size())) return;
    current_ = index;
    const TranscriptMessage& message = *messages_[static_cast<size_t>(index)];
    const QPoint at = event->reason() == QContextMenuEvent::Mouse
                          ? event->globalPos()
                          : viewport()->mapToGlobal(QPoint(
                                40, std::max(8, static_cast<int>(message.y - viewTop()) + 12)));
    emit menuRequested(message.content().turn, at);
}

void TranscriptView::keyPressEvent(QKeyEvent* event) {
    QScrollBar* bar = verticalScrollBar();
    if (event->matches(QKeySequence::Copy)) {
        copySelection();
    } else if (event->matches(QKeySequence::SelectAll) && !messages_.empty()) {
        selectMessage_ = current_ >= 0 ? current_ : static_cast<int>(messages_.size()) - 1;
        std::tie(anchor_, cursor_) = messages_[static_cast<size_t>(selectMessage_)]->everything();
        viewport()->update();
    } else if (event->key() == Qt::Key_Home) {
        bar->setValue(0);
    } else if (event->key() == Qt::Key_End) {
        scrollToEnd();
    } else if (event->modifiers() & Qt::AltModifier &&
               (event->key() == Qt::Key_Up || event->key() == Qt::Key_Down)) {
        moveCurrent(event->key() == Qt::Key_Up ? -1 : 1);
    } else if ((event->key() == Qt::Key_Left || event->key() == Qt::Key_Right) &&
               selectedTurn_ >= 0) {
        const TranscriptMessage* message = byTurn(selectedTurn_);
        const int next = selectedToken_ + (event->key() == Qt::Key_Left ? -1 : 1);
        if (message && next >= 0 && next < message->content().tokenEnds.size())
            emit tokenClicked(selectedTurn_, next);
    } else {
        QAbstractScrollArea::keyPressEvent(event);
    }
}

void TranscriptView::moveCurrent(int delta) {
    if (messages_.empty()) return;
    const int last = static_cast<int>(messages_.size()) - 1;
    current_ = current_ < 0 ? last : std::clamp(current_ + delta, 0, last);
    const TranscriptMessage& message = *messages_[static_cast<size_t>(current_)];
    const qreal top = viewTop();
    if (message.y < top + 8)
        verticalScrollBar()->setValue(static_cast<int>(message.y) - 12);
    else if (message.y + message.height() > top + viewport()->height())
        verticalScrollBar()->setValue(static_cast<int>(
            std::min(message.y - 12, message.y + message.height() - viewport()->height() + 16)));
    setFocus(Qt::ShortcutFocusReason);
    placeButtons();
    viewport()->update();
}

QString TranscriptView::selectedText() const {
    if (selectMessage_ < 0 || anchor_.key() == cursor_.key()) return {};
    const bool isForward = anchor_.key() < cursor_.key();
    return messages_[static_cast<size_t>(selectMessage_)]->selectedText(
        isForward ? anchor_ : cursor_, isForward ? cursor_ : anchor_);
}

void TranscriptView::copySelection() {
    const QString text = selectedText();
    if (!text.isEmpty())
        QApplication::clipboard()->setText(text);
    else if (currentTurn() >= 0)
        emit copyRequested(currentTurn());
}

}  // namespace vitrine::gui
