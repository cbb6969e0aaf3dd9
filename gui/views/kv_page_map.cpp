#include "gui/views/kv_page_map.h"

#include <algorithm>
#include <cmath>

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include "gui/models/format.h"
#include "gui/models/moment.h"
#include "gui/widgets/plot_style.h"
#include "gui/widgets/theme.h"

namespace vitrine::gui {
namespace {
constexpr double kMinColumn = 4;  // pixels
constexpr int32_t kMinPages = 24;
}  // namespace

KvPageMap::KvPageMap(QWidget* parent) : QWidget(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    retranslate();
}

void KvPageMap::retranslate() {
    setAccessibleName(tr("KV cache pages by layer"));
    update();
}

void KvPageMap::setState(const observe::Frame& frame, std::shared_ptr<const RunRecord> run) {
    run_ = std::move(run);
    const bool isSame = frame.stamp == frame_.stamp && frame.runId == frame_.runId &&
                        frame.contextUsed == frame_.contextUsed &&
                        frame.layersDone == frame_.layersDone &&
                        frame.pages.size() == frame_.pages.size() &&
                        frame.nLayers == frame_.nLayers && frame.contextSize == frame_.contextSize;
    if (isSame) return;
    frame_ = frame;
    frame_.nLayers = std::clamp(frame.nLayers, 0, 4096);
    frame_.pageTokens = std::clamp(frame.pageTokens, 1, 1 << 16);
    hasNews_ = true;
    update();
}

void KvPageMap::setSelected(std::optional<int32_t> pos) {
    if (pos == selected_) return;
    selected_ = pos;
    update();
}

void KvPageMap::applyTheme() {
    isStale_ = true;
    update();
}

int32_t KvPageMap::filledTokens(const observe::Frame& frame, int32_t layer) {
    if (frame.phase == observe::Phase::Prefill && frame.chunkTokens > 0)
        return layer < frame.layersDone ? frame.chunkFirst + frame.chunkTokens : frame.chunkFirst;
    return frame.contextUsed;
}

int32_t KvPageMap::pagesTotal() const {
    const int64_t pages =
        (static_cast<int64_t>(frame_.contextSize) + frame_.pageTokens - 1) / frame_.pageTokens;
    return static_cast<int32_t>(
        std::max<int64_t>(pages, static_cast<int64_t>(frame_.pages.size())));
}

int32_t KvPageMap::pagesShown() const {
    const auto used = static_cast<int32_t>(frame_.pages.size());
    // Steps, so that the map does not shrink with every new page.
    int32_t shown = kMinPages;
    while (shown < used + used / 8) shown = shown * 3 / 2;
    return std::max(1, std::min(shown, std::max(pagesTotal(), 1)));
}

int32_t KvPageMap::pagesPerColumn() const {
    const double columns = std::max(1.0, std::floor(mapRect().width() / kMinColumn));
    return std::max(1, static_cast<int32_t>(std::ceil(pagesShown() / columns)));
}

QRectF KvPageMap::mapRect() const {
    const QFontMetrics metrics(Theme::monoFont(-2.5));
    const int left = metrics.horizontalAdvance(QStringLiteral("L000")) + 4;
    const int top = metrics.height() / 2 - 2;
    return QRectF(left, top, std::max(1, width() - left - 2),
                  std::max(1, height() - metrics.height() - 4 - top));
}

QRectF KvPageMap::columnRect(int32_t page) const {
    const QRectF map = mapRect();
    const int32_t per = pagesPerColumn();
    const int32_t columns = (pagesShown() + per - 1) / per;
    const double w = map.width() / columns;
    return QRectF(map.left() + page / per * w, map.top(), w, map.height());
}

void KvPageMap::repaintCells() {
    const Theme& theme = Theme::current();
    const QRectF map = mapRect();
    const double ratio = devicePixelRatioF();
    const int32_t layers = frame_.nLayers, per = pagesPerColumn();
    const int32_t columns = (pagesShown() + per - 1) / per;
    const size_t nCells = static_cast<size_t>(columns) * static_cast<size_t>(layers);
    const QSize pixels = (map.size() * ratio).toSize();
    if (isStale_ || image_.size() != pixels || painted_.size() != nCells) {
        image_ = QImage(pixels, QImage::Format_ARGB32_Premultiplied);
        image_.fill(Qt::transparent);
        painted_.assign(nCells, {-1, -1, -1});
    }
    isStale_ = hasNews_ = false;
    if (layers == 0 || image_.isNull()) return;
    QPainter painter(&image_);
    painter.scale(ratio, ratio);
    painter.translate(-map.topLeft());
    const double rowHeight = map.height() / layers;
    const double gapY = rowHeight >= 3 ? 1 : 0;
    const int32_t nSlots = per * frame_.pageTokens;
    const QColor colors[] = {theme.kvReused, theme.kvPrompt, theme.kvGenerated};
    for (int32_t index = 0; index < columns; ++index) {
        QRectF column = columnRect(index * per);
        column.setWidth(column.width() - (column.width() >= 10 ? 2 : column.width() >= 4 ? 1 : 0));
        const int64_t first = static_cast<int64_t>(index) * nSlots;
        for (int32_t layer = 0; layer < layers; ++layer) {
            // Positions are ordered: reused, then the rest of the prompt, then generated.
            const int64_t filled = filledTokens(frame_, layer);
            const auto slot = [&](int64_t end) {
                return static_cast<int32_t>(std::clamp<int64_t>(end - first, 0, nSlots));
            };
            const std::array<int32_t, 3> ends{slot(std::min<int64_t>(filled, frame_.cachedTokens)),
                                              slot(std::min<int64_t>(filled, frame_.promptTokens)),
                                              slot(filled)};
            auto& painted = painted_[static_cast<size_t>(index) * static_cast<size_t>(layers) +
                                     static_cast<size_t>(layer)];
            if (painted == ends) continue;
            painted = ends;
            const QRectF cell(column.left(), map.top() + layer * rowHeight, column.width(),
                              rowHeight - gapY);
            painter.fillRect(cell, theme.kvEmpty);
            int32_t from = 0;
            for (size_t kind = 0; kind < 3; ++kind) {
                if (ends[kind] <= from) continue;
                painter.fillRect(QRectF(cell.left() + cell.width() * from / nSlots, cell.top(),
                                        cell.width() * (ends[kind] - from) / nSlots, cell.height()),
                                 colors[kind]);
                from = ends[kind];
            }
        }
    }
}

void KvPageMap::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::current();
    QPainter painter(this);
    const QRectF map = mapRect();
    if (frame_.nLayers == 0) return;
    if (isStale_ || hasNews_ || image_.size() != (map.size() * devicePixelRatioF()).toSize())
        repaintCells();
    painter.drawImage(QRectF(map.topLeft(), QSizeF(image_.size()) / devicePixelRatioF()), image_);

    const QFont font = Theme::monoFont(-2.5);
    const QFontMetrics metrics(font);
    painter.setFont(font);
    painter.setPen(theme.faint);
    const double rowHeight = map.height() / frame_.nLayers;
    int step = 1;
    while (step * rowHeight < metrics.height() + 6) step = step == 1 ? 5 : step * 2;
    for (int32_t layer = 0; layer < frame_.nLayers; layer += step)
        painter.drawText(QRectF(0, map.top() + (layer + 0.5) * rowHeight - metrics.height() / 2.0,
                                map.left() - 5, metrics.height()),
                         Qt::AlignRight | Qt::AlignVCenter, QStringLiteral("L%1").arg(layer));
    // Positions under the columns.
    const double columnWidth = columnRect(0).width() / pagesPerColumn();
    int32_t pageStep = 1;
    const int labelWidth = metrics.horizontalAdvance(QStringLiteral("000000 "));
    while (pageStep * columnWidth < labelWidth) pageStep *= 2;
    for (int32_t page = 0; page < pagesShown(); page += pageStep) {
        const double x = columnRect(page).left();
        const QString text = QString::number(static_cast<int64_t>(page) * frame_.pageTokens);
        if (x + metrics.horizontalAdvance(text) > width()) break;
        painter.drawText(QPointF(x, map.bottom() + metrics.ascent() + 3), text);
    }
    const auto edge = [&](int32_t pos, const QColor& color) {
        const int32_t page = pos / frame_.pageTokens;
        if (page < 0 || page >= pagesShown()) return;
        const QRectF column = columnRect(page);
        const double nSlots = static_cast<double>(pagesPerColumn()) * frame_.pageTokens;
        const double within = pos - (page / pagesPerColumn()) * nSlots;
        const double x = column.left() + (within + 0.5) / nSlots * (column.width() - 1);
        painter.setPen(hairline(color));
        painter.drawLine(QPointF(x, map.top() - 2), QPointF(x, map.bottom() + 1));
        painter.drawLine(QPointF(x + 1, map.top() - 2), QPointF(x + 1, map.bottom() + 1));
    };
    if (selected_) edge(*selected_, theme.selectedCell);
    paintFocusFrame(&painter, this);
}

void KvPageMap::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    isStale_ = true;
}

std::optional<KvPageMap::Hit> KvPageMap::hitAt(const QPoint& point) const {
    const QRectF map = mapRect();
    if (frame_.nLayers == 0 || !map.contains(point)) return std::nullopt;
    const int32_t per = pagesPerColumn();
    const double w = columnRect(0).width();
    const double at = (point.x() - map.left()) / w;  // columns
    const auto slot = static_cast<int64_t>(at * per * frame_.pageTokens);
    const auto page = static_cast<int32_t>(slot / frame_.pageTokens);
    if (page >= pagesShown()) return std::nullopt;
    const auto layer =
        static_cast<int32_t>((point.y() - map.top()) * frame_.nLayers / map.height());
    return Hit{page, std::clamp(layer, 0, frame_.nLayers - 1), static_cast<int32_t>(slot)};
}

QString KvPageMap::describe(const Hit& hit) const {
    QString text = tr("page %1 of the sequence · layer %2").arg(hit.page).arg(hit.layer);
    if (static_cast<size_t>(hit.page) >= frame_.pages.size())
        return text + QLatin1Char('\n') + tr("not allocated");
    const observe::KvPageState& page = frame_.pages[static_cast<size_t>(hit.page)];
    const int32_t first = hit.page * frame_.pageTokens;
    text += QLatin1Char('\n') +
            tr("page id %1 · %n reference(s)", nullptr, page.refCount).arg(page.pageId);
    text += QLatin1Char('\n') + tr("positions %1–%2: %3 prompt, %4 reused, %5 generated")
                                    .arg(first)
                                    .arg(first + frame_.pageTokens - 1)
                                    .arg(page.promptSlots)
                                    .arg(page.reusedSlots)
                                    .arg(page.generatedSlots);
    if (run_ && run_->runId == frame_.runId) {
        QString words;
        const int32_t end = std::min(first + frame_.pageTokens, filledTokens(frame_, hit.layer));
        for (int32_t pos = first; pos < end; ++pos)
            if (const TokenRecord* token = tokenAt(*run_, pos)) words += token->text;
        if (!words.isEmpty())
            text += QLatin1Char('\n') +
                    visiblePiece(words.simplified().replace(QLatin1Char(' '), QChar(0xA0)), 100);
    }
    return text;
}

void KvPageMap::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return QWidget::mousePressEvent(event);
    const auto hit = hitAt(event->pos());
    if (hit && hit->pos < filledTokens(frame_, hit->layer)) emit chosen(hit->pos);
}

void KvPageMap::keyPressEvent(QKeyEvent* event) {
    const int32_t last = frame_.contextUsed - 1;
    int32_t pos = selected_.value_or(last);
    switch (event->key()) {
        case Qt::Key_Left: --pos; break;
        case Qt::Key_Right: ++pos; break;
        case Qt::Key_PageUp: pos -= frame_.pageTokens; break;
        case Qt::Key_PageDown: pos += frame_.pageTokens; break;
        case Qt::Key_Home: pos = 0; break;
        case Qt::Key_End: pos = last; break;
        default: QWidget::keyPressEvent(event); return;
    }
    if (last >= 0) emit chosen(std::clamp(pos, 0, last));
}

bool KvPageMap::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    if (const auto hit = hitAt(help->pos()))
        QToolTip::showText(help->globalPos(), describe(*hit), this);
    else
        QToolTip::hideText();
    return true;
}

}  // namespace vitrine::gui
