#include "gui/widgets/atlas_widget.h"

#include <algorithm>
#include <cmath>

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include "gui/widgets/plot_style.h"
#include "gui/widgets/theme.h"

namespace vitrine::gui {
namespace {
constexpr int kBracketHeight = 15;
}

AtlasWidget::AtlasWidget(QWidget* parent) : QWidget(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Expanding);
    retranslate();
}

void AtlasWidget::retranslate() {
    setAccessibleName(tr("Layers and heads"));
    update();
}

void AtlasWidget::setShape(int32_t nLayers, int32_t nHeads, int32_t nKvHeads) {
    nLayers = std::clamp(nLayers, 0, 4096);
    nHeads = std::clamp(nHeads, 0, 4096);
    if (nLayers == nLayers_ && nHeads == nHeads_ && nKvHeads == nKvHeads_) return;
    nLayers_ = nLayers;
    nHeads_ = nHeads;
    nKvHeads_ = nKvHeads;
    reply_.reset();
    isStale_ = true;
    update();
}

void AtlasWidget::setReply(std::shared_ptr<const engine::AtlasReply> reply) {
    if (reply) {
        const int64_t wanted = static_cast<int64_t>(reply->nLayers) * reply->nHeads *
                               std::max(reply->cells, 0) * std::max(reply->cells, 0);
        if (reply->nLayers != nLayers_ || reply->nHeads != nHeads_ || reply->cells <= 0 ||
            reply->blockTokens <= 0 || static_cast<int64_t>(reply->levels.size()) != wanted)
            return;
    }
    reply_ = std::move(reply);
    isStale_ = true;
    update();
}

void AtlasWidget::setColorMap(ColorMap map) {
    map_ = map;
    isStale_ = true;
    update();
}

void AtlasWidget::setChosen(int32_t layer, int32_t head) {
    if (layer == layer_ && head == head_) return;
    layer_ = layer;
    head_ = head;
    setAccessibleDescription(head < 0 ? tr("layer %1, all heads").arg(layer)
                                      : tr("layer %1, head %2").arg(layer).arg(head));
    update();
}

void AtlasWidget::applyTheme() {
    isStale_ = true;
    update();
}

QRectF AtlasWidget::gridRect() const {
    const QFontMetrics metrics(Theme::monoFont(-2.5));
    const int left = metrics.horizontalAdvance(QStringLiteral("00")) + 8;
    return QRectF(left, kBracketHeight + 2, std::max(1, width() - left - 3),
                  std::max(1, height() - kBracketHeight - 4));
}

QRectF AtlasWidget::thumbRect(int32_t layer, int32_t head) const {
    const QRectF grid = gridRect();
    const double w = grid.width() / std::max(1, nHeads_), h = grid.height() / std::max(1, nLayers_);
    return QRectF(grid.left() + head * w, grid.top() + layer * h, w, h);
}

QRect AtlasWidget::pixelRect(int32_t layer, int32_t head) const {
    const double w = static_cast<double>(image_.width()) / nHeads_;
    const double h = static_cast<double>(image_.height()) / nLayers_;
    const auto at = [](double v) { return static_cast<int>(std::floor(v + 1e-6)); };
    const QRect whole(QPoint(at(head * w), at(layer * h)),
                      QPoint(at((head + 1) * w) - 1, at((layer + 1) * h) - 1));
    // A gap between thumbnails where there is room for one.
    const int gapX = whole.width() > 5 ? std::max(1, whole.width() / 10) : 0;
    const int gapY = whole.height() > 5 ? std::max(1, whole.height() / 10) : 0;
    return whole.adjusted(0, 0, -gapX, -gapY);
}

void AtlasWidget::paintThumb(int32_t layer, int32_t head) {
    const QRect target = pixelRect(layer, head);
    const int cells = reply_->cells;
    const int used =
        std::clamp((reply_->nTokens + reply_->blockTokens - 1) / reply_->blockTokens, 0, cells);
    if (used == 0 || target.width() < 1 || target.height() < 1) return;
    const uint8_t* levels =
        reply_->levels.data() +
        (static_cast<size_t>(layer) * static_cast<size_t>(nHeads_) + static_cast<size_t>(head)) *
            static_cast<size_t>(cells) * static_cast<size_t>(cells);
    const ColorTable& table = colorTable(map_);
    for (int y = 0; y < target.height(); ++y) {
        const int row0 = y * used / target.height();
        const int row1 = std::max(row0 + 1, (y + 1) * used / target.height());
        auto* line = reinterpret_cast<QRgb*>(image_.scanLine(target.top() + y));
        for (int x = 0; x < target.width(); ++x) {
            const int col0 = x * used / target.width();
            const int col1 = std::max(col0 + 1, (x + 1) * used / target.width());
            uint8_t best = 0;
            for (int row = row0; row < row1; ++row)
                for (int col = col0; col < col1; ++col)
                    best = std::max(best, levels[row * cells + col]);
            if (best > 0) line[target.left() + x] = table[best];
        }
    }
}

void AtlasWidget::rebuild() {
    isStale_ = false;
    const QSizeF size = gridRect().size() * devicePixelRatioF();
    image_ = QImage(size.toSize(), QImage::Format_ARGB32_Premultiplied);
    image_.fill(Qt::transparent);
    if (!reply_ || nLayers_ == 0 || nHeads_ == 0) return;
    for (int32_t layer = 0; layer < nLayers_; ++layer)
        for (int32_t head = 0; head < nHeads_; ++head) paintThumb(layer, head);
}

void AtlasWidget::paintFrame(QPainter& painter) const {
    const Theme& theme = Theme::current();
    const QFont font = Theme::monoFont(-2.5);
    const QFontMetrics metrics(font);
    painter.setFont(font);
    painter.setPen(theme.faint);
    // Labels each 5 layers, or as far apart as they fit.
    int step = 5;
    const double layerHeight = thumbRect(0, 0).height();
    while (step * layerHeight < metrics.height() && step < nLayers_) step *= 2;
    for (int32_t layer = 0; layer < nLayers_; layer += step) {
        const QRectF thumb = thumbRect(layer, 0);
        const double h = std::max(thumb.height(), static_cast<double>(metrics.height()));
        painter.drawText(QRectF(0, thumb.center().y() - h / 2, thumb.left() - 5, h),
                         Qt::AlignRight | Qt::AlignVCenter, QString::number(layer));
    }
    // Brackets over the heads that share one KV head.
    if (nKvHeads_ <= 0 || nHeads_ % nKvHeads_ != 0 || nKvHeads_ == nHeads_) return;
    const int group = nHeads_ / nKvHeads_;
    for (int32_t kv = 0; kv < nKvHeads_; ++kv) {
        const double left = thumbRect(0, kv * group).left();
        const double right = thumbRect(0, kv * group + group - 1).right() - 3;
        const double y = kBracketHeight - 2.5;
        painter.setPen(hairline(theme.faint));
        painter.drawPolyline(QPolygonF(
            {QPointF(left, y + 3), QPointF(left, y), QPointF(right, y), QPointF(right, y + 3)}));
        const QString label = QStringLiteral("kv%1").arg(kv);
        if (metrics.horizontalAdvance(label) < right - left)
            painter.drawText(QRectF(left, 0, right - left, y - 1), Qt::AlignCenter, label);
    }
}

void AtlasWidget::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::current();
    QPainter painter(this);
    if (nLayers_ == 0 || nHeads_ == 0) return;
    const QSize wanted = (gridRect().size() * devicePixelRatioF()).toSize();
    if (isStale_ || image_.size() != wanted) rebuild();
    const double ratio = devicePixelRatioF();
    if (!reply_) {
        // Where the thumbnails will be.
        for (int32_t layer = 0; layer < nLayers_; ++layer)
            for (int32_t head = 0; head < nHeads_; ++head) {
                const QRect r = pixelRect(layer, head);
                painter.fillRect(
                    QRectF(gridRect().left() + r.left() / ratio, gridRect().top() + r.top() / ratio,
                           r.width() / ratio, r.height() / ratio),
                    theme.raised);
            }
    }
    painter.drawImage(QRectF(gridRect().topLeft(), QSizeF(image_.size()) / ratio), image_);
    paintFrame(painter);

    const auto thumb = [&](int32_t layer, int32_t head) {
        const QRect r = pixelRect(layer, head);
        return QRectF(gridRect().left() + r.left() / ratio, gridRect().top() + r.top() / ratio,
                      r.width() / ratio, r.height() / ratio);
    };
    if (hovered_)
        paintOutline(&painter, thumb(hovered_->layer, hovered_->head).adjusted(-1, -1, 1, 1),
                     theme.dim, 1);
    if (layer_ >= 0 && layer_ < nLayers_) {
        const int32_t from = head_ < 0 ? 0 : std::min(head_, nHeads_ - 1);
        const int32_t to = head_ < 0 ? nHeads_ - 1 : from;
        const QRectF chosen = thumb(layer_, from).united(thumb(layer_, to));
        paintOutline(&painter, chosen.adjusted(-2, -2, 2, 2), theme.selectedCell);
    }
    paintFocusFrame(&painter, this);
}

void AtlasWidget::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    isStale_ = true;
}

std::optional<AtlasWidget::Hit> AtlasWidget::hitAt(const QPoint& point) const {
    const QRectF grid = gridRect();
    if (nLayers_ == 0 || nHeads_ == 0 || !grid.contains(point)) return std::nullopt;
    const auto head = static_cast<int32_t>((point.x() - grid.left()) * nHeads_ / grid.width());
    const auto layer = static_cast<int32_t>((point.y() - grid.top()) * nLayers_ / grid.height());
    return Hit{std::clamp(layer, 0, nLayers_ - 1), std::clamp(head, 0, nHeads_ - 1)};
}

void AtlasWidget::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return QWidget::mousePressEvent(event);
    if (const auto hit = hitAt(event->pos())) emit chosen(hit->layer, hit->head);
}

void AtlasWidget::mouseMoveEvent(QMouseEvent* event) {
    const auto hit = hitAt(event->pos());
    if (hit == hovered_) return;
    hovered_ = hit;
    update();
}

void AtlasWidget::keyPressEvent(QKeyEvent* event) {
    int32_t layer = layer_, head = std::max(head_, 0);
    switch (event->key()) {
        case Qt::Key_Up: --layer; break;
        case Qt::Key_Down: ++layer; break;
        case Qt::Key_Left: --head; break;
        case Qt::Key_Right: ++head; break;
        default: QWidget::keyPressEvent(event); return;
    }
    if (layer < 0 || layer >= nLayers_ || head < 0 || head >= nHeads_) return;
    emit chosen(layer, head);
}

bool AtlasWidget::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        if (const auto hit = hitAt(help->pos())) {
            QString text = tr("layer %1 · head %2").arg(hit->layer).arg(hit->head);
            if (nKvHeads_ > 0 && nHeads_ % nKvHeads_ == 0 && nKvHeads_ != nHeads_)
                text += tr(" · KV head %1").arg(hit->head / (nHeads_ / nKvHeads_));
            QToolTip::showText(help->globalPos(), text, this);
        } else {
            QToolTip::hideText();
        }
        return true;
    }
    if (event->type() == QEvent::Leave && hovered_) {
        hovered_.reset();
        update();
    }
    return QWidget::event(event);
}

}  // namespace vitrine::gui
