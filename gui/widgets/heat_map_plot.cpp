#include "gui/widgets/heat_map_plot.h"

#include <algorithm>
#include <cmath>

#include <QMouseEvent>
#include <QSvgGenerator>

#include "gui/widgets/plot_style.h"
#include "gui/widgets/theme.h"

namespace vitrine::gui {
namespace {

constexpr double kMinSpan = 4;  // positions

QCPAxisRect* makeRect(QCustomPlot* plot) {
    auto* rect = new QCPAxisRect(plot, true);
    rect->setAutoMargins(QCP::msNone);
    for (QCPAxis* axis : rect->axes()) {
        axis->setTickLabels(false);
        axis->setTicks(false);
        axis->grid()->setVisible(false);
        axis->setLayer(QStringLiteral("axes"));
        axis->grid()->setLayer(QStringLiteral("grid"));
    }
    rect->axis(QCPAxis::atLeft)->setRangeReversed(true);
    rect->setupFullAxesBox(false);
    return rect;
}

}  // namespace

HeatMapPlot::HeatMapPlot(QWidget* parent) : QCustomPlot(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setMinimumSize(160, 140);
    setNoAntialiasingOnDrag(true);
    plotLayout()->clear();
    laneRect_ = makeRect(this);
    mainRect_ = makeRect(this);
    bar_ = new HeatMapScaleBar(this);
    auto* row = new QCPLayoutGrid;
    row->setColumnSpacing(0);
    row->addElement(0, 0, laneRect_);
    row->addElement(0, 1, mainRect_);
    row->addElement(0, 2, bar_);
    plotLayout()->addElement(0, 0, row);

    lane_ =
        new HeatMapPlottable(laneRect_->axis(QCPAxis::atBottom), laneRect_->axis(QCPAxis::atLeft));
    lane_->setHasNumbers(true);
    cells_ =
        new HeatMapPlottable(mainRect_->axis(QCPAxis::atBottom), mainRect_->axis(QCPAxis::atLeft));
    laneRect_->axis(QCPAxis::atBottom)->setRange(-0.5, 0.5);
    laneRect_->setRangeDrag(Qt::Vertical);
    laneRect_->setRangeZoom(Qt::Vertical);
    mainRect_->setRangeDrag(Qt::Horizontal | Qt::Vertical);
    mainRect_->setRangeZoom(Qt::Horizontal | Qt::Vertical);
    mainRect_->setRangeZoomFactor(0.8);
    setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);

    addLayer(QStringLiteral("labels"), layer(QStringLiteral("axes")));
    addLayer(QStringLiteral("marks"), layer(QStringLiteral("labels")));
    layer(QStringLiteral("marks"))->setMode(QCPLayer::lmBuffered);
    new HeatMapLayerable(this, QStringLiteral("labels"), [this](QCPPainter* p) { drawLabels(p); });
    new HeatMapLayerable(this, QStringLiteral("marks"),
                         [this](QCPPainter* p) { drawSelection(p); });

    const auto changed = [this] { rangesChanged(); };
    connect(mainRect_->axis(QCPAxis::atBottom), qOverload<const QCPRange&>(&QCPAxis::rangeChanged),
            this, changed);
    connect(mainRect_->axis(QCPAxis::atLeft), qOverload<const QCPRange&>(&QCPAxis::rangeChanged),
            this, changed);
    connect(laneRect_->axis(QCPAxis::atLeft), qOverload<const QCPRange&>(&QCPAxis::rangeChanged),
            this, [this](const QCPRange& range) {
                if (!isSettingRanges_) mainRect_->axis(QCPAxis::atLeft)->setRange(range);
            });
    retranslate();
    applyTheme();
    layOut();
}

void HeatMapPlot::retranslate() {
    queryTitle_ = tr("query (the token asking)");
    keyTitle_ = tr("key (the token looked at)");
    sinkTitle_ = tr("sink");
    setAccessibleName(tr("Attention heat map"));
    replot(rpQueuedReplot);
}

void HeatMapPlot::applyTheme() {
    applyPlotTheme(this);
    layOut();
    replot(rpQueuedReplot);
}

void HeatMapPlot::setGrids(const CellGrid* cells, const CellGrid* lane) {
    cells_->setGrid(cells);
    lane_->setGrid(lane);
}

void HeatMapPlot::cellsChanged() {
    cells_->markChanged();
    lane_->markChanged();
    replot(rpQueuedReplot);
}

void HeatMapPlot::setLabelFunction(std::function<QString(int32_t)> label) {
    label_ = std::move(label);
}

void HeatMapPlot::setPainting(const HeatMapPainting& painting) {
    cells_->setPainting(painting);
    HeatMapPainting lanePainting = painting;
    lanePainting.firstKeyShown = 0;
    lane_->setPainting(lanePainting);
    bar_->setScale(painting.map, painting.scale);
    replot(rpQueuedReplot);
}

void HeatMapPlot::setCaption(const QString& caption) {
    if (caption == caption_) return;
    caption_ = caption;
    replot(rpQueuedReplot);
}

void HeatMapPlot::setPositions(int32_t nPositions) {
    if (nPositions == nPositions_) return;
    const bool isCut = nPositions < nPositions_;
    nPositions_ = nPositions;
    if (followsWhole_ || isCut) showWhole();
}

void HeatMapPlot::setSelected(std::optional<int32_t> pos, std::optional<int32_t> keyPos) {
    if (pos == selectedPos_ && keyPos == selectedKey_) return;
    selectedPos_ = pos;
    selectedKey_ = keyPos;
    replot(rpQueuedReplot);
}

void HeatMapPlot::showWhole() {
    followsWhole_ = true;
    const double end = std::max(1, nPositions_) - 0.5;
    isSettingRanges_ = true;
    mainRect_->axis(QCPAxis::atBottom)->setRange(-0.5, end);
    mainRect_->axis(QCPAxis::atLeft)->setRange(-0.5, end);
    laneRect_->axis(QCPAxis::atLeft)->setRange(-0.5, end);
    isSettingRanges_ = false;
    layOut();
    emit viewportChanged();
    replot(rpQueuedReplot);
}

void HeatMapPlot::zoomBy(double factor) {
    for (const auto type : {QCPAxis::atBottom, QCPAxis::atLeft}) {
        QCPAxis* axis = mainRect_->axis(type);
        axis->scaleRange(factor, axis->range().center());
    }
    replot(rpQueuedReplot);
}

void HeatMapPlot::rangesChanged() {
    if (isSettingRanges_) return;
    isSettingRanges_ = true;
    const double end = std::max(1, nPositions_) - 0.5, whole = end + 0.5;
    bool isWhole = true;
    for (const auto type : {QCPAxis::atBottom, QCPAxis::atLeft}) {
        QCPAxis* axis = mainRect_->axis(type);
        const double span = std::clamp(axis->range().size(), std::min(kMinSpan, whole), whole);
        const double low = std::clamp(axis->range().lower, -0.5, end - span);
        axis->setRange(low, low + span);
        isWhole = isWhole && span >= whole - 1e-9;
    }
    laneRect_->axis(QCPAxis::atLeft)->setRange(mainRect_->axis(QCPAxis::atLeft)->range());
    isSettingRanges_ = false;
    followsWhole_ = isWhole;
    layOut();
    emit viewportChanged();
}

double HeatMapPlot::rowPixels() const {
    return mainRect_->height() / mainRect_->axis(QCPAxis::atLeft)->range().size();
}

double HeatMapPlot::columnPixels() const {
    return mainRect_->width() / mainRect_->axis(QCPAxis::atBottom)->range().size();
}

CellRange HeatMapPlot::visibleRange() const {
    const QCPRange keys = mainRect_->axis(QCPAxis::atBottom)->range();
    const QCPRange rows = mainRect_->axis(QCPAxis::atLeft)->range();
    const auto first = [&](const QCPRange& range) {
        return std::clamp(static_cast<int32_t>(std::floor(range.lower + 0.5)), 0, nPositions_);
    };
    const auto end = [&](const QCPRange& range) {
        return std::clamp(static_cast<int32_t>(std::ceil(range.upper + 0.5)), 0, nPositions_);
    };
    return {first(rows), end(rows), first(keys), end(keys)};
}

QSize HeatMapPlot::cellPixels() const {
    return QSize(std::max(1, mainRect_->width()), std::max(1, mainRect_->height())) *
           devicePixelRatioF();
}

std::optional<HeatMapPlot::Cell> HeatMapPlot::cellAt(const QPoint& pixel) const {
    const bool isLane = laneRect_->rect().contains(pixel);
    if (!isLane && !mainRect_->rect().contains(pixel)) return std::nullopt;
    const auto position = [](double coord) {
        return static_cast<int32_t>(std::floor(coord + 0.5));
    };
    Cell cell;
    cell.pos = position(mainRect_->axis(QCPAxis::atLeft)->pixelToCoord(pixel.y() + 0.5));
    cell.keyPos =
        isLane ? 0 : position(mainRect_->axis(QCPAxis::atBottom)->pixelToCoord(pixel.x() + 0.5));
    if (cell.pos < 0 || cell.pos >= nPositions_ || cell.keyPos < 0 || cell.keyPos >= nPositions_)
        return std::nullopt;
    return cell;
}

QPoint HeatMapPlot::pixelOf(const Cell& cell) const {
    return QPoint(static_cast<int>(mainRect_->axis(QCPAxis::atBottom)->coordToPixel(cell.keyPos)),
                  static_cast<int>(mainRect_->axis(QCPAxis::atLeft)->coordToPixel(cell.pos)));
}

void HeatMapPlot::mousePressEvent(QMouseEvent* event) {
    pressPoint_ = event->pos();
    QCustomPlot::mousePressEvent(event);
}

void HeatMapPlot::mouseMoveEvent(QMouseEvent* event) {
    QCustomPlot::mouseMoveEvent(event);
    if (event->buttons() != Qt::NoButton) return;
    const auto cell = cellAt(event->pos());
    if (cell != hovered_) {
        hovered_ = cell;
        layer(QStringLiteral("marks"))->replot();
        if (!cell) emit hoverLeft();
    }
    if (cell) emit cellHovered(cell->pos, cell->keyPos, event->globalPosition().toPoint());
}

void HeatMapPlot::mouseReleaseEvent(QMouseEvent* event) {
    QCustomPlot::mouseReleaseEvent(event);
    if (event->button() != Qt::LeftButton || (event->pos() - pressPoint_).manhattanLength() > 3)
        return;
    if (const auto cell = cellAt(event->pos())) emit cellChosen(cell->pos, cell->keyPos);
}

void HeatMapPlot::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton) showWhole();
}

void HeatMapPlot::leaveEvent(QEvent* event) {
    QCustomPlot::leaveEvent(event);
    if (!hovered_) return;
    hovered_.reset();
    layer(QStringLiteral("marks"))->replot();
    emit hoverLeft();
}

void HeatMapPlot::keyPressEvent(QKeyEvent* event) {
    const bool isShift = event->modifiers().testFlag(Qt::ShiftModifier);
    const int32_t last = nPositions_ - 1;
    int32_t pos = selectedPos_.value_or(last), keyPos = selectedKey_.value_or(pos);
    switch (event->key()) {
        case Qt::Key_PageUp: emit layerStepped(-1); return;
        case Qt::Key_PageDown: emit layerStepped(1); return;
        case Qt::Key_Plus:
        case Qt::Key_Equal: zoomBy(0.8); return;
        case Qt::Key_Minus: zoomBy(1.25); return;
        case Qt::Key_0: showWhole(); return;
        case Qt::Key_Up:
            if (isShift) return emit layerStepped(-1);
            --pos;
            break;
        case Qt::Key_Down:
            if (isShift) return emit layerStepped(1);
            ++pos;
            break;
        case Qt::Key_Left:
            if (isShift) return emit headStepped(-1);
            --keyPos;
            break;
        case Qt::Key_Right:
            if (isShift) return emit headStepped(1);
            ++keyPos;
            break;
        case Qt::Key_Home: keyPos = 0; break;
        case Qt::Key_End: keyPos = pos; break;
        default: QCustomPlot::keyPressEvent(event); return;
    }
    if (last < 0) return;
    pos = std::clamp(pos, 0, last);
    emit cellChosen(pos, std::clamp(keyPos, 0, pos));
}

void HeatMapPlot::resizeEvent(QResizeEvent* event) {
    layOut();
    QCustomPlot::resizeEvent(event);
    emit viewportChanged();
}

void HeatMapPlot::focusInEvent(QFocusEvent* event) {
    QCustomPlot::focusInEvent(event);
    layer(QStringLiteral("marks"))->replot();
}

void HeatMapPlot::focusOutEvent(QFocusEvent* event) {
    QCustomPlot::focusOutEvent(event);
    layer(QStringLiteral("marks"))->replot();
}

bool HeatMapPlot::exportSvg(const QString& path) {
    QSvgGenerator generator;
    generator.setFileName(path);
    generator.setSize(size());
    generator.setViewBox(rect());
    generator.setTitle(caption_);
    QCPPainter painter;
    if (!painter.begin(&generator)) return false;
    painter.setMode(QCPPainter::pmVectorized);
    painter.setMode(QCPPainter::pmNoCaching);
    toPainter(&painter, width(), height());
    return painter.end();
}

}  // namespace vitrine::gui
