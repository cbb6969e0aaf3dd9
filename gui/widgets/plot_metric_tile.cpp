#include "gui/widgets/plot_metric_tile.h"

#include <algorithm>

#include <QPainter>

#include "gui/widgets/elided_label.h"
#include "gui/widgets/theme.h"

namespace vitrine::gui {

PlotMetricTile::PlotMetricTile(QColor (*color)(), QWidget* parent) : QFrame(parent), color_(color) {
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

void PlotMetricTile::setTexts(const QString& value, const QString& name, const QString& note) {
    if (value == value_ && name == name_ && note == note_) return;
    value_ = value;
    name_ = name;
    note_ = note;
    setAccessibleName(name);
    setAccessibleDescription(note.isEmpty() ? value : value + QStringLiteral(", ") + note);
    setToolTip(note.isEmpty() ? name : name + QStringLiteral(" · ") + note);
    updateGeometry();
    update();
}

QSize PlotMetricTile::sizeHint() const {
    const QFontMetrics big(Theme::monoFont(3, QFont::DemiBold)), small(Theme::uiFont(-2));
    const QString line = note_.isEmpty() ? name_ : name_ + QStringLiteral(" · ") + note_;
    return {13 + std::max(big.horizontalAdvance(value_), small.horizontalAdvance(line)) + 14,
            big.height() + small.height() + 5};
}

QSize PlotMetricTile::minimumSizeHint() const {
    const QFontMetrics big(Theme::monoFont(3, QFont::DemiBold));
    return {std::max(86, 13 + big.horizontalAdvance(value_) + 6), sizeHint().height()};
}

void PlotMetricTile::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::current();
    QPainter painter(this);
    painter.fillRect(QRect(0, 2, 3, height() - 4), color_());
    const QFont big = Theme::monoFont(3, QFont::DemiBold), small = Theme::uiFont(-2);
    const QFontMetrics bigMetrics(big), smallMetrics(small);
    painter.setFont(big);
    painter.setPen(theme.ink);
    painter.drawText(QRect(11, 1, width() - 12, bigMetrics.height()), Qt::AlignLeft, value_);
    const QRect below(11, bigMetrics.height() + 2, width() - 12, smallMetrics.height());
    painter.setFont(small);
    painter.setPen(theme.dim);
    const QString line = note_.isEmpty() ? name_ : name_ + QStringLiteral(" · ") + note_;
    painter.drawText(below, Qt::AlignLeft, fittingParts(smallMetrics, line, below.width()));
}

}  // namespace vitrine::gui
