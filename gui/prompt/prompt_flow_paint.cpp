#include <algorithm>
#include <cmath>

#include <QPainter>
#include <QScrollBar>

#include "gui/prompt/prompt_flow.h"
#include "gui/widgets/plot_style.h"
#include "gui/widgets/theme.h"

// How the visible lines of a prompt are drawn.

namespace vitrine::gui {
namespace {

constexpr double kPaleness = 0.45;

/// Behind what people and the model wrote; its hue is that of the key.
QColor contentFill(const Theme& theme) {
    return withAlpha(theme.accent, theme.isDark ? 44 : 30);
}

/// One line of text, `dx` from the left, in the middle of the height. By its base line: what looks
/// like a line end to Qt must not break it.
void drawLine(QPainter& painter, const QRectF& rect, qreal dx, const QString& text) {
    const QFontMetricsF metrics(painter.font());
    const qreal base = rect.top() + (rect.height() - metrics.height()) / 2 + metrics.ascent();
    painter.drawText(QPointF(rect.left() + dx, std::round(base)), text);
}

}  // namespace

void PromptFlow::paintEvent(QPaintEvent* event) {
    QPainter painter(viewport());
    painter.fillRect(event->rect(), Theme::current().panel);
    if (!shown_) return;
    if (isPale_) painter.setOpacity(kPaleness);
    painter.setFont(Theme::monoFont());
    const int scroll = verticalScrollBar()->value(), height = lineHeight();
    const int first = std::max(0, (scroll + event->rect().top() - kMargin) / height);
    for (int line = first; line < shown_->lineCount(); ++line) {
        const int top = kMargin + line * height - scroll;
        if (top > event->rect().bottom()) break;
        paintLine(painter, line, top);
    }
}

void PromptFlow::paintLine(QPainter& painter, int line, int top) const {
    const Theme& theme = Theme::current();
    const auto& cells = shown_->cells();
    const int32_t end = shown_->firstOf(line + 1);
    const int height = lineHeight();
    const auto rectOf = [&](int32_t from, int32_t to) {
        const PromptCell &a = cells[static_cast<size_t>(from)], &b = cells[static_cast<size_t>(to)];
        return QRectF(static_cast<qreal>(a.x), top, static_cast<qreal>(b.x + b.width - a.x),
                      height);
    };
    for (int32_t cell = shown_->firstOf(line); cell < end;) {
        const PromptKind kind = cells[static_cast<size_t>(cell)].kind;
        if (shown_->isTokens()) {
            paintToken(painter, cell, rectOf(cell, cell).adjusted(0, 2, 0, -2));
            ++cell;
            continue;
        }
        if (kind == PromptKind::Special) {
            paintChip(painter, cell, rectOf(cell, cell));
            ++cell;
            continue;
        }
        // Words of one kind are drawn together: a screen has some thousand of them.
        int32_t last = cell;
        while (last + 1 < end && cells[static_cast<size_t>(last) + 1].kind == kind) ++last;
        const QRectF rect = rectOf(cell, last);
        if (kind == PromptKind::Content) painter.fillRect(rect, contentFill(theme));
        painter.setPen(kind == PromptKind::Content ? theme.ink : theme.dim);
        QString text = shown_->textOf(cell, last);
        if (text.endsWith(QLatin1Char('\n'))) text.chop(1);
        text.replace(QLatin1Char('\t'), QStringLiteral("    "));
        drawLine(painter, rect, 0, text);
        if (spacesShown_)
            for (int32_t i = cell; i <= last; ++i) paintSpaces(painter, i, rectOf(i, i));
        cell = last + 1;
    }
    if (!current_) return;
    const auto [low, high] = std::minmax(*current_, anchor_.value_or(*current_));
    const int32_t from = std::max(low, shown_->firstOf(line)), to = std::min(high, end - 1);
    if (from > to) return;
    if (low != high) painter.fillRect(rectOf(from, to), withAlpha(theme.accent, 70));
    if (hasFocus() && *current_ >= from && *current_ <= to)
        paintOutline(&painter, rectOf(*current_, *current_).adjusted(-1, 0, 1, 0),
                     theme.selectedCell, 1);
}

void PromptFlow::paintSpaces(QPainter& painter, int32_t cell, const QRectF& rect) const {
    const PromptCell& c = shown_->cells()[static_cast<size_t>(cell)];
    const QString& text = shown_->prompt().text;
    const QChar first = text.at(c.begin);
    const Theme& theme = Theme::current();
    if (first == QLatin1Char('\n')) {
        painter.setPen(theme.faint);
        drawLine(painter, rect, 2, QStringLiteral("↵"));
        return;
    }
    if (first != QLatin1Char(' ') && first != QLatin1Char('\t')) return;
    const auto all = QStringView(text).mid(c.begin, c.length);
    const auto nTabs = all.count(QLatin1Char('\t'));
    const qreal column = rect.width() / static_cast<qreal>(c.length + 3 * nTabs);
    qreal x = rect.left();
    painter.setPen(theme.faint);
    for (const QChar space : all) {
        if (space == QLatin1Char('\t')) {
            drawLine(painter, rect, x - rect.left() + 2, QStringLiteral("⇥"));
            x += 4 * column;
            continue;
        }
        // A dot; much cheaper than a letter.
        painter.fillRect(QRectF(x + column / 2 - 1, rect.center().y(), 2, 2), theme.faint);
        x += column;
    }
}

void PromptFlow::paintChip(QPainter& painter, int32_t cell, const QRectF& rect) const {
    const Theme& theme = Theme::current();
    painter.setPen(hairline(withAlpha(theme.detokenize, 130)));
    painter.setBrush(withAlpha(theme.detokenize, theme.isDark ? 40 : 26));
    painter.drawRoundedRect(rect.adjusted(0.5, 1.5, -1.5, -1.5), 3, 3);
    painter.setPen(theme.ink);
    drawLine(painter, rect, 4, shown_->label(cell));
}

void PromptFlow::paintToken(QPainter& painter, int32_t cell, const QRectF& rect) const {
    const Theme& theme = Theme::current();
    const PromptCell& c = shown_->cells()[static_cast<size_t>(cell)];
    const bool isSpecial = c.kind == PromptKind::Special;
    if (c.kind == PromptKind::Content) painter.fillRect(rect, contentFill(theme));
    if (isSpecial) painter.fillRect(rect, withAlpha(theme.detokenize, theme.isDark ? 40 : 26));
    painter.setPen(hairline(isSpecial ? withAlpha(theme.detokenize, 130)
                            : c.kind == PromptKind::Content
                                ? withAlpha(theme.accent, theme.isDark ? 110 : 90)
                                : theme.line));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(rect.adjusted(0.5, 0.5, -0.5, -0.5));
    if (c.begin < shown_->prompt().reply->cachedTokens)
        painter.fillRect(QRectF(rect.left(), rect.bottom() - 2, rect.width(), 2), theme.kvReused);
    painter.setPen(c.kind == PromptKind::Template ? theme.dim : theme.ink);
    drawLine(painter, rect, 4, shown_->label(cell));
}

}  // namespace vitrine::gui
