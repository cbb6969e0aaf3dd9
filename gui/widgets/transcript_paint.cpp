#include <algorithm>
#include <cmath>

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>

#include "gui/widgets/theme.h"
#include "gui/widgets/transcript_message.h"

namespace vitrine::gui {
namespace {

QString translated(const char* text) {
    return QCoreApplication::translate("Transcript", text);
}

}  // namespace

void TranscriptMessage::paint(QPainter& painter, const QPointF& origin, const PaintState& state) {
    const Theme& theme = Theme::current();
    painter.save();
    if (content_.isDropped) painter.setOpacity(0.45);
    if (state.isCurrent) {
        painter.setPen(QPen(theme.accent, 1));
        painter.setBrush(Qt::NoBrush);
        const QRectF ring =
            content_.isUser ? bubbleRect() : QRectF(6, -5, width_ - 12, height_ + 10);
        painter.drawRoundedRect(ring.translated(origin).adjusted(-2.5, -2.5, 2.5, 2.5), 10, 10);
    }
    if (content_.isUser) {
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.bubble);
        painter.drawRoundedRect(bubbleRect().translated(origin), 10, 10);
    }
    const QPointF rowsOrigin = origin + contentOrigin();
    const qreal offset = contentOrigin().y();
    for (size_t i = items_.empty() ? 0 : rowAt(state.top - offset);
         i < items_.size() && items_[i].y + offset <= state.bottom; ++i) {
        if (!items_[i].layout) continue;
        const MarkdownRow& row = rows()[i];
        const QPointF at = rowsOrigin + QPointF(0, items_[i].y);
        if (row.code >= 0) paintCode(painter, rowsOrigin, i, state);
        if (state.showTokens && !content_.isUser) {
            for (const TokenRect& token : tokensOf(i)) {
                const float p = token.token < content_.tokenProbs.size()
                                    ? content_.tokenProbs[token.token]
                                    : 0.0f;
                const QRectF rect = token.rect.translated(at);
                if (token.token == state.selectedToken || token.token == state.hoverToken) {
                    QColor fill = theme.accent;
                    fill.setAlphaF(token.token == state.selectedToken ? 0.30f : 0.14f);
                    painter.setRenderHint(QPainter::Antialiasing);
                    painter.setPen(token.token == state.selectedToken ? QPen(theme.accent, 1.2)
                                                                      : QPen(Qt::NoPen));
                    painter.setBrush(fill);
                    painter.drawRoundedRect(rect.adjusted(-1, -1, 1, 2), 3, 3);
                }
                QColor line = theme.decode;
                line.setAlphaF(0.14f + 0.72f * std::clamp(p, 0.0f, 1.0f));
                painter.fillRect(
                    QRectF(rect.left(), std::floor(rect.bottom()), rect.width() - 1, 2), line);
            }
        }
        const RowPlace first{0, 0};
        RowPlace from = first, to = first;
        const auto r = static_cast<int32_t>(i);
        if (state.from && state.to && r >= state.from->row && r <= state.to->row) {
            from = r == state.from->row ? state.from->at : first;
            to = r == state.to->row ? state.to->at : RowPlace{1 << 20, 0};
        }
        painter.setPen(theme.ink);
        items_[i].layout->paint(painter, at, from, to);
    }
    paintTail(painter, origin, state);
    painter.restore();
}

void TranscriptMessage::paintCode(QPainter& painter, const QPointF& origin, size_t i,
                                  const PaintState& state) {
    const Theme& theme = Theme::current();
    const MarkdownRow& row = rows()[i];
    const bool isLast = i + 1 >= rows().size() || rows()[i + 1].code != row.code ||
                        rows()[i + 1].kind == RowKind::CodeHead;
    const Item& item = items_[i];
    QRectF rect(origin.x(), origin.y() + item.y, contentWidth(), item.height);
    if (isLast) rect.setHeight(item.height + fonts_.em * 0.4);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    QPainterPath card;
    card.setFillRule(Qt::WindingFill);
    constexpr qreal kRadius = 7;
    const bool isHead = row.kind == RowKind::CodeHead;
    if (isHead || isLast) {
        card.addRoundedRect(rect, kRadius, kRadius);
        if (isHead && !isLast) card.addRect(rect.adjusted(0, kRadius, 0, 0));
        if (isLast && !isHead) card.addRect(rect.adjusted(0, 0, 0, -kRadius));
    } else {
        card.addRect(rect);
    }
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.raised);
    painter.drawPath(card);
    if (isHead) {
        const CodeBlock& block = stream_.codeBlocks()[static_cast<size_t>(row.code)];
        painter.setFont(fonts_.small);
        painter.setPen(theme.faint);
        painter.drawText(rect.adjusted(12, 0, -12, 0), Qt::AlignVCenter | Qt::AlignLeft,
                         block.language.isEmpty()
                             ? translated(QT_TRANSLATE_NOOP("Transcript", "code"))
                             : block.language);
        const bool isCopied = state.copied == row.code;
        painter.setPen(isCopied                      ? theme.good
                       : state.hoverCopy == row.code ? theme.accent
                                                     : theme.dim);
        painter.drawText(rect.adjusted(12, 0, -12, 0), Qt::AlignVCenter | Qt::AlignRight,
                         isCopied ? translated(QT_TRANSLATE_NOOP("Transcript", "copied"))
                                  : translated(QT_TRANSLATE_NOOP("Transcript", "copy")));
        painter.fillRect(QRectF(rect.left(), rect.bottom() - 1, rect.width(), 1), theme.line);
    }
    painter.restore();
}

void TranscriptMessage::paintTail(QPainter& painter, const QPointF& origin,
                                  const PaintState& state) {
    const Theme& theme = Theme::current();
    if (content_.isGrowing && !items_.empty() && items_.back().layout) {
        const QRectF caret = items_.back().layout->caretRect();
        painter.fillRect(caret.translated(origin + contentOrigin() + QPointF(0, items_.back().y)),
                         theme.decode);
    }
    painter.setFont(fonts_.small);
    if (!content_.status.isEmpty()) {
        const QRectF rect = statusRect_.translated(origin);
        painter.setPen(theme.dim);
        const QFontMetricsF metrics(fonts_.small);
        painter.drawText(rect, Qt::AlignTop | Qt::AlignLeft,
                         metrics.elidedText(content_.status, Qt::ElideRight, rect.width()));
        if (content_.progress >= 0) {
            const QRectF bar(rect.left(), rect.bottom() - 6, rect.width(), 4);
            painter.fillRect(bar, theme.line);
            painter.fillRect(
                QRectF(bar.topLeft(), QSizeF(bar.width() * std::min(1.0, content_.progress), 4)),
                theme.prefill);
        }
    }
    if (!content_.error.isEmpty()) {
        const QRectF rect = errorRect_.translated(origin);
        QColor fill = theme.bad;
        fill.setAlphaF(0.12f);
        painter.fillRect(rect, fill);
        painter.fillRect(QRectF(rect.topLeft(), QSizeF(3, rect.height())), theme.bad);
        painter.setPen(theme.ink);
        errorText_->draw(&painter, rect.topLeft() + QPointF(14, 7));
    }
    if (content_.nVersions > 1) {
        const QFontMetricsF metrics(fonts_.small);
        const QRectF left = arrows_[0].translated(origin), right = arrows_[1].translated(origin);
        painter.setPen(content_.version > 1 ? theme.ink : theme.line);
        painter.drawText(left, Qt::AlignCenter, QStringLiteral("‹"));
        painter.setPen(content_.version < content_.nVersions ? theme.ink : theme.line);
        painter.drawText(right, Qt::AlignCenter, QStringLiteral("›"));
        painter.setPen(theme.faint);
        painter.drawText(
            QRectF(left.right(), left.top(), right.left() - left.right(), left.height()),
            Qt::AlignCenter,
            QStringLiteral("%1 / %2").arg(content_.version).arg(content_.nVersions));
    }
    if (!content_.footer.isEmpty() && footerText_) {
        painter.setPen(theme.faint);
        footerText_->draw(&painter, footer_.topLeft() + origin);
    }
    (void)state;
}

}  // namespace vitrine::gui
