#include "gui/views/timeline_strip.h"

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

TimelineStrip::TimelineStrip(QWidget* parent)
    : QWidget(parent), snapshot_(std::make_shared<Snapshot>()) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    retranslate();
}

void TimelineStrip::retranslate() {
    setAccessibleName(tr("Timeline scrubber"));
    layersName_ = tr("layers");
    decodeName_ = tr("one bar per token, height = latency");
    update();
}

void TimelineStrip::setRun(const SnapshotPtr& snapshot) {
    snapshot_ = snapshot;
    if (snapshot->run)
        series_.update(*snapshot->run);
    else
        series_.clear();
    update();
}

void TimelineStrip::setMoment(std::optional<int32_t> pos, int32_t layer) {
    if (pos == pos_ && layer == layer_) return;
    pos_ = pos;
    layer_ = layer;
    update();
}

int32_t TimelineStrip::barCount() const {
    // Room for what is still to come, in steps, so that bars do not shrink with every token.
    int32_t room = 64;
    while (room < series_.generated()) room = room * 3 / 2;
    const bool isRunning = snapshot_->run && snapshot_->run->isRunning;
    return isRunning ? room : std::max(series_.generated(), 24);
}

TimelineStrip::Geometry TimelineStrip::geometry() const {
    Geometry g;
    const int labels = QFontMetrics(Theme::uiFont(-2)).height() + 3;
    g.bottom = std::max(20, height() - labels);
    const double top = 4, h = g.bottom - top;
    g.tokenize = QRectF(1, top, 6, h);
    const int32_t layers = snapshot_->run
                               ? static_cast<int32_t>(std::max<size_t>(
                                     snapshot_->run->prefillLayers.size(),
                                     static_cast<size_t>(std::max(0, snapshot_->frame.nLayers))))
                               : 0;
    const double prefillWidth = std::clamp(layers * 9.0, 40.0, std::max(40.0, width() * 0.26));
    g.prefill = QRectF(g.tokenize.right() + 5, top, prefillWidth, h);
    const double left = g.prefill.right() + 10;
    g.decode = QRectF(left, top, std::max(10.0, width() - left - 4), h);
    g.perToken = std::min(g.decode.width() / std::max(1, barCount()), 14.0);
    return g;
}

double TimelineStrip::xOf(int32_t pos) const {
    const Geometry g = geometry();
    const int32_t prompt = series_.promptTokens();
    if (pos < prompt)
        return g.prefill.left() + (pos + 0.5) / std::max(1, prompt) * g.prefill.width();
    return g.decode.left() + (pos - prompt + 0.5) * g.perToken;
}

std::optional<int32_t> TimelineStrip::posAt(const QPoint& point) const {
    if (!snapshot_->run || snapshot_->run->tokens.empty()) return std::nullopt;
    const Geometry g = geometry();
    const int32_t prompt = series_.promptTokens();
    const auto last = static_cast<int32_t>(snapshot_->run->tokens.size()) - 1;
    if (point.x() < g.decode.left() - 5) {
        if (prompt == 0) return std::nullopt;
        const double at = (point.x() - g.prefill.left()) / g.prefill.width() * prompt;
        return std::clamp(static_cast<int32_t>(std::floor(at)), 0, prompt - 1);
    }
    const auto index = static_cast<int32_t>(std::floor((point.x() - g.decode.left()) / g.perToken));
    return std::clamp(prompt + std::max(0, index), 0, last);
}

std::optional<int32_t> TimelineStrip::layerAt(const QPoint& point) const {
    const Geometry g = geometry();
    const size_t layers = snapshot_->run ? snapshot_->run->prefillLayers.size() : 0;
    if (layers == 0 || !g.prefill.contains(point) || point.y() > g.bottom - 7) return std::nullopt;
    const double at = (point.x() - g.prefill.left()) / g.prefill.width();
    return std::min(static_cast<int32_t>(at * static_cast<double>(layers)),
                    static_cast<int32_t>(layers) - 1);
}

void TimelineStrip::paintPrefill(QPainter& painter, const Geometry& g) const {
    const Theme& theme = Theme::current();
    const RunRecord& run = *snapshot_->run;
    const auto n = static_cast<int32_t>(run.prefillLayers.size());
    const double lane = 5;  // the prompt's tokens, under the bars
    const double height = g.prefill.height() - lane - 2;
    int64_t most = 1;
    for (const LayerTime& layer : run.prefillLayers) most = std::max(most, layer.totalNs);
    const int32_t nSlots = std::max({n, snapshot_->frame.nLayers, 1});
    const double w = g.prefill.width() / nSlots;
    const bool isPrefilling = run.isRunning && run.runId == snapshot_->frame.runId &&
                              snapshot_->frame.phase == observe::Phase::Prefill;
    for (int32_t i = 0; i < nSlots; ++i) {
        const QRectF slot(g.prefill.left() + i * w, g.prefill.top(),
                          std::max(1.0, w - (w > 3 ? 1 : 0)), height);
        painter.fillRect(slot, theme.kvEmpty);
        if (i >= n) continue;
        const int64_t ns = run.prefillLayers[static_cast<size_t>(i)].totalNs;
        if (ns <= 0) continue;
        const double h =
            std::max(2.0, height * static_cast<double>(ns) / static_cast<double>(most));
        QColor color = i % 2 ? theme.prefill : theme.prefill.darker(112);
        if (isPrefilling && i >= snapshot_->frame.layersDone) color = withAlpha(color, 110);
        painter.fillRect(QRectF(slot.left(), slot.bottom() - h, slot.width(), h), color);
        if (i == layer_)
            painter.fillRect(QRectF(slot.left(), slot.top() - 3, slot.width(), 2),
                             theme.selectedCell);
    }
    // Prompt tokens: reused, done, open chunk, waiting.
    const double prompt = std::max(1, run.promptTokens);
    const QRectF strip(g.prefill.left(), g.bottom - lane, g.prefill.width() - 1, lane);
    painter.fillRect(strip, theme.kvEmpty);
    const auto part = [&](double from, double to, const QColor& color) {
        if (to > from)
            painter.fillRect(QRectF(strip.left() + from / prompt * strip.width(), strip.top(),
                                    (to - from) / prompt * strip.width(), lane),
                             color);
    };
    const observe::Frame& frame = snapshot_->frame;
    const double done = isPrefilling                          ? frame.chunkFirst
                        : run.prefillEndNs > 0 || run.outcome ? run.promptTokens
                                                              : run.cachedTokens;
    part(run.cachedTokens, done, theme.kvPrompt);
    part(0, run.cachedTokens, theme.kvReused);
    if (isPrefilling)
        part(frame.chunkFirst, frame.chunkFirst + frame.chunkTokens, withAlpha(theme.prefill, 140));
}

void TimelineStrip::paintDecode(QPainter& painter, const Geometry& g) const {
    const Theme& theme = Theme::current();
    const std::vector<float>& itl = series_.itlMs();
    const auto n = static_cast<int32_t>(itl.size());
    if (n == 0) return;
    const SeriesSummary s = series_.gaps().summary();
    // A stall must not flatten the rest: bars above twice the p95 are cut and capped.
    const double p95 = s.p95.value_or(1), max = s.max.value_or(1);
    const double top = std::max(1e-6, max > 3 * p95 ? 2 * p95 : max);
    const int32_t chosen = pos_ ? *pos_ - series_.promptTokens() : n - 1;
    const double h = g.decode.height();
    const auto bar = [&](double x, double w, double ms, bool isPast) {
        const bool isCut = ms > top * 1.001;
        const double high = std::max(2.0, h * std::min(1.0, ms / top));
        const QColor color =
            isPast ? theme.decode : withAlpha(theme.decode, theme.isDark ? 70 : 80);
        painter.fillRect(QRectF(x, g.bottom - high, w, high), color);
        if (isCut) painter.fillRect(QRectF(x, g.decode.top(), w, 2), theme.warn);
    };
    if (g.perToken >= 1.5) {
        const double gap = g.perToken >= 4 ? std::min(2.0, g.perToken / 4) : 0.5;
        for (int32_t i = 0; i < n; ++i) {
            // The first token has no gap: its wait is TTFT, drawn as a hairline.
            const double ms = std::isnan(itl[static_cast<size_t>(i)])
                                  ? 0
                                  : static_cast<double>(itl[static_cast<size_t>(i)]);
            bar(g.decode.left() + i * g.perToken, g.perToken - gap, ms, i <= chosen);
        }
        return;
    }
    // More tokens than pixels: each column shows its largest gap.
    const int columns = std::max(1, static_cast<int>(g.decode.width()));
    for (int x = 0; x < columns; ++x) {
        const auto from = static_cast<int32_t>(x / g.perToken);
        const auto to = std::min(n, static_cast<int32_t>((x + 1) / g.perToken) + 1);
        if (from >= n) break;
        float best = 0;
        for (int32_t i = from; i < to; ++i)
            if (itl[static_cast<size_t>(i)] > best) best = itl[static_cast<size_t>(i)];
        bar(g.decode.left() + x, 1, static_cast<double>(best), from <= chosen);
    }
}

void TimelineStrip::paintScrubber(QPainter& painter, const Geometry& g) const {
    const Theme& theme = Theme::current();
    if (!snapshot_->run || snapshot_->run->tokens.empty()) return;
    const auto last = static_cast<int32_t>(snapshot_->run->tokens.size()) - 1;
    const double x = std::round(xOf(pos_ ? std::clamp(*pos_, 0, last) : last)) + 0.5;
    const QColor color = pos_ ? theme.ink : theme.faint;
    painter.setPen(hairline(color));
    painter.drawLine(QPointF(x, 0), QPointF(x, g.bottom + 2));
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.drawPolygon(QPolygonF({QPointF(x - 5, 0), QPointF(x + 5, 0), QPointF(x, 6)}));
    painter.setRenderHint(QPainter::Antialiasing, false);
}

void TimelineStrip::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::current();
    QPainter painter(this);
    const Geometry g = geometry();
    const bool hasRun = snapshot_->run != nullptr;
    painter.fillRect(g.tokenize,
                     hasRun && snapshot_->run->tokenizeEndNs > 0 ? theme.tokenize : theme.kvEmpty);
    if (hasRun) {
        paintPrefill(painter, g);
        paintDecode(painter, g);
    } else {
        painter.fillRect(g.prefill, theme.kvEmpty);
    }
    painter.fillRect(QRectF(g.decode.left(), g.bottom, g.decode.width(), 1), theme.line);
    painter.setFont(Theme::uiFont(-2));
    painter.setPen(theme.faint);
    const QFontMetrics metrics(painter.font());
    const size_t layers = hasRun ? snapshot_->run->prefillLayers.size() : 0;
    const double y = g.bottom + 2;
    if (layers > 0)
        painter.drawText(
            QRectF(g.prefill.left(), y, g.prefill.width(), metrics.height()), Qt::AlignLeft,
            metrics.elidedText(QStringLiteral("%1 0 … %2").arg(layersName_).arg(layers - 1),
                               Qt::ElideRight, static_cast<int>(g.prefill.width())));
    painter.drawText(
        QRectF(g.decode.left(), y, g.decode.width(), metrics.height()), Qt::AlignLeft,
        metrics.elidedText(decodeName_, Qt::ElideRight, static_cast<int>(g.decode.width())));
    paintScrubber(painter, g);
    paintFocusFrame(&painter, this);
}

void TimelineStrip::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return;
    if (const auto layer = layerAt(event->pos())) {
        emit layerChosen(*layer);
        return;
    }
    isDragging_ = true;
    if (const auto pos = posAt(event->pos())) emit posChosen(*pos);
}

void TimelineStrip::mouseMoveEvent(QMouseEvent* event) {
    if (!isDragging_) return;
    if (const auto pos = posAt(event->pos())) emit posChosen(*pos);
}

void TimelineStrip::mouseReleaseEvent(QMouseEvent*) {
    isDragging_ = false;
}

void TimelineStrip::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
        case Qt::Key_Left: emit stepped(-1); return;
        case Qt::Key_Right: emit stepped(1); return;
        case Qt::Key_PageUp: emit stepped(-10); return;
        case Qt::Key_PageDown: emit stepped(10); return;
        case Qt::Key_Home: emit posChosen(0); return;
        case Qt::Key_End:
        case Qt::Key_Escape: emit liveWanted(); return;
        default: QWidget::keyPressEvent(event);
    }
}

QString TimelineStrip::describeOps(const std::array<int64_t, observe::kOpClassCount>& opNs) const {
    std::vector<std::pair<int64_t, observe::OpClass>> parts;
    for (int i = 0; i < observe::kOpClassCount; ++i) {
        const auto op = static_cast<observe::OpClass>(i);
        if (op != observe::OpClass::Layer && op != observe::OpClass::Step &&
            opNs[static_cast<size_t>(i)] > 0)
            parts.emplace_back(opNs[static_cast<size_t>(i)], op);
    }
    std::sort(parts.begin(), parts.end(),
              [](const auto& a, const auto& b) { return a.first > b.first; });
    QString text;
    for (const auto& [ns, op] : parts)
        text += QLatin1Char('\n') + opClassName(op) + QStringLiteral("  ") + formatDuration(ns);
    return text;
}

QString TimelineStrip::describe(const QPoint& point) const {
    if (!snapshot_->run) return {};
    const RunRecord& run = *snapshot_->run;
    if (const auto layer = layerAt(point)) {
        const LayerTime& time = run.prefillLayers[static_cast<size_t>(*layer)];
        return tr("prefill, layer %1: %2").arg(*layer).arg(formatDuration(time.totalNs)) +
               describeOps(time.opNs);
    }
    const auto pos = posAt(point);
    const TokenRecord* token = pos ? tokenAt(run, *pos) : nullptr;
    if (!token) return {};
    const QString piece = axisPiece(token->text, 40);
    if (token->isPrompt) return tr("prompt token %1 “%2”").arg(*pos).arg(piece);
    QString text = tr("token %1 “%2”").arg(token->index + 1).arg(piece);
    if (token->itlNs) text += QStringLiteral(": ") + formatDuration(*token->itlNs);
    return text + describeOps(token->opNs);
}

bool TimelineStrip::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const QString text = describe(help->pos());
    if (text.isEmpty())
        QToolTip::hideText();
    else
        QToolTip::showText(help->globalPos(), text, this);
    return true;
}

}  // namespace vitrine::gui
