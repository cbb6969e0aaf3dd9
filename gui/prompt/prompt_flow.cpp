#include "gui/prompt/prompt_flow.h"

#include <algorithm>
#include <utility>

#include <QApplication>
#include <QClipboard>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QScrollBar>
#include <QToolTip>

#include "gui/models/format.h"
#include "gui/widgets/theme.h"

namespace vitrine::gui {
namespace {

constexpr int kTextLead = 5, kTokenLead = 9;  ///< space between lines
constexpr int64_t kSliceNs = 3'000'000;

}  // namespace

PromptFlow::PromptFlow(QWidget* parent) : QAbstractScrollArea(parent) {
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::StrongFocus);
    viewport()->setMouseTracking(true);
    viewport()->setCursor(Qt::IBeamCursor);
    slice_.setSingleShot(true);
    slice_.setInterval(0);
    connect(&slice_, &QTimer::timeout, this, &PromptFlow::goOn);
    retranslate();
}

void PromptFlow::retranslate() {
    setAccessibleName(isTokens_ ? tr("Tokens of the prompt") : tr("Text of the prompt"));
}

void PromptFlow::setPrompt(PromptTextPtr prompt) {
    prompt_ = std::move(prompt);
    layOut();
}

void PromptFlow::setTokens(bool isTokens) {
    if (isTokens == isTokens_) return;
    isTokens_ = isTokens;
    viewport()->setCursor(isTokens ? Qt::ArrowCursor : Qt::IBeamCursor);
    setCurrent(std::nullopt, false);
    retranslate();
    layOut();
}

void PromptFlow::setSpacesShown(bool areShown) {
    if (areShown == spacesShown_) return;
    spacesShown_ = areShown;
    layOut();
}

void PromptFlow::setPale(bool isPale) {
    if (isPale == isPale_) return;
    isPale_ = isPale;
    viewport()->update();
}

void PromptFlow::applyTheme() {
    layOut();
    viewport()->update();
}

void PromptFlow::layOut() {
    slice_.stop();
    next_.reset();
    layoutWidth_ = viewport()->width();
    if (!prompt_) {
        shown_.reset();
        setCurrent(std::nullopt, false);
        updateScrollBar();
        viewport()->update();
        return;
    }
    next_ = std::make_unique<PromptLayout>(prompt_, isTokens_, spacesShown_, layoutWidth_,
                                           Theme::monoFont());
    goOn();
}

void PromptFlow::goOn() {
    if (!next_) return;
    if (!next_->advance(kSliceNs)) {
        slice_.start();
        return;
    }
    QScrollBar* bar = verticalScrollBar();
    // The end is what changes while one types; someone who scrolled away wants to stay there.
    const bool wasAtEnd = !shown_ || bar->value() >= bar->maximum();
    const bool isOther = !shown_ || shown_->isTokens() != next_->isTokens();
    shown_ = std::move(next_);
    if (isOther || (current_ && *current_ >= count())) setCurrent(std::nullopt, false);
    if (anchor_ && *anchor_ >= count()) anchor_ = current_;
    updateScrollBar();
    if (wasAtEnd) bar->setValue(bar->maximum());
    viewport()->update();
    if (current_) emit currentChanged();
}

int PromptFlow::count() const {
    return shown_ ? static_cast<int>(shown_->cells().size()) : 0;
}

int PromptFlow::lineHeight() const {
    const bool isTokens = shown_ ? shown_->isTokens() : isTokens_;
    return QFontMetrics(Theme::monoFont()).height() + (isTokens ? kTokenLead : kTextLead);
}

void PromptFlow::updateScrollBar() {
    const int lines = shown_ ? shown_->lineCount() : 0;
    verticalScrollBar()->setPageStep(viewport()->height());
    verticalScrollBar()->setSingleStep(lineHeight());
    verticalScrollBar()->setRange(
        0, std::max(0, lines * lineHeight() + 2 * kMargin - viewport()->height()));
}

QRectF PromptFlow::cellRect(int32_t cell) const {
    if (cell < 0 || cell >= count()) return {};
    const PromptCell& c = shown_->cells()[static_cast<size_t>(cell)];
    const int top = kMargin + shown_->lineOf(cell) * lineHeight() - verticalScrollBar()->value();
    return {static_cast<qreal>(c.x), static_cast<qreal>(top), static_cast<qreal>(c.width),
            static_cast<qreal>(lineHeight())};
}

std::optional<int32_t> PromptFlow::cellAt(const QPoint& point) const {
    const int y = point.y() - kMargin + verticalScrollBar()->value();
    if (!shown_ || y < 0) return std::nullopt;
    const int line = y / lineHeight();
    if (line >= shown_->lineCount()) return std::nullopt;
    const auto& cells = shown_->cells();
    for (int32_t cell = shown_->firstOf(line); cell < shown_->firstOf(line + 1); ++cell) {
        const PromptCell& c = cells[static_cast<size_t>(cell)];
        const auto x = static_cast<float>(point.x());
        if (x >= c.x && x < c.x + c.width + (isTokens_ ? 2 : 0)) return cell;
    }
    return std::nullopt;
}

void PromptFlow::resizeEvent(QResizeEvent* event) {
    QAbstractScrollArea::resizeEvent(event);
    if (viewport()->width() != layoutWidth_)
        layOut();
    else
        updateScrollBar();
}

void PromptFlow::scrollContentsBy(int, int dy) {
    viewport()->scroll(0, dy);
}

void PromptFlow::setCurrent(std::optional<int32_t> cell, bool extends) {
    if (!extends) anchor_ = cell;
    if (!anchor_) anchor_ = current_ ? current_ : cell;
    const bool isOther = cell != current_;
    current_ = cell;
    viewport()->update();
    if (cell) {
        const QRectF rect = cellRect(*cell);
        QScrollBar* bar = verticalScrollBar();
        if (rect.top() < kMargin)
            bar->setValue(bar->value() + static_cast<int>(rect.top()) - kMargin);
        else if (rect.bottom() > viewport()->height() - kMargin)
            bar->setValue(bar->value() + static_cast<int>(rect.bottom()) - viewport()->height() +
                          kMargin);
    }
    if (!isOther) return;
    setAccessibleDescription(currentText());
    emit currentChanged();
}

QString PromptFlow::selectedText() const {
    if (!current_ || !anchor_ || *current_ == *anchor_) return {};
    return shown_->textOf(std::min(*current_, *anchor_), std::max(*current_, *anchor_));
}

QString PromptFlow::selectedIds() const {
    if (!shown_ || !shown_->isTokens() || !current_ || !anchor_) return {};
    return shown_->prompt().ids(static_cast<size_t>(std::min(*current_, *anchor_)),
                                static_cast<size_t>(std::max(*current_, *anchor_)));
}

void PromptFlow::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return;
    setCurrent(cellAt(event->pos()), event->modifiers() & Qt::ShiftModifier);
}

void PromptFlow::mouseMoveEvent(QMouseEvent* event) {
    if (!(event->buttons() & Qt::LeftButton)) return;
    if (const auto cell = cellAt(event->pos())) setCurrent(cell, true);
}

void PromptFlow::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::Copy)) {
        const QString selected = selectedText();
        if (!selected.isEmpty())
            QApplication::clipboard()->setText(selected);
        else if (prompt_)
            QApplication::clipboard()->setText(prompt_->text);
        return;
    }
    if (count() == 0) return QAbstractScrollArea::keyPressEvent(event);
    if (event->matches(QKeySequence::SelectAll)) {
        const int place = verticalScrollBar()->value();
        setCurrent(0, false);
        setCurrent(count() - 1, true);
        verticalScrollBar()->setValue(place);
        return;
    }
    int32_t cell = current_.value_or(count() - 1);
    const auto lineStep = [&](int delta) {
        const int line = shown_->lineOf(cell) + delta;
        if (line < 0 || line >= shown_->lineCount()) return;
        const float x = shown_->cells()[static_cast<size_t>(cell)].x;
        cell = shown_->firstOf(line);
        while (cell + 1 < shown_->firstOf(line + 1) &&
               shown_->cells()[static_cast<size_t>(cell) + 1].x <= x)
            ++cell;
    };
    const int page = std::max(1, viewport()->height() / lineHeight() - 1);
    switch (event->key()) {
        case Qt::Key_Left: --cell; break;
        case Qt::Key_Right: ++cell; break;
        case Qt::Key_Up: lineStep(-1); break;
        case Qt::Key_Down: lineStep(1); break;
        case Qt::Key_PageUp: lineStep(std::max(-page, -shown_->lineOf(cell))); break;
        case Qt::Key_PageDown:
            lineStep(std::min(page, shown_->lineCount() - 1 - shown_->lineOf(cell)));
            break;
        case Qt::Key_Home: cell = 0; break;
        case Qt::Key_End: cell = count() - 1; break;
        default: QAbstractScrollArea::keyPressEvent(event); return;
    }
    setCurrent(std::clamp(cell, 0, count() - 1), event->modifiers() & Qt::ShiftModifier);
}

void PromptFlow::contextMenuEvent(QContextMenuEvent* event) {
    if (!prompt_) return;
    QMenu menu(this);
    const auto copy = [](const QString& text) { QApplication::clipboard()->setText(text); };
    const QString selected = selectedText(), ids = selectedIds();
    if (!selected.isEmpty()) menu.addAction(tr("Copy selection"), this, [=] { copy(selected); });
    if (!ids.isEmpty()) menu.addAction(tr("Copy ids of the selection"), this, [=] { copy(ids); });
    menu.addAction(tr("Copy the whole text"), this, [this, copy] { copy(prompt_->text); });
    menu.exec(event->globalPos());
}

QString PromptFlow::currentText() const {
    return current_ && *current_ < count() ? describe(*current_) : QString();
}

QString PromptFlow::describe(int32_t cell) const {
    const PromptCell& c = shown_->cells()[static_cast<size_t>(cell)];
    const PromptText& prompt = shown_->prompt();
    QStringList parts{tr("“%1”").arg(visiblePiece(shown_->text(cell), 60))};
    if (shown_->isTokens())
        parts << tr("position %1").arg(formatCount(c.begin))
              << tr("id %1").arg(prompt.reply->pieces[static_cast<size_t>(c.begin)].id.value);
    switch (c.kind) {
        case PromptKind::Special: parts << tr("special token"); break;
        case PromptKind::Template: parts << tr("template text"); break;
        case PromptKind::Content: parts << tr("message content"); break;
    }
    if (shown_->isTokens() && c.begin < prompt.reply->cachedTokens) parts << tr("in the cache");
    return parts.join(QStringLiteral(" · "));
}

bool PromptFlow::viewportEvent(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const auto cell = cellAt(help->pos());
        if (cell)
            QToolTip::showText(help->globalPos(), describe(*cell), viewport(),
                               cellRect(*cell).toRect());
        else
            QToolTip::hideText();
        return true;
    }
    return QAbstractScrollArea::viewportEvent(event);
}

}  // namespace vitrine::gui
