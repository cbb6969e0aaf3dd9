#include "gui/widgets/plot_facts.h"

#include <algorithm>

#include <QPainter>

#include "gui/widgets/theme.h"

namespace vitrine::gui {
namespace {

constexpr int kGap = 14;

QFont factFont() {
    return Theme::uiFont(-1);
}

int rowHeight() {
    return QFontMetrics(factFont()).height() + 2;
}

}  // namespace

PlotFacts::PlotFacts(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Preferred);
}

void PlotFacts::setRows(std::vector<Row> rows) {
    if (rows == rows_) return;
    const QSize before = sizeHint();
    rows_ = std::move(rows);
    QStringList words;
    for (const Row& row : rows_) words << row.name + QStringLiteral(": ") + row.value;
    setAccessibleDescription(words.join(QStringLiteral(", ")));
    const QSize after = sizeHint();
    // Digits come and go: the neighbours move only when it gets wider.
    if (after.width() > before.width() || after.height() != before.height()) updateGeometry();
    update();
}

void PlotFacts::applyTheme() {
    updateGeometry();
    update();
}

PlotFacts::Widths PlotFacts::widths() const {
    const QFontMetrics metrics(factFont());
    Widths w;
    for (const Row& row : rows_) {
        w.name = std::max(w.name, metrics.horizontalAdvance(row.name));
        w.value = std::max(w.value, metrics.horizontalAdvance(row.value));
        w.note = std::max(w.note, metrics.horizontalAdvance(row.note));
    }
    return w;
}

QSize PlotFacts::sizeHint() const {
    const Widths w = widths();
    return {w.name + w.value + w.note + 2 * kGap, static_cast<int>(rows_.size()) * rowHeight() + 2};
}

void PlotFacts::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::current();
    QPainter painter(this);
    painter.setFont(factFont());
    const Widths w = widths();
    int y = 0;
    for (const Row& row : rows_) {
        const int h = rowHeight();
        painter.setPen(theme.dim);
        painter.drawText(QRect(0, y, w.name, h), Qt::AlignLeft | Qt::AlignVCenter, row.name);
        painter.setPen(theme.ink);
        painter.drawText(QRect(w.name + kGap, y, w.value, h), Qt::AlignRight | Qt::AlignVCenter,
                         row.value);
        painter.setPen(theme.faint);
        painter.drawText(QRect(w.name + w.value + 2 * kGap, y, w.note + 4, h),
                         Qt::AlignLeft | Qt::AlignVCenter, row.note);
        y += h;
    }
}

}  // namespace vitrine::gui
