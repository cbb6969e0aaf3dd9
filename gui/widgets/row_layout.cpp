#include "gui/widgets/row_layout.h"

#include <algorithm>
#include <cmath>

#include <QFontMetricsF>
#include <QPainter>

#include "gui/widgets/theme.h"

namespace vitrine::gui {
namespace {

constexpr qreal kLineSpacing = 1.42;
constexpr qreal kCodeSpacing = 1.25;
constexpr qreal kCodePadding = 12;
constexpr qreal kCellPadding = 8;

QColor codeColor(CodeToken token, const Theme& theme) {
    switch (token) {
        case CodeToken::Comment: return theme.faint;
        case CodeToken::String: return theme.tokenize;
        case CodeToken::Number: return theme.prefill;
        case CodeToken::Keyword: return theme.detokenize;
        case CodeToken::Function: return theme.accent;
        case CodeToken::Markup: return theme.detokenize;
    }
    return theme.ink;
}

QList<QTextLayout::FormatRange> formatsOf(const InlineText& text, const RowFonts& fonts,
                                          bool isHeading) {
    const Theme& theme = Theme::current();
    QList<QTextLayout::FormatRange> formats;
    formats.reserve(static_cast<qsizetype>(text.styles.size()));
    for (const StyledRange& range : text.styles) {
        QTextCharFormat format;
        if (range.style & kCode) {
            QFont font = fonts.mono;
            if (range.style & kBold) font.setWeight(QFont::Bold);
            format.setFont(font);
            format.setBackground(theme.raised);
            if (theme.isDark) format.setForeground(theme.ink.lighter(105));
        } else {
            if (range.style & kBold) format.setFontWeight(QFont::DemiBold);
            if (range.style & kItalic) format.setFontItalic(true);
        }
        if (range.style & kStrike) format.setFontStrikeOut(true);
        if (range.style & kLink) {
            format.setForeground(theme.accent);
            format.setFontUnderline(true);
        }
        if (isHeading && !(range.style & kCode)) format.setFontWeight(QFont::Bold);
        formats.append({range.start, range.length, format});
    }
    return formats;
}

QList<QTextLayout::FormatRange> formatsOf(const std::vector<CodeRange>& code) {
    const Theme& theme = Theme::current();
    QList<QTextLayout::FormatRange> formats;
    for (const CodeRange& range : code) {
        QTextCharFormat format;
        format.setForeground(codeColor(range.token, theme));
        if (range.token == CodeToken::Comment) format.setFontItalic(true);
        formats.append({range.start, range.length, format});
    }
    return formats;
}

/// Breaks the lines; returns the height.
qreal breakLines(QTextLayout& layout, qreal width, qreal spacing, qreal minHeight) {
    QTextOption option;
    option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    layout.setTextOption(option);
    layout.setCacheEnabled(true);
    qreal y = 0;
    layout.beginLayout();
    for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine()) {
        line.setLineWidth(std::max<qreal>(20, width));
        const qreal height = std::ceil(std::max(line.height(), minHeight) * spacing);
        line.setPosition(QPointF(0, y + std::floor((height - line.height()) / 2)));
        y += height;
    }
    layout.endLayout();
    return y;
}

}  // namespace

RowFonts RowFonts::make() {
    RowFonts fonts;
    fonts.body = Theme::uiFont(0.5);
    fonts.bold = Theme::uiFont(0.5, QFont::DemiBold);
    fonts.mono = Theme::monoFont(-0.5);
    fonts.small = Theme::uiFont(-1.5);
    const qreal larger[6] = {5, 3.5, 2, 1.2, 0.8, 0.8};
    for (int i = 0; i < 6; ++i) fonts.heading[i] = Theme::uiFont(larger[i], QFont::Bold);
    const QFontMetricsF metrics(fonts.body);
    fonts.em = metrics.height();
    fonts.charWidth = metrics.averageCharWidth();
    return fonts;
}

RowLayout::RowLayout(const MarkdownRow& row, const RowFonts& fonts, qreal width,
                     const std::vector<qreal>& columns, const std::vector<CodeRange>* code)
    : width_(width), kind_(row.kind), isHeader_(row.isHeader) {
    const auto addCell = [&](const InlineText& text, const QFont& font, QPointF pos,
                             qreal cellWidth, qreal spacing,
                             QList<QTextLayout::FormatRange> formats) {
        Cell cell;
        cell.layout = std::make_unique<QTextLayout>(text.text, font);
        cell.layout->setFormats(formats);
        cell.pos = pos;
        cell.height = breakLines(*cell.layout, cellWidth, spacing, QFontMetricsF(font).height());
        cells_.push_back(std::move(cell));
    };
    switch (row.kind) {
        case RowKind::CodeHead: height_ = std::ceil(fonts.em * 1.75); return;
        case RowKind::Rule: height_ = std::ceil(fonts.em * 1.2); return;
        case RowKind::CodeLine:
            addCell(row.cells[0], fonts.mono, {kCodePadding, 0}, width - 2 * kCodePadding,
                    kCodeSpacing, code ? formatsOf(*code) : QList<QTextLayout::FormatRange>());
            height_ = cells_[0].height;
            return;
        case RowKind::TableRow: {
            qreal x = 0;
            for (size_t i = 0; i < row.cells.size() && i < columns.size(); ++i) {
                addCell(row.cells[i], row.isHeader ? fonts.bold : fonts.body, {x + kCellPadding, 4},
                        columns[i] - 2 * kCellPadding, 1.25, formatsOf(row.cells[i], fonts, false));
                height_ = std::max(height_, cells_.back().height + 8);
                x += columns[i];
            }
            return;
        }
        case RowKind::Heading: {
            const QFont& font = fonts.heading[std::clamp(row.level, 1, 6) - 1];
            addCell(row.cells[0], font, {0, 0}, width, 1.25, formatsOf(row.cells[0], fonts, true));
            height_ = cells_[0].height;
            return;
        }
        case RowKind::Paragraph:
        case RowKind::ListItem:
        case RowKind::Quote: break;
    }
    if (row.kind == RowKind::ListItem) {
        const qreal markerWidth = QFontMetricsF(fonts.body).horizontalAdvance(row.marker);
        indent_ =
            row.level * fonts.em * 1.2 + std::max(fonts.em * 1.25, markerWidth + fonts.em * 0.6);
        marker_ = row.marker;
        markerFont_ = fonts.body;
    } else if (row.kind == RowKind::Quote) {
        quoteDepth_ = row.level + 1;
        indent_ = quoteDepth_ * 14;
    }
    addCell(row.cells[0], fonts.body, {indent_, 0}, width - indent_, kLineSpacing,
            formatsOf(row.cells[0], fonts, false));
    height_ = cells_[0].height;
}

void RowLayout::paint(QPainter& painter, const QPointF& origin, RowPlace selectFrom,
                      RowPlace selectTo) const {
    const Theme& theme = Theme::current();
    if (kind_ == RowKind::Rule) {
        const qreal y = std::floor(origin.y() + height_ / 2) + 0.5;
        painter.setPen(theme.line);
        painter.drawLine(QPointF(origin.x(), y), QPointF(origin.x() + width_, y));
        return;
    }
    if (kind_ == RowKind::TableRow) {
        if (isHeader_) painter.fillRect(QRectF(origin, QSizeF(width_, height_)), theme.raised);
        const qreal y = std::floor(origin.y() + height_) - 0.5;
        painter.setPen(theme.line);
        painter.drawLine(QPointF(origin.x(), y), QPointF(origin.x() + width_, y));
    }
    for (int i = 0; i < quoteDepth_; ++i)
        painter.fillRect(QRectF(origin.x() + 14 * i, origin.y(), 3, height_), theme.line);
    painter.setPen(quoteDepth_ > 0 ? theme.dim : theme.ink);
    if (!marker_.isEmpty() && !cells_.empty() && cells_[0].layout->lineCount() > 0) {
        const QTextLine line = cells_[0].layout->lineAt(0);
        const QFontMetricsF metrics(markerFont_);
        painter.save();
        painter.setFont(markerFont_);
        painter.setPen(theme.dim);
        painter.drawText(QPointF(origin.x() + indent_ - metrics.horizontalAdvance(marker_) -
                                     metrics.height() * 0.4,
                                 origin.y() + line.y() + line.ascent()),
                         marker_);
        painter.restore();
    }
    for (size_t i = 0; i < cells_.size(); ++i) {
        const auto cell = static_cast<int32_t>(i);
        const auto length = static_cast<int32_t>(cells_[i].layout->text().size());
        const int32_t from = selectFrom.cell < cell    ? 0
                             : selectFrom.cell == cell ? selectFrom.pos
                                                       : length;
        const int32_t to = selectTo.cell > cell ? length : selectTo.cell == cell ? selectTo.pos : 0;
        QList<QTextLayout::FormatRange> selection;
        if (to > from) {
            QTextCharFormat format;
            format.setBackground(theme.accent);
            format.setForeground(theme.accentInk);
            selection.append({from, to - from, format});
        }
        cells_[i].layout->draw(&painter, origin + cells_[i].pos, selection);
    }
}

RowPlace RowLayout::placeAt(const QPointF& point) const {
    RowPlace place;
    for (size_t i = 0; i < cells_.size(); ++i)
        if (i == 0 || point.x() >= cells_[i].pos.x() - kCellPadding)
            place.cell = static_cast<int32_t>(i);
    if (cells_.empty()) return place;
    const Cell& cell = cells_[static_cast<size_t>(place.cell)];
    const QPointF local = point - cell.pos;
    for (int i = 0; i < cell.layout->lineCount(); ++i) {
        const QTextLine line = cell.layout->lineAt(i);
        const qreal bottom =
            i + 1 < cell.layout->lineCount() ? cell.layout->lineAt(i + 1).y() : cell.height + 1000;
        if (local.y() < bottom) {
            place.pos = line.xToCursor(local.x());
            return place;
        }
    }
    place.pos = static_cast<int32_t>(cell.layout->text().size());
    return place;
}

QRectF RowLayout::caretRect() const {
    if (cells_.empty() || cells_.back().layout->lineCount() == 0) return {0, 2, 8, 14};
    const Cell& cell = cells_.back();
    const QTextLine line = cell.layout->lineAt(cell.layout->lineCount() - 1);
    const qreal x = line.cursorToX(static_cast<int>(cell.layout->text().size()));
    return {cell.pos.x() + x + 2, cell.pos.y() + line.y() + 1, std::ceil(line.height() * 0.42),
            line.height() - 2};
}

int32_t RowLayout::linkAt(const QPointF& point, const MarkdownRow& row, int32_t* cell) const {
    for (size_t i = 0; i < cells_.size() && i < row.cells.size(); ++i) {
        for (const StyledRange& range : row.cells[i].styles) {
            if (range.link < 0) continue;
            for (int n = 0; n < cells_[i].layout->lineCount(); ++n) {
                const QTextLine line = cells_[i].layout->lineAt(n);
                const int from = std::max(range.start, line.textStart());
                const int to =
                    std::min(range.start + range.length, line.textStart() + line.textLength());
                if (from >= to) continue;
                const QRectF rect(QPointF(line.cursorToX(from), line.y()),
                                  QPointF(line.cursorToX(to), line.y() + line.height()));
                if (rect.translated(cells_[i].pos).contains(point)) {
                    *cell = static_cast<int32_t>(i);
                    return range.link;
                }
            }
        }
    }
    return -1;
}

std::vector<TokenRect> RowLayout::tokenRects(const MarkdownRow& row,
                                             const QVector<int32_t>& ends) const {
    std::vector<TokenRect> rects;
    for (size_t i = 0; i < cells_.size() && i < row.cells.size(); ++i) {
        const std::vector<int32_t>& raw = row.cells[i].raw;
        const QString& text = row.cells[i].text;
        size_t from = 0;
        while (from < raw.size()) {
            const auto it = std::upper_bound(ends.begin(), ends.end(), raw[from]);
            if (it == ends.end()) break;
            size_t to = from;
            while (to < raw.size() && raw[to] < *it) ++to;
            if (to == from) break;
            // The space before a word belongs to the token but not to its underline.
            size_t inkFrom = from;
            while (inkFrom < to && text[static_cast<qsizetype>(inkFrom)].isSpace()) ++inkFrom;
            const auto token = static_cast<int32_t>(it - ends.begin());
            for (int n = 0; n < cells_[i].layout->lineCount() && inkFrom < to; ++n) {
                const QTextLine line = cells_[i].layout->lineAt(n);
                const int a = std::max(static_cast<int>(inkFrom), line.textStart());
                const int b = std::min(static_cast<int>(to), line.textStart() + line.textLength());
                if (a >= b) continue;
                const qreal x = line.cursorToX(a);
                rects.push_back({token, QRectF(x, line.y(), line.cursorToX(b) - x, line.height())
                                            .translated(cells_[i].pos)});
            }
            from = to;
        }
    }
    return rects;
}

qreal estimateRowHeight(const MarkdownRow& row, const RowFonts& fonts, qreal width) {
    if (row.cells.empty()) return fonts.em * 1.7;
    const QString& text = row.cells[0].text;
    const qreal perLine = std::max<qreal>(8, width / fonts.charWidth);
    const qreal lines = std::ceil(static_cast<qreal>(text.size()) / perLine) +
                        static_cast<qreal>(text.count(QChar(QChar::LineSeparator)));
    const qreal spacing = row.kind == RowKind::CodeLine ? kCodeSpacing : kLineSpacing;
    return std::max<qreal>(1, lines) * std::ceil(fonts.em * spacing);
}

qreal rowGap(const MarkdownRow& row, const MarkdownRow* before, const RowFonts& fonts) {
    if (!before) return 0;
    if (row.kind == RowKind::CodeLine) return 0;
    if (row.kind == RowKind::TableRow && before->kind == RowKind::TableRow &&
        row.table == before->table)
        return 0;
    qreal gap = fonts.em * 0.55;
    if (row.kind == RowKind::ListItem && before->kind == RowKind::ListItem) gap = fonts.em * 0.15;
    if (row.kind == RowKind::Heading) gap = fonts.em * 0.95;
    if (before->kind == RowKind::Heading) gap = fonts.em * 0.4;
    if (before->kind == RowKind::CodeLine || before->kind == RowKind::CodeHead ||
        row.kind == RowKind::CodeHead)
        gap = fonts.em * 0.75;
    return std::round(gap);
}

std::vector<qreal> tableColumns(const std::vector<const MarkdownRow*>& rows, const RowFonts& fonts,
                                qreal width) {
    std::vector<qreal> wanted;
    const QFontMetricsF metrics(fonts.bold);
    for (const MarkdownRow* row : rows) {
        if (row->cells.size() > wanted.size()) wanted.resize(row->cells.size(), 0);
        for (size_t i = 0; i < row->cells.size(); ++i)
            wanted[i] = std::max(wanted[i], metrics.horizontalAdvance(row->cells[i].text.left(80)) +
                                                2 * kCellPadding + 6);
    }
    qreal total = 0;
    for (qreal& w : wanted) {
        w = std::max<qreal>(w, 2 * kCellPadding + fonts.em * 2);
        total += w;
    }
    if (total <= 0) return wanted;
    // Too wide: narrow columns keep what they want, wide ones share the rest.
    if (total > width) {
        const qreal fair = width / static_cast<qreal>(wanted.size());
        qreal fixed = 0, flexible = 0;
        for (const qreal w : wanted) (w <= fair ? fixed : flexible) += w;
        for (qreal& w : wanted)
            if (w > fair) w = std::max(fair * 0.6, (width - fixed) * w / flexible);
    }
    return wanted;
}

}  // namespace vitrine::gui
