#include "gui/widgets/chip.h"

#include <algorithm>

#include <QFontMetrics>
#include <QPainter>

#include "gui/widgets/elided_label.h"
#include "gui/widgets/theme.h"

namespace vitrine::gui {
namespace {

constexpr int kPadding = 10, kSpace = 7, kGaugeWidth = 84, kArrowWidth = 14;

}  // namespace

Chip::Chip(QWidget* parent) : QAbstractButton(parent) {
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    setFocusPolicy(Qt::TabFocus);
    setCursor(Qt::PointingHandCursor);
    connect(ThemeNotifier::instance(), &ThemeNotifier::changed, this, &Chip::invalidate);
}

void Chip::invalidate() {
    hint_ = minimum_ = QSize();
    updateGeometry();
    update();
}

void Chip::setTexts(const QString& strong, const QString& quiet) {
    if (strong == strong_ && quiet == quiet_) return;
    strong_ = strong;
    quiet_ = quiet;
    setAccessibleName(strong + QChar(' ') + quiet);
    invalidate();
}

void Chip::setTrailing(const QString& text) {
    if (text == trailing_) return;
    trailing_ = text;
    invalidate();
}

void Chip::setGauge(double used, double pending) {
    if (used == used_ && pending == pending_) return;
    used_ = used;
    pending_ = pending;
    update();
}

void Chip::setMenuArrow(bool hasArrow) {
    hasArrow_ = hasArrow;
    invalidate();
}

void Chip::setRigid(bool isRigid) {
    isRigid_ = isRigid;
    invalidate();
}

int Chip::contentWidth(int quietWidth) const {
    const QFontMetrics strong(Theme::uiFont()), quiet(Theme::uiFont(-1));
    int width = 2 * kPadding + strong.horizontalAdvance(strong_);
    if (!quiet_.isEmpty()) width += kSpace + quietWidth;
    if (used_ >= 0) width += kSpace + kGaugeWidth;
    if (!trailing_.isEmpty()) width += kSpace + quiet.horizontalAdvance(trailing_);
    if (hasArrow_) width += kArrowWidth;
    return width + 2;
}

QSize Chip::sizeHint() const {
    if (!hint_.isValid())
        hint_ = {contentWidth(QFontMetrics(Theme::uiFont(-1)).horizontalAdvance(quiet_)),
                 QFontMetrics(Theme::uiFont()).height() + 12};
    return hint_;
}

QSize Chip::minimumSizeHint() const {
    if (minimum_.isValid()) return minimum_;
    if (isRigid_) {
        const int trailing =
            trailing_.isEmpty()
                ? 0
                : kSpace + QFontMetrics(Theme::uiFont(-1)).horizontalAdvance(trailing_);
        minimum_ = {sizeHint().width() - trailing, sizeHint().height()};
    } else {
        const int strong = QFontMetrics(Theme::uiFont()).horizontalAdvance(strong_);
        minimum_ = {std::min(strong, 90) + 2 * kPadding + (hasArrow_ ? kArrowWidth : 0),
                    sizeHint().height()};
    }
    return minimum_;
}

void Chip::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::current();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const bool isHot = underMouse() || isDown();
    painter.setPen(QPen(hasFocus() ? theme.accent : isHot ? theme.faint : theme.line, 1));
    painter.setBrush(theme.raised);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
    int left = kPadding;
    int right = width() - kPadding;
    const QFont strongFont = Theme::uiFont(), quietFont = Theme::uiFont(-1);
    const QFontMetrics quietMetrics(quietFont);
    if (hasArrow_) {
        painter.setPen(QPen(theme.dim, 1.4, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        const QPointF c(right - 3, height() / 2.0 + 0.5);
        painter.drawPolyline(
            QPolygonF({c + QPointF(-3.5, -2), c + QPointF(0, 1.5), c + QPointF(3.5, -2)}));
        right -= kArrowWidth;
    }
    painter.setFont(quietFont);
    const int needed = contentWidth(quietMetrics.horizontalAdvance(quiet_));
    const bool isRoomy = width() >= needed - 2;
    if (!trailing_.isEmpty() && isRoomy) {
        const int w = quietMetrics.horizontalAdvance(trailing_);
        painter.setPen(theme.dim);
        painter.drawText(QRect(right - w, 0, w + 2, height()), Qt::AlignVCenter | Qt::AlignLeft,
                         trailing_);
        right -= w + kSpace;
    }
    if (used_ >= 0 && right - left > kGaugeWidth + 60) {
        const QRectF gauge(right - kGaugeWidth, height() / 2.0 - 3.5, kGaugeWidth, 7);
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.line);
        painter.drawRoundedRect(gauge, 3.5, 3.5);
        const auto part = [&](double share, const QColor& color) {
            if (share <= 0) return;
            painter.setBrush(color);
            painter.setClipRect(QRectF(gauge.left(), gauge.top(),
                                       gauge.width() * std::min(1.0, share), gauge.height()));
            painter.drawRoundedRect(gauge, 3.5, 3.5);
            painter.setClipping(false);
        };
        QColor soft = theme.kv;
        soft.setAlphaF(0.45f);
        part(used_ + pending_, soft);
        part(used_, used_ > 0.9 ? theme.bad : used_ > 0.75 ? theme.warn : theme.kv);
        right -= kGaugeWidth + kSpace;
    }
    painter.setFont(strongFont);
    painter.setPen(theme.ink);
    const QString strong =
        QFontMetrics(strongFont).elidedText(strong_, Qt::ElideMiddle, right - left);
    painter.drawText(QRect(left, 0, right - left, height()), Qt::AlignVCenter | Qt::AlignLeft,
                     strong);
    left += QFontMetrics(strongFont).horizontalAdvance(strong) + kSpace;
    if (quiet_.isEmpty() || right - left < 24) return;
    painter.setFont(quietFont);
    painter.setPen(theme.dim);
    painter.drawText(QRect(left, 0, right - left + 2, height()), Qt::AlignVCenter | Qt::AlignLeft,
                     fittingParts(quietMetrics, quiet_, right - left + 2));
}

void Chip::enterEvent(QEnterEvent* event) {
    QAbstractButton::enterEvent(event);
    update();
}

void Chip::leaveEvent(QEvent* event) {
    QAbstractButton::leaveEvent(event);
    update();
}

FigureTile::FigureTile(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    connect(ThemeNotifier::instance(), &ThemeNotifier::changed, this, [this] {
        hint_ = QSize();
        updateGeometry();
        update();
    });
}

void FigureTile::setFigure(const QString& figure, const QString& caption, Verdict verdict) {
    if (figure == figure_ && caption == caption_ && verdict == verdict_) return;
    const bool isWider = caption.size() != caption_.size() || figure.size() != figure_.size();
    figure_ = figure;
    caption_ = caption;
    verdict_ = verdict;
    setAccessibleName(figure + QChar(' ') + caption);
    if (isWider) {
        hint_ = QSize();
        updateGeometry();
    }
    update();
}

void FigureTile::setMark(const QColor& color) {
    if (mark_ == color) return;
    mark_ = color;
    update();
}

QSize FigureTile::sizeHint() const {
    if (hint_.isValid()) return hint_;
    const QFontMetrics figure(Theme::monoFont(1.5, QFont::DemiBold)), caption(Theme::uiFont(-1.5));
    return {
        std::max(figure.horizontalAdvance(figure_) + 12, caption.horizontalAdvance(caption_)) + 16,
        figure.height() + caption.height() + 2};
    return hint_;
}

QSize FigureTile::minimumSizeHint() const {
    return sizeHint();
}

void FigureTile::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::current();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(QRectF(0, 2, 3, height() - 4), mark_);
    const QFont figureFont = Theme::monoFont(1.5, QFont::DemiBold),
                captionFont = Theme::uiFont(-1.5);
    const int figureHeight = QFontMetrics(figureFont).height();
    painter.setFont(figureFont);
    painter.setPen(verdict_ == Verdict::Outside ? theme.bad : theme.ink);
    painter.drawText(QRect(11, 0, width() - 11, figureHeight), Qt::AlignVCenter | Qt::AlignLeft,
                     figure_);
    if (verdict_ != Verdict::Unknown) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(verdict_ == Verdict::Inside ? theme.good : theme.bad);
        const int x = 11 + QFontMetrics(figureFont).horizontalAdvance(figure_) + 8;
        painter.drawEllipse(QPointF(x, figureHeight / 2.0), 2.8, 2.8);
    }
    painter.setFont(captionFont);
    painter.setPen(theme.dim);
    painter.drawText(QRect(11, figureHeight, width() - 11, height() - figureHeight),
                     Qt::AlignVCenter | Qt::AlignLeft, caption_);
}

}  // namespace vitrine::gui
