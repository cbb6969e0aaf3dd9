#include "gui/widgets/token_flow.h"

#include <algorithm>

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>

#include "gui/models/format.h"
#include "gui/widgets/plot_style.h"
#include "gui/widgets/theme.h"

namespace vitrine::gui {
namespace {
constexpr int kPad = 4, kGap = 2, kMargin = 8, kLineGap = 4;
constexpr int kMaxPieceChars = 40;
}  // namespace

TokenFlow::TokenFlow(QWidget* parent) : QAbstractScrollArea(parent) {
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    viewport()->setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    retranslate();
}

void TokenFlow::retranslate() {
    setAccessibleName(tr("Tokens"));
}

void TokenFlow::applyTheme() {
    layOut(0);
    viewport()->update();
}

void TokenFlow::setHasIds(bool hasIds) {
    if (hasIds == hasIds_) return;
    hasIds_ = hasIds;
    layOut(0);
    viewport()->update();
}

void TokenFlow::setRun(const std::shared_ptr<const RunRecord>& run) {
    const bool continues = run && run_ && run->runId == run_->runId &&
                           run->tokens.size() >= pieces_.size() && !pieces_.empty() &&
                           run->tokens[0] == run_->tokens[0];
    const size_t before = continues ? pieces_.size() : 0;
    const bool wasAtEnd = verticalScrollBar()->value() >= verticalScrollBar()->maximum();
    run_ = run;
    if (continues && run->tokens.size() == before) return;
    layOut(before);
    if (wasAtEnd && continues && !selected_)
        verticalScrollBar()->setValue(verticalScrollBar()->maximum());
    viewport()->update();
}

QString TokenFlow::label(int32_t pos) const {
    const TokenRecord* token = run_->tokens[static_cast<size_t>(pos)].get();
    if (!token) return QStringLiteral("?");
    return token->text.isEmpty() ? QStringLiteral("∅") : visiblePiece(token->text, kMaxPieceChars);
}

int TokenFlow::lineHeight() const {
    const int text = QFontMetrics(Theme::monoFont()).height() + 4;
    return text + (hasIds_ ? QFontMetrics(Theme::monoFont(-3)).height() : 0) + kLineGap + 2;
}

void TokenFlow::layOut(size_t first) {
    const QFontMetrics text(Theme::monoFont()), small(Theme::monoFont(-3));
    layoutWidth_ = viewport()->width();
    const int right = std::max(60, layoutWidth_ - kMargin);
    const size_t total = run_ ? run_->tokens.size() : 0;
    if (first == 0) firstOfLine_.clear();
    pieces_.resize(std::min(first, pieces_.size()));
    int x = kMargin, line = 0;
    if (!pieces_.empty()) {
        x = pieces_.back().x + pieces_.back().width + kGap;
        line = pieces_.back().line;
    }
    pieces_.reserve(total);
    const auto breaksAfter = [&](size_t pos) {
        const TokenRecord* token = run_->tokens[pos].get();
        const TokenRecord* next = pos + 1 < total ? run_->tokens[pos + 1].get() : nullptr;
        // The answer begins on a line of its own.
        return token && (token->text.contains(QLatin1Char('\n')) ||
                         (token->isPrompt && next && !next->isPrompt));
    };
    bool breaks = !pieces_.empty() && breaksAfter(pieces_.size() - 1);
    for (size_t pos = pieces_.size(); pos < total; ++pos) {
        const TokenRecord* token = run_->tokens[pos].get();
        int width = text.horizontalAdvance(label(static_cast<int32_t>(pos))) + 2 * kPad;
        if (hasIds_ && token)
            width = std::max(width, small.horizontalAdvance(QString::number(token->id.value)) + 6);
        width = std::min(width, right - kMargin);
        if (firstOfLine_.empty()) {
            firstOfLine_.push_back(static_cast<int32_t>(pos));
        } else if (breaks || x + width > right) {
            x = kMargin;
            ++line;
            firstOfLine_.push_back(static_cast<int32_t>(pos));
        }
        pieces_.push_back({x, width, line});
        x += width + kGap;
        breaks = breaksAfter(pos);
    }
    updateScrollBar();
}

void TokenFlow::updateScrollBar() {
    const int height = static_cast<int>(firstOfLine_.size()) * lineHeight() + 2 * kMargin;
    verticalScrollBar()->setPageStep(viewport()->height());
    verticalScrollBar()->setSingleStep(lineHeight());
    verticalScrollBar()->setRange(0, std::max(0, height - viewport()->height()));
}

QRect TokenFlow::pieceRect(int32_t pos) const {
    if (pos < 0 || pos >= count()) return {};
    const Piece& piece = pieces_[static_cast<size_t>(pos)];
    return QRect(piece.x, kMargin + piece.line * lineHeight() - verticalScrollBar()->value(),
                 piece.width, lineHeight() - kLineGap);
}

std::optional<int32_t> TokenFlow::posAt(const QPoint& point) const {
    const int y = point.y() - kMargin + verticalScrollBar()->value();
    if (y < 0 || firstOfLine_.empty()) return std::nullopt;
    const size_t line = static_cast<size_t>(y / lineHeight());
    if (line >= firstOfLine_.size()) return std::nullopt;
    const int32_t end = line + 1 < firstOfLine_.size() ? firstOfLine_[line + 1] : count();
    for (int32_t pos = firstOfLine_[line]; pos < end; ++pos) {
        const Piece& piece = pieces_[static_cast<size_t>(pos)];
        if (point.x() >= piece.x && point.x() < piece.x + piece.width + kGap) return pos;
    }
    return std::nullopt;
}

void TokenFlow::paintPiece(QPainter& painter, int32_t pos, const QRect& rect) const {
    const Theme& theme = Theme::current();
    const TokenRecord* token = run_->tokens[static_cast<size_t>(pos)].get();
    if (!token) return;
    const QColor hue = token->isControl    ? theme.detokenize
                       : token->isTemplate ? theme.weights
                       : token->isReused   ? theme.kvReused
                       : token->isPrompt   ? theme.prefill
                                           : theme.decode;
    const bool isSelected = selected_ && *selected_ == pos;
    const bool isHovered = hovered_ && *hovered_ == pos;
    QRect box = rect;
    if (hasIds_) box.setBottom(rect.bottom() - QFontMetrics(Theme::monoFont(-3)).height());
    // Neighbours differ in strength, so that the seams show.
    const int alpha = (isHovered ? 96 : pos % 2 ? 58 : 34) - (theme.isDark ? 0 : 8);
    painter.fillRect(box, withAlpha(hue, alpha));
    painter.fillRect(QRect(box.left(), box.bottom() - 1, box.width(), 2),
                     withAlpha(hue, token->isReused ? 255 : 170));
    painter.setFont(Theme::monoFont(0, token->isControl ? QFont::DemiBold : QFont::Normal));
    painter.setPen(token->isTemplate && !token->isControl ? theme.dim : theme.ink);
    painter.drawText(box.adjusted(kPad, 0, 0, -1), Qt::AlignLeft | Qt::AlignVCenter, label(pos));
    if (hasIds_) {
        painter.setFont(Theme::monoFont(-3));
        painter.setPen(theme.faint);
        painter.drawText(
            QRect(rect.left(), box.bottom() + 1, rect.width(), rect.bottom() - box.bottom()),
            Qt::AlignCenter, QString::number(token->id.value));
    }
    if (isSelected) {
        paintOutline(&painter, rect.adjusted(-2, -2, 2, 2), theme.selectedCell);
    }
}

void TokenFlow::paintEvent(QPaintEvent* event) {
    const Theme& theme = Theme::current();
    QPainter painter(viewport());
    painter.fillRect(event->rect(), theme.panel);
    if (!run_) return;
    const int top = verticalScrollBar()->value() + event->rect().top() - kMargin;
    const size_t firstLine = static_cast<size_t>(std::max(0, top / lineHeight() - 1));
    for (size_t line = firstLine; line < firstOfLine_.size(); ++line) {
        const int32_t end = line + 1 < firstOfLine_.size() ? firstOfLine_[line + 1] : count();
        for (int32_t pos = firstOfLine_[line]; pos < end; ++pos) {
            const QRect rect = pieceRect(pos);
            if (rect.top() > event->rect().bottom()) return;
            paintPiece(painter, pos, rect);
        }
    }
}

void TokenFlow::resizeEvent(QResizeEvent* event) {
    QAbstractScrollArea::resizeEvent(event);
    if (viewport()->width() != layoutWidth_)
        layOut(0);
    else
        updateScrollBar();
}

void TokenFlow::reveal(int32_t pos) {
    const QRect rect = pieceRect(pos);
    if (rect.isEmpty()) return;
    QScrollBar* bar = verticalScrollBar();
    if (rect.top() < kMargin)
        bar->setValue(bar->value() + rect.top() - kMargin);
    else if (rect.bottom() > viewport()->height() - kMargin)
        bar->setValue(bar->value() + rect.bottom() - viewport()->height() + kMargin);
}

void TokenFlow::setSelected(std::optional<int32_t> pos) {
    if (pos == selected_) return;
    selected_ = pos;
    if (pos && *pos >= 0 && *pos < count()) {
        reveal(*pos);
        if (const TokenRecord* token = run_->tokens[static_cast<size_t>(*pos)].get())
            setAccessibleDescription(describe(*token));
    }
    viewport()->update();
}

void TokenFlow::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return;
    if (const auto pos = posAt(event->pos())) emit chosen(*pos);
}

void TokenFlow::mouseMoveEvent(QMouseEvent* event) {
    const auto pos = posAt(event->pos());
    if (pos == hovered_) return;
    hovered_ = pos;
    viewport()->update();
}

void TokenFlow::keyPressEvent(QKeyEvent* event) {
    if (pieces_.empty()) return QAbstractScrollArea::keyPressEvent(event);
    int32_t pos = selected_.value_or(count() - 1);
    const auto lineStep = [&](int delta) {
        const int line = pieces_[static_cast<size_t>(std::clamp(pos, 0, count() - 1))].line + delta;
        if (line < 0 || static_cast<size_t>(line) >= firstOfLine_.size()) return;
        const QRect here = pieceRect(pos);
        if (const auto found =
                posAt(QPoint(here.center().x(), here.center().y() + delta * lineHeight())))
            pos = *found;
        else
            pos = delta > 0 ? firstOfLine_[static_cast<size_t>(line)]
                            : std::max(0, firstOfLine_[static_cast<size_t>(line) + 1] - 1);
    };
    switch (event->key()) {
        case Qt::Key_Left: --pos; break;
        case Qt::Key_Right: ++pos; break;
        case Qt::Key_Up: lineStep(-1); break;
        case Qt::Key_Down: lineStep(1); break;
        case Qt::Key_Home: pos = 0; break;
        case Qt::Key_End: pos = count() - 1; break;
        default: QAbstractScrollArea::keyPressEvent(event); return;
    }
    emit chosen(std::clamp(pos, 0, count() - 1));
}

QString TokenFlow::describe(const TokenRecord& token) const {
    QStringList parts{tr("“%1”").arg(visiblePiece(token.text, 60)),
                      tr("position %1").arg(token.pos), tr("id %1").arg(token.id.value)};
    if (token.isControl) parts << tr("special");
    if (token.isTemplate) parts << tr("template");
    if (token.isReused) parts << tr("reused from an earlier turn");
    if (!token.isPrompt) {
        parts << tr("p %1").arg(formatProbability(static_cast<double>(token.rawProb)));
        if (token.itlNs) parts << formatDuration(*token.itlNs);
    }
    return parts.join(QStringLiteral(" · "));
}

bool TokenFlow::viewportEvent(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const auto pos = posAt(help->pos());
        const TokenRecord* token = pos ? run_->tokens[static_cast<size_t>(*pos)].get() : nullptr;
        if (token)
            QToolTip::showText(help->globalPos(), describe(*token), viewport());
        else
            QToolTip::hideText();
        return true;
    }
    if (event->type() == QEvent::Leave && hovered_) {
        hovered_.reset();
        viewport()->update();
    }
    return QAbstractScrollArea::viewportEvent(event);
}

}  // namespace vitrine::gui
