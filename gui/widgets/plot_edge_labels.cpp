#include "gui/widgets/plot_edge_labels.h"

#include <algorithm>
#include <cmath>

#include "gui/widgets/theme.h"

namespace vitrine::gui {

PlotEdgeLabels::PlotEdgeLabels(QCustomPlot* plot) : QCPLayerable(plot, QStringLiteral("axes")) {}

void PlotEdgeLabels::setLabels(std::vector<Label> labels) {
    labels_ = std::move(labels);
    const QFontMetrics metrics(Theme::monoFont(-2));
    int width = 0;
    for (const Label& label : labels_)
        width = std::max(width, metrics.horizontalAdvance(label.text) + 10);
    // Steps, so that the plot does not move with every digit.
    width_ = (width + 15) / 16 * 16;
    if (width_ > parentPlot()->width() / 3) width_ = 0;
    parentPlot()->axisRect()->setMinimumMargins(QMargins(0, 4, std::max(width_, 6), 0));
}

void PlotEdgeLabels::applyDefaultAntialiasingHint(QCPPainter* painter) const {
    painter->setAntialiasing(false);
}

void PlotEdgeLabels::draw(QCPPainter* painter) {
    if (width_ == 0 || labels_.empty()) return;
    const QCPAxisRect* rect = parentPlot()->axisRect();
    const QCPAxis* axis = rect->axis(QCPAxis::atLeft);
    const QFont font = Theme::monoFont(-2);
    const double line = QFontMetrics(font).height();

    struct Placed {
        double y;
        const Label* label;
    };

    std::vector<Placed> placed;
    for (const Label& label : labels_)
        if (std::isfinite(label.value)) placed.push_back({axis->coordToPixel(label.value), &label});
    std::stable_sort(placed.begin(), placed.end(),
                     [](const Placed& a, const Placed& b) { return a.y < b.y; });
    // Down from the top so that none overlap, then up from the bottom so that all are inside.
    double least = rect->top() + line / 2 - 2;
    for (Placed& p : placed) {
        p.y = std::max(p.y, least);
        least = p.y + line;
    }
    double most = rect->bottom() - line / 2 + 2;
    for (size_t i = placed.size(); i-- > 0;) {
        placed[i].y = std::min(placed[i].y, most);
        most = placed[i].y - line;
    }
    painter->setFont(font);
    for (const Placed& p : placed) {
        if (p.y < rect->top() - line / 2) continue;  // no room for so many
        painter->setPen(p.label->color);
        painter->drawText(QRectF(rect->right() + 7, p.y - line / 2, width_, line),
                          Qt::AlignLeft | Qt::AlignVCenter, p.label->text);
    }
}

}  // namespace vitrine::gui
