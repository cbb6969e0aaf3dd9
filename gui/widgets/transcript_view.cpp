#include "gui/widgets/transcript_view.h"

#include <algorithm>
#include <cmath>

#include <QApplication>
#include <QClipboard>
#include <QElapsedTimer>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>

#include "gui/widgets/icons.h"
#include "gui/widgets/theme.h"
#include "gui/widgets/transcript_buttons.h"

namespace vitrine::gui {
namespace {

constexpr qreal kTopPadding = 16, kBottomPadding = 20;
constexpr qreal kMessageGap = 18, kDropMarkHeight = 30;

}  // namespace

TranscriptView::TranscriptView(QWidget* parent)
    : QAbstractScrollArea(parent), fonts_(RowFonts::make()) {
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::StrongFocus);
    viewport()->setMouseTracking(true);
    viewport()->setAutoFillBackground(false);
    verticalScrollBar()->setSingleStep(48);
    buttons_ = new TranscriptButtons(viewport());
    buttons_->hide();
    const auto turnOf = [this] {
        const int i = buttons_->message;
        return i >= 0 && i < static_cast<int>(messages_.size())
                   ? messages_[static_cast<size_t>(i)]->content().turn
                   : -1;
    };
    connect(buttons_, &TranscriptButtons::copyClicked, this,
            [=, this] { emit copyRequested(turnOf()); });
    connect(buttons_, &TranscriptButtons::editClicked, this,
            [=, this] { emit editRequested(turnOf()); });
    connect(buttons_, &TranscriptButtons::regenerateClicked, this,
            [=, this] { emit regenerateRequested(turnOf()); });
    connect(buttons_, &TranscriptButtons::removeClicked, this,
            [=, this] { emit removeRequested(turnOf()); });
    toEnd_ = new IconButton(Icon::Down, viewport());
    toEnd_->setProperty("role", "round");
    toEnd_->setFocusPolicy(Qt::NoFocus);
    toEnd_->setFixedSize(32, 32);
    toEnd_->hide();
    connect(toEnd_, &QToolButton::clicked, this, &TranscriptView::scrollToEnd);
    idle_.setInterval(0);
    connect(&idle_, &QTimer::timeout, this, &TranscriptView::onIdle);
    copiedTimer_.setSingleShot(true);
    connect(&copiedTimer_, &QTimer::timeout, this, [this] {
        copiedMessage_ = -1;
        viewport()->update();
    });
    connect(ThemeNotifier::instance(), &ThemeNotifier::changed, this, &TranscriptView::restyle);
    changeEvent(nullptr);
}

TranscriptView::~TranscriptView() = default;

void TranscriptView::restyle() {
    fonts_ = RowFonts::make();
    for (auto& message : messages_) message->setWidth(viewport()->width(), fonts_);
    placeMessages(0);
    layOutVisible();
    viewport()->update();
}

void TranscriptView::setMessages(std::vector<MessageContent> messages, bool keepPlace) {
    // A message that did not change keeps its layout.
    std::vector<std::unique_ptr<TranscriptMessage>> old = std::move(messages_);
    messages_.clear();
    const int32_t current = current_ >= 0 && current_ < static_cast<int>(old.size())
                                ? old[static_cast<size_t>(current_)]->content().turn
                                : -1;
    for (size_t i = 0; i < messages.size(); ++i) {
        MessageContent& content = messages[i];
        const bool isSame = i < old.size() && old[i] && old[i]->content().turn == content.turn &&
                            old[i]->content().isUser == content.isUser &&
                            old[i]->content().isGrowing == content.isGrowing &&
                            old[i]->content().text == content.text;
        if (isSame) {
            old[i]->setMeta(content);
            messages_.push_back(std::move(old[i]));
        } else {
            messages_.push_back(std::make_unique<TranscriptMessage>(std::move(content), fonts_));
            messages_.back()->setWidth(viewport()->width(), fonts_);
        }
    }
    current_ = hover_ = hoverToken_ = -1;
    for (size_t i = 0; i < messages_.size(); ++i)
        if (current >= 0 && messages_[i]->content().turn == current) current_ = static_cast<int>(i);
    selectMessage_ = -1;
    buttons_->hide();
    if (!keepPlace) isFollowing_ = true;
    placeMessages(0);
    layOutVisible();
    viewport()->update();
}

void TranscriptView::grow(const MessageContent& content) {
    int index = -1;
    TranscriptMessage* message = byTurn(content.turn, &index);
    if (!message) return;
    const qsizetype have = message->content().text.size();
    if (content.text.size() > have)
        message->append(content.text.mid(have), content.tokenEnds, content.tokenProbs);
    message->setMeta(content);
    placeMessages(static_cast<size_t>(index));
    layOutVisible();
    viewport()->update();
}

void TranscriptView::updateMeta(const MessageContent& content) {
    int index = -1;
    TranscriptMessage* message = byTurn(content.turn, &index);
    if (!message) return;
    message->setMeta(content);
    placeMessages(static_cast<size_t>(index));
    layOutVisible();
    viewport()->update();
}

void TranscriptView::setDropMark(int index, const QString& text) {
    dropMark_ = index;
    dropText_ = text;
    placeMessages(0);
    viewport()->update();
}

void TranscriptView::selectToken(int32_t turn, int32_t token) {
    if (selectedTurn_ == turn && selectedToken_ == token) return;
    selectedTurn_ = turn;
    selectedToken_ = token;
    viewport()->update();
}

void TranscriptView::setTokensShown(bool isShown) {
    showTokens_ = isShown;
    viewport()->update();
}

TranscriptMessage* TranscriptView::byTurn(int32_t turn, int* index) const {
    for (size_t i = messages_.size(); i-- > 0;)
        if (messages_[i]->content().turn == turn) {
            if (index) *index = static_cast<int>(i);
            return messages_[i].get();
        }
    return nullptr;
}

int32_t TranscriptView::currentTurn() const {
    return current_ >= 0 ? messages_[static_cast<size_t>(current_)]->content().turn : -1;
}

void TranscriptView::setCurrentTurn(int32_t turn) {
    current_ = -1;
    byTurn(turn, &current_);
    viewport()->update();
}

qreal TranscriptView::gapAbove(size_t index) const {
    const qreal gap = index == 0 ? kTopPadding : kMessageGap;
    return gap + (static_cast<int>(index) == dropMark_ ? kDropMarkHeight : 0);
}

void TranscriptView::placeMessages(size_t first) {
    qreal y = first > 0 ? messages_[first - 1]->y + messages_[first - 1]->height() : 0;
    for (size_t i = first; i < messages_.size(); ++i) {
        y += gapAbove(i);
        messages_[i]->y = y;
        y += messages_[i]->height();
    }
    total_ = y + kBottomPadding;
    updateScrollBar();
}

void TranscriptView::updateScrollBar() {
    isAdjusting_ = true;
    const int most = std::max(0, static_cast<int>(std::ceil(total_)) - viewport()->height());
    verticalScrollBar()->setPageStep(viewport()->height());
    verticalScrollBar()->setRange(0, most);
    if (isFollowing_) verticalScrollBar()->setValue(most);
    isAdjusting_ = false;
}

qreal TranscriptView::viewTop() const {
    return verticalScrollBar()->value();
}

int TranscriptView::messageAt(qreal y) const {
    const auto it =
        std::upper_bound(messages_.begin(), messages_.end(), y,
                         [](qreal value, const auto& message) { return value < message->y; });
    return static_cast<int>(it - messages_.begin()) - 1;
}

void TranscriptView::layOutVisible() {
    // Measuring moves what is below, and what is above when it was only estimated: a few rounds
    // settle it, and the text under the reader's eye stays where it is.
    for (int round = 0; round < 8; ++round) {
        const qreal top = viewTop(), bottom = top + viewport()->height();
        bool changed = false;
        qreal shift = 0;
        size_t firstChanged = messages_.size();
        for (size_t i = static_cast<size_t>(std::max(0, messageAt(top)));
             i < messages_.size() && messages_[i]->y <= bottom; ++i) {
            qreal above = 0;
            if (messages_[i]->layOut(top - messages_[i]->y, bottom - messages_[i]->y, &above)) {
                changed = true;
                firstChanged = std::min(firstChanged, i);
                shift += above;
            }
        }
        if (!changed) break;
        placeMessages(firstChanged);
        if (!isFollowing_ && shift != 0) {
            isAdjusting_ = true;
            verticalScrollBar()->setValue(verticalScrollBar()->value() +
                                          static_cast<int>(std::lround(shift)));
            isAdjusting_ = false;
        }
    }
    placeButtons();
    if (!idle_.isActive()) idle_.start();
}

void TranscriptView::onIdle() {
    QElapsedTimer clock;
    clock.start();
    const qreal top = viewTop(), height = viewport()->height();
    const int anchor = std::max(0, messageAt(top));
    bool isAllDone = true;
    for (size_t i = messages_.size(); i-- > 0 && clock.nsecsElapsed() < 3'000'000;) {
        TranscriptMessage& message = *messages_[i];
        const qreal before = message.height();
        bool didMore = false;
        while (clock.nsecsElapsed() < 3'000'000 && message.layOutOne()) didMore = true;
        if (didMore) {
            isAllDone = false;
            const qreal delta = message.height() - before;
            placeMessages(i);
            if (!isFollowing_ && static_cast<int>(i) < anchor && delta != 0) {
                isAdjusting_ = true;
                verticalScrollBar()->setValue(verticalScrollBar()->value() +
                                              static_cast<int>(std::lround(delta)));
                isAdjusting_ = false;
            }
        }
        message.dropLayouts(top - 2 * height - message.y, top + 3 * height - message.y);
    }
    if (isAllDone)
        idle_.stop();
    else
        viewport()->update();
}

void TranscriptView::scrollToEnd() {
    isFollowing_ = true;
    updateScrollBar();
    layOutVisible();
    toEnd_->hide();
    viewport()->update();
}

void TranscriptView::scrollContentsBy(int, int) {
    if (isAdjusting_) return;
    isFollowing_ = verticalScrollBar()->value() >= verticalScrollBar()->maximum() - 2;
    toEnd_->setVisible(!isFollowing_);
    layOutVisible();
    viewport()->update();
}

void TranscriptView::resizeEvent(QResizeEvent* event) {
    QAbstractScrollArea::resizeEvent(event);
    const int anchor = messageAt(viewTop());
    const qreal within = anchor >= 0 ? viewTop() - messages_[static_cast<size_t>(anchor)]->y : 0;
    if (event->size().width() != event->oldSize().width())
        for (auto& message : messages_) message->setWidth(viewport()->width(), fonts_);
    placeMessages(0);
    if (!isFollowing_ && anchor >= 0) {
        isAdjusting_ = true;
        verticalScrollBar()->setValue(
            static_cast<int>(messages_[static_cast<size_t>(anchor)]->y + within));
        isAdjusting_ = false;
    }
    layOutVisible();
    toEnd_->move(viewport()->width() - toEnd_->width() - 14,
                 viewport()->height() - toEnd_->height() - 12);
}

void TranscriptView::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::current();
    QPainter painter(viewport());
    painter.fillRect(viewport()->rect(), theme.panel);
    const qreal top = viewTop(), bottom = top + viewport()->height();
    for (size_t i = static_cast<size_t>(std::max(0, messageAt(top))); i < messages_.size(); ++i) {
        TranscriptMessage& message = *messages_[i];
        if (message.y > bottom + kDropMarkHeight) break;
        if (static_cast<int>(i) == dropMark_) {
            const QRectF mark(16, message.y - top - kDropMarkHeight - 4, viewport()->width() - 32,
                              kDropMarkHeight);
            painter.setFont(fonts_.small);
            painter.setPen(theme.warn);
            const QString text = painter.fontMetrics().elidedText(
                dropText_, Qt::ElideMiddle, static_cast<int>(mark.width()) - 40);
            const int half =
                (static_cast<int>(mark.width()) - painter.fontMetrics().horizontalAdvance(text)) /
                    2 -
                10;
            painter.drawText(mark, Qt::AlignCenter, text);
            const qreal y = std::floor(mark.center().y()) + 0.5;
            if (half > 0) {
                painter.drawLine(QPointF(mark.left(), y), QPointF(mark.left() + half, y));
                painter.drawLine(QPointF(mark.right() - half, y), QPointF(mark.right(), y));
            }
        }
        TranscriptMessage::PaintState state;
        state.top = top - message.y;
        state.bottom = bottom - message.y;
        const auto index = static_cast<int>(i);
        if (index == selectMessage_) {
            state.from = std::min(anchor_, cursor_, [](const TextPlace& a, const TextPlace& b) {
                return a.key() < b.key();
            });
            state.to = std::max(anchor_, cursor_, [](const TextPlace& a, const TextPlace& b) {
                return a.key() < b.key();
            });
        }
        state.showTokens = showTokens_;
        state.isCurrent = index == current_ && hasFocus();
        if (index == hover_) {
            state.hoverToken = hoverToken_;
            state.hoverCopy = hoverCopy_;
        }
        if (message.content().turn == selectedTurn_) state.selectedToken = selectedToken_;
        if (index == copiedMessage_) state.copied = copiedBlock_;
        message.paint(painter, QPointF(0, message.y - top), state);
    }
}

void TranscriptView::changeEvent(QEvent* event) {
    if (event) QAbstractScrollArea::changeEvent(event);
    if (event && event->type() != QEvent::LanguageChange) return;
    setAccessibleName(tr("Conversation"));
    toEnd_->setToolTip(tr("Go to the newest text"));
    toEnd_->setAccessibleName(toEnd_->toolTip());
    buttons_->retranslate();
    viewport()->update();
}

void TranscriptView::focusInEvent(QFocusEvent* event) {
    QAbstractScrollArea::focusInEvent(event);
    if (current_ < 0 && !messages_.empty() && event->reason() != Qt::MouseFocusReason)
        current_ = static_cast<int>(messages_.size()) - 1;
    viewport()->update();
}

void TranscriptView::focusOutEvent(QFocusEvent* event) {
    QAbstractScrollArea::focusOutEvent(event);
    viewport()->update();
}

}  // namespace vitrine::gui
