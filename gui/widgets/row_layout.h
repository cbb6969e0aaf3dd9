#pragma once
// One Markdown row laid out for a width: text lines, and where its tokens are. Made when the row
// comes into sight, dropped when it is far away. Thread: GUI thread.

#include <memory>
#include <vector>

#include <QFont>
#include <QPointF>
#include <QRectF>
#include <QTextLayout>
#include <QVector>

#include "gui/widgets/code_highlighter.h"
#include "gui/widgets/markdown.h"

class QPainter;

namespace vitrine::gui {

/// Fonts and measures of the transcript, from the theme's size. Thread: GUI thread.
struct RowFonts {
    QFont body, bold, mono, small;
    QFont heading[6];
    qreal em = 14;        ///< height of the body font
    qreal charWidth = 7;  ///< average, for estimates

    static RowFonts make();
};

/// A place in a row's text.
struct RowPlace {
    int32_t cell = 0, pos = 0;
};

struct TokenRect {
    int32_t token = 0;
    QRectF rect;  ///< in the row's coordinates, one per line that the token touches
};

class RowLayout {
public:
    /// columns: widths of a table's columns; empty for other rows. code: ranges of a code line.
    RowLayout(const MarkdownRow& row, const RowFonts& fonts, qreal width,
              const std::vector<qreal>& columns, const std::vector<CodeRange>* code);

    qreal height() const { return height_; }

    /// selectFrom, selectTo: selected places, from = to for none.
    void paint(QPainter& painter, const QPointF& origin, RowPlace selectFrom,
               RowPlace selectTo) const;
    RowPlace placeAt(const QPointF& point) const;
    /// Where a growing text's caret stands.
    QRectF caretRect() const;
    /// Link index at a point; −1 = none.
    int32_t linkAt(const QPointF& point, const MarkdownRow& row, int32_t* cell) const;

    /// Rectangles of the tokens that end at `ends` in the source. Computed once per call.
    std::vector<TokenRect> tokenRects(const MarkdownRow& row, const QVector<int32_t>& ends) const;

private:
    struct Cell {
        std::unique_ptr<QTextLayout> layout;
        QPointF pos;
        qreal height = 0;
    };

    std::vector<Cell> cells_;
    qreal width_ = 0, height_ = 0, indent_ = 0;
    QString marker_;
    QFont markerFont_;
    int quoteDepth_ = 0;
    RowKind kind_ = RowKind::Paragraph;
    bool isHeader_ = false;
};

/// Height of a row before it is laid out, from its length. Never fails.
qreal estimateRowHeight(const MarkdownRow& row, const RowFonts& fonts, qreal width);
/// Space above a row after `before` (null = first). Never fails.
qreal rowGap(const MarkdownRow& row, const MarkdownRow* before, const RowFonts& fonts);
/// Widths of a table's columns from its first rows. Never fails.
std::vector<qreal> tableColumns(const std::vector<const MarkdownRow*>& rows, const RowFonts& fonts,
                                qreal width);

}  // namespace vitrine::gui
