// The drawing half of HeatMapPlot: margins, labels, marks.

#include <algorithm>
#include <cmath>

#include "gui/widgets/heat_map_plot.h"
#include "gui/widgets/plot_style.h"
#include "gui/widgets/theme.h"

namespace vitrine::gui {
namespace {

constexpr int kLaneWidth = 38;
constexpr double kSlant = -50;  // degrees of the key labels

double slantSine() {
    return std::sin(-kSlant * M_PI / 180);
}

constexpr double kLeastLine = 8;  // pixels of the smallest label

int labelWidth(const QFontMetrics& metrics) {
    return metrics.horizontalAdvance(QStringLiteral("wwwwwwwww"));
}

/// 1, 2, 5, 10, … so that labels are at least `pixels` apart.
int32_t numberStep(double pixelsPerPosition, double pixels) {
    const double least = pixels / std::max(pixelsPerPosition, 1e-6);
    double step = 1;
    while (step < least) {
        const double lead = step / std::pow(10, std::floor(std::log10(step) + 1e-9));
        step *= lead > 1.5 && lead < 2.5 ? 2.5 : 2;
    }
    return static_cast<int32_t>(std::min(step, 1e8));
}

}  // namespace

bool HeatMapPlot::hasQueryTokens() const {
    return rowPixels() >= kLeastLine;
}

bool HeatMapPlot::hasKeyTokens() const {
    return columnPixels() * slantSine() >= kLeastLine;
}

QFont HeatMapPlot::labelFont(double room) const {
    QFont font = Theme::monoFont(-2);
    if (room < QFontMetrics(font).height())
        font.setPixelSize(std::max(7, static_cast<int>(std::lround(room * 0.92))));
    return font;
}

void HeatMapPlot::layOut() {
    const QFontMetrics title(Theme::uiFont(-1.5)), mono(Theme::monoFont(-2));
    const QFontMetrics rows(labelFont(rowPixels())), keys(labelFont(columnPixels() * slantSine()));
    const int numberWidth = mono.horizontalAdvance(QStringLiteral("00000"));
    const int left = title.height() + 4 +
                     std::min(hasQueryTokens() ? labelWidth(rows) : numberWidth, width() / 5) + 6;
    const int slanted = static_cast<int>(labelWidth(keys) * slantSine()) + keys.ascent();
    const int top =
        title.height() + 4 + std::min(hasKeyTokens() ? slanted : mono.height(), height() / 4) + 4;
    const int bottom = 4 + QFontMetrics(Theme::uiFont(-2)).height();
    const int lane = width() >= 320 ? kLaneWidth : 0;
    laneRect_->setMinimumSize(lane + left, 0);
    laneRect_->setMaximumSize(lane + left, QWIDGETSIZE_MAX);
    laneRect_->setSizeConstraintRect(QCPLayoutElement::scrOuterRect);
    laneRect_->setMargins(QMargins(left, top, 0, bottom));
    mainRect_->setMargins(QMargins(lane ? 5 : 0, top, 4, bottom));
    bar_->setMargins(QMargins(0, top, 0, bottom));
}

void HeatMapPlot::drawLabels(QCPPainter* painter) {
    const Theme& theme = Theme::current();
    const QFont titleFont = Theme::uiFont(-1.5);
    const QFontMetrics title(titleFont);
    const QRect cells = mainRect_->rect();
    if (nPositions_ <= 0 || cells.width() < 4 || cells.height() < 4) return;

    painter->setFont(titleFont);
    painter->setPen(theme.dim);
    painter->drawText(
        QRect(cells.left(), mainRect_->outerRect().top(), cells.width(), title.height()),
        Qt::AlignCenter, title.elidedText(keyTitle_, Qt::ElideRight, cells.width()));
    painter->save();
    painter->translate(laneRect_->outerRect().left(), cells.bottom());
    painter->rotate(-90);
    painter->drawText(QRect(0, 0, cells.height(), title.height()), Qt::AlignCenter,
                      title.elidedText(queryTitle_, Qt::ElideRight, cells.height()));
    painter->restore();
    if (laneRect_->width() > 8) {
        const QFont small = Theme::uiFont(-2.5);
        painter->setFont(small);
        painter->setPen(theme.faint);
        const int h = QFontMetrics(small).height();
        painter->drawText(
            QRect(laneRect_->left() - 10, laneRect_->top() - h - 2, laneRect_->width() + 20, h),
            Qt::AlignCenter, sinkTitle_);
    }
    drawQueryLabels(painter, hasQueryTokens());
    drawKeyLabels(painter, hasKeyTokens());

    const QFont captionFont = Theme::uiFont(-2);
    const QFontMetrics caption(captionFont);
    painter->setFont(captionFont);
    painter->setPen(theme.faint);
    painter->drawText(QRect(4, height() - caption.height(), width() - 8, caption.height()),
                      Qt::AlignLeft | Qt::AlignVCenter,
                      caption.elidedText(caption_, Qt::ElideRight, width() - 8));
}

void HeatMapPlot::drawQueryLabels(QCPPainter* painter, bool asTokens) {
    const Theme& theme = Theme::current();
    const QFont font = asTokens ? labelFont(rowPixels()) : Theme::monoFont(-2);
    const QFontMetrics mono(font);
    painter->setFont(font);
    const CellRange visible = visibleRange();
    const QRect cells = mainRect_->rect();
    const QCPAxis* axis = mainRect_->axis(QCPAxis::atLeft);
    const int left = laneRect_->outerRect().left() + QFontMetrics(Theme::uiFont(-1.5)).height() + 4;
    const int width = laneRect_->left() - 6 - left;
    const int32_t step = asTokens ? 1 : numberStep(rowPixels(), 2.2 * mono.height());
    for (int32_t pos = (visible.firstRow + step - 1) / step * step; pos < visible.endRow;
         pos += step) {
        const double y = axis->coordToPixel(pos);
        if (y < cells.top() || y > cells.bottom() + 1) continue;
        const bool isSelected = selectedPos_ && pos == *selectedPos_;
        painter->setPen(isSelected ? theme.selectedCell : asTokens ? theme.dim : theme.faint);
        const QString text = asTokens && label_ ? label_(pos) : QString::number(pos);
        painter->drawText(QRectF(left, y - mono.height() / 2.0, width, mono.height()),
                          Qt::AlignRight | Qt::AlignVCenter,
                          mono.elidedText(text, Qt::ElideMiddle, width));
    }
}

void HeatMapPlot::drawKeyLabels(QCPPainter* painter, bool asTokens) {
    const Theme& theme = Theme::current();
    const QFont font = asTokens ? labelFont(columnPixels() * slantSine()) : Theme::monoFont(-2);
    const QFontMetrics mono(font);
    painter->setFont(font);
    const CellRange visible = visibleRange();
    const QRect cells = mainRect_->rect();
    const QCPAxis* axis = mainRect_->axis(QCPAxis::atBottom);
    const int room =
        cells.top() - mainRect_->outerRect().top() - QFontMetrics(Theme::uiFont(-1.5)).height() - 6;
    const int32_t step =
        asTokens ? 1
                 : numberStep(columnPixels(), 1.5 * mono.horizontalAdvance(QString::number(
                                                        std::max(visible.endKey, 100))));
    const int width =
        std::min(labelWidth(mono), static_cast<int>((room - mono.ascent() * 0.6) / slantSine()));
    for (int32_t pos = (visible.firstKey + step - 1) / step * step; pos < visible.endKey;
         pos += step) {
        const double x = axis->coordToPixel(pos);
        if (x < cells.left() || x > cells.right() + 1) continue;
        const bool isSelected = selectedKey_ && pos == *selectedKey_;
        painter->setPen(isSelected ? theme.selectedCell : asTokens ? theme.dim : theme.faint);
        if (!asTokens) {
            painter->drawText(QRectF(x - 40, cells.top() - 3 - mono.height(), 80, mono.height()),
                              Qt::AlignCenter, QString::number(pos));
            continue;
        }
        const QString text = label_ ? label_(pos) : QString::number(pos);
        painter->save();
        painter->translate(x + mono.ascent() * 0.3, cells.top() - 4);
        painter->rotate(kSlant);
        painter->drawText(QPointF(0, 0), mono.elidedText(text, Qt::ElideMiddle, width));
        painter->restore();
    }
}

void HeatMapPlot::drawMark(QCPPainter* painter, int32_t pos, int32_t keyPos, const QColor& color) {
    const QCPAxis* x = mainRect_->axis(QCPAxis::atBottom);
    const QCPAxis* y = mainRect_->axis(QCPAxis::atLeft);
    const QRectF cell(QPointF(x->coordToPixel(keyPos - 0.5), y->coordToPixel(pos - 0.5)),
                      QPointF(x->coordToPixel(keyPos + 0.5), y->coordToPixel(pos + 0.5)));
    painter->setPen(hairline(color));
    painter->setBrush(Qt::NoBrush);
    const QRectF outline = QRectF(cell.toAlignedRect()).adjusted(-0.5, -0.5, -0.5, -0.5);
    painter->drawRect(outline.width() < 3 ? outline.adjusted(-1, -1, 1, 1) : outline);
}

void HeatMapPlot::drawSelection(QCPPainter* painter) {
    const Theme& theme = Theme::current();
    const QRect cells = mainRect_->rect();
    if (nPositions_ <= 0 || cells.width() < 4) return;
    const QCPAxis* x = mainRect_->axis(QCPAxis::atBottom);
    const QCPAxis* y = mainRect_->axis(QCPAxis::atLeft);
    painter->save();
    painter->setClipRect(cells.adjusted(-1, -1, 1, 1));
    if (selectedPos_) {
        const int32_t pos = *selectedPos_;
        const QRectF row(QPointF(cells.left(), y->coordToPixel(pos - 0.5)),
                         QPointF(x->coordToPixel(pos + 0.5), y->coordToPixel(pos + 0.5)));
        painter->setPen(hairline(theme.selectedCell));
        painter->setBrush(Qt::NoBrush);
        painter->drawRect(QRectF(row.toAlignedRect()).adjusted(-0.5, -0.5, -0.5, -0.5));
        if (selectedKey_ && *selectedKey_ <= pos) {
            drawMark(painter, pos, *selectedKey_, theme.isDark ? Qt::white : Qt::black);
        }
    }
    if (hovered_ && hovered_->keyPos <= hovered_->pos) {
        // Cross hairs only where cells are small: they find the row and the column.
        if (rowPixels() < 9 || columnPixels() < 9) {
            painter->setPen(hairline(withAlpha(theme.ink, 90)));
            const double cy = y->coordToPixel(hovered_->pos),
                         cx = x->coordToPixel(hovered_->keyPos);
            painter->drawLine(QPointF(cells.left(), cy), QPointF(cx, cy));
            painter->drawLine(QPointF(cx, cy), QPointF(cx, cells.bottom()));
        }
        drawMark(painter, hovered_->pos, hovered_->keyPos, theme.ink);
    }
    painter->restore();
    paintFocusFrame(painter, this);
}

}  // namespace vitrine::gui
