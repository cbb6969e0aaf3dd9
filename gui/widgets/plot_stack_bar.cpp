#include "gui/widgets/plot_stack_bar.h"

#include <algorithm>
#include <cmath>

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include "gui/widgets/plot_style.h"
#include "gui/widgets/theme.h"

namespace vitrine::gui {
namespace {
constexpr int kBarHeight = 16, kGap = 6, kSwatch = 9, kItemGap = 16;
}

PlotStackBar::PlotStackBar(QWidget* parent) : QWidget(parent) {
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    setMouseTracking(true);
}

void PlotStackBar::setParts(std::vector<Part> parts, double fullScale, double mark,
                            const QString& markName) {
    const bool isSameShape = parts.size() == parts_.size();
    parts_ = std::move(parts);
    fullScale_ = fullScale;
    mark_ = mark;
    markName_ = markName;
    QStringList words;
    for (const Part& part : parts_) words << part.name + QLatin1Char(' ') + part.value;
    setAccessibleDescription(words.join(QStringLiteral(", ")));
    if (!isSameShape) updateGeometry();
    update();
}

double PlotStackBar::scale() const {
    double sum = 0;
    for (const Part& part : parts_)
        if (std::isfinite(part.amount)) sum += std::max(part.amount, 0.0);
    return std::max({sum, fullScale_, mark_, 1e-12});
}

QRectF PlotStackBar::barRect() const {
    return QRectF(0.5, 1.5, std::max(1, width() - 1), kBarHeight);
}

std::vector<PlotStackBar::LegendItem> PlotStackBar::layoutLegend(int width, int* height) const {
    const QFontMetrics name(Theme::uiFont(-1.5)), value(Theme::monoFont(-1.5));
    const int lineHeight = std::max(name.height(), value.height()) + 3;
    std::vector<LegendItem> items;
    int x = 0, y = kBarHeight + kGap + 2;
    for (size_t i = 0; i < parts_.size(); ++i) {
        const int w = kSwatch + 5 + name.horizontalAdvance(parts_[i].name) + 6 +
                      value.horizontalAdvance(parts_[i].value);
        if (x > 0 && x + w > width) {
            x = 0;
            y += lineHeight;
        }
        items.push_back({QRect(x, y, w, lineHeight), i});
        x += w + kItemGap;
    }
    if (height) *height = y + (parts_.empty() ? 0 : lineHeight) + 1;
    return items;
}

QSize PlotStackBar::sizeHint() const {
    return {360, heightForWidth(360)};
}

QSize PlotStackBar::minimumSizeHint() const {
    return {120, kBarHeight + kGap + 20};
}

int PlotStackBar::heightForWidth(int width) const {
    int height = 0;
    layoutLegend(width, &height);
    return height;
}

void PlotStackBar::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    const int wanted = heightForWidth(width());
    if (wanted != minimumHeight()) setMinimumHeight(wanted);
}

void PlotStackBar::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::current();
    QPainter painter(this);
    const QRectF bar = barRect();
    painter.fillRect(bar, theme.kvEmpty);
    const double perUnit = bar.width() / scale();
    double x = bar.left();
    for (const Part& part : parts_) {
        if (!(part.amount > 0)) continue;
        const double w = std::max(part.amount * perUnit, 1.0);
        painter.fillRect(QRectF(x, bar.top(), std::max(1.0, w - (w > 4 ? 1 : 0)), bar.height()),
                         part.color);
        x += part.amount * perUnit;
    }
    if (mark_ > 0) {
        const double at = std::min(bar.left() + mark_ * perUnit, bar.right() - 1);
        painter.setPen(hairline(theme.good));
        painter.drawLine(QPointF(at, bar.top() - 1), QPointF(at, bar.bottom() + 3));
    }
    const QFont nameFont = Theme::uiFont(-1.5), valueFont = Theme::monoFont(-1.5);
    const QFontMetrics nameMetrics(nameFont);
    for (const LegendItem& item : layoutLegend(width(), nullptr)) {
        const Part& part = parts_[item.part];
        QRect rect = item.rect;
        painter.fillRect(QRect(rect.left(), rect.center().y() - kSwatch / 2 + 1, kSwatch, kSwatch),
                         part.color);
        rect.adjust(kSwatch + 5, 0, 0, 0);
        painter.setFont(nameFont);
        painter.setPen(theme.dim);
        painter.drawText(rect, Qt::AlignVCenter | Qt::AlignLeft, part.name);
        rect.adjust(nameMetrics.horizontalAdvance(part.name) + 6, 0, 8, 0);
        painter.setFont(valueFont);
        painter.setPen(theme.ink);
        painter.drawText(rect, Qt::AlignVCenter | Qt::AlignLeft, part.value);
    }
}

bool PlotStackBar::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const QRectF bar = barRect();
    QString text;
    double x = bar.left();
    for (const Part& part : parts_) {
        const double w = std::max(0.0, part.amount) * bar.width() / scale();
        if (help->pos().y() <= bar.bottom() + 2 && help->pos().x() >= x && help->pos().x() < x + w)
            text = part.name + QStringLiteral(": ") + part.value;
        x += w;
    }
    if (text.isEmpty() && mark_ > 0 && help->pos().y() <= bar.bottom() + 2) text = markName_;
    if (text.isEmpty())
        QToolTip::hideText();
    else
        QToolTip::showText(help->globalPos(), text, this);
    return true;
}

}  // namespace vitrine::gui
