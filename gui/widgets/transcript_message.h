#pragma once
// One message of the transcript: its rows, their places and heights, painting and hit tests. Rows
// are laid out only near the viewport; others have estimated or remembered heights. Thread: GUI
// thread.

#include <memory>
#include <optional>
#include <vector>

#include <QString>
#include <QVector>

#include "gui/widgets/row_layout.h"

namespace vitrine::gui {

/// What the transcript is told of a turn.
struct MessageContent {
    int32_t turn = -1;
    bool isUser = true;
    bool isDropped = false;  ///< no longer sent to the model: painted faint
    bool isGrowing = false;
    QString text;
    QVector<int32_t> tokenEnds;  ///< end in `text` of each generated token
    QVector<float> tokenProbs;   ///< raw probability of each
    QString status;              ///< what is going on; empty = nothing
    double progress = -1;        ///< 0…1; −1 = no bar
    QString footer, details;     ///< figures; settings for the tool tip
    QString error;
    int version = 1, nVersions = 1;
};

/// A place in the transcript's text.
struct TextPlace {
    int32_t row = 0;
    RowPlace at;

    auto key() const { return std::tuple(row, at.cell, at.pos); }
};

class TranscriptMessage {
public:
    TranscriptMessage(MessageContent content, const RowFonts& fonts);

    const MessageContent& content() const { return content_; }

    const std::vector<MarkdownRow>& rows() const;

    void append(const QString& text, const QVector<int32_t>& tokenEnds,
                const QVector<float>& tokenProbs);
    /// Everything but text and tokens.
    void setMeta(const MessageContent& content);

    /// Throws all layouts away: width, fonts or colours changed.
    void setWidth(qreal width, const RowFonts& fonts);

    qreal y = 0;  ///< top, in the transcript; kept by the view

    qreal height() const { return height_; }

    /// Lays out rows that meet [top, bottom] in the message's coordinates. True when the height
    /// changed; `shiftAbove` is what rows wholly above `top` grew by.
    bool layOut(qreal top, qreal bottom, qreal* shiftAbove);
    /// Lays out one more unmeasured row, from the end; false when all are measured.
    bool layOutOne();
    /// Drops layouts outside [top, bottom]; heights stay.
    void dropLayouts(qreal top, qreal bottom);

    struct PaintState {
        qreal top = 0, bottom = 0;          ///< visible part, in the message's coordinates
        std::optional<TextPlace> from, to;  ///< selection
        int32_t hoverToken = -1, selectedToken = -1;
        bool showTokens = true, isCurrent = false;
        int32_t hoverCopy = -1;  ///< code block whose copy button is hovered
        int32_t copied = -1;     ///< code block that was just copied
    };

    void paint(QPainter& painter, const QPointF& origin, const PaintState& state);

    TextPlace placeAt(const QPointF& point);
    int32_t tokenAt(const QPointF& point);             ///< −1 = none
    int32_t copyButtonAt(const QPointF& point) const;  ///< code block; −1 = none
    QString linkAt(const QPointF& point);              ///< empty = none
    /// −1 and +1: the version arrows; 0 = neither.
    int versionArrowAt(const QPointF& point) const;
    bool isOverFooter(const QPointF& point) const;
    QRectF bubbleRect() const;  ///< of a user message; else the whole

    QRectF footerRect() const { return footer_; }

    QString selectedText(TextPlace from, TextPlace to) const;

    QString codeText(int32_t block) const { return stream_.codeText(block); }

    std::pair<TextPlace, TextPlace> everything() const;

private:
    struct Item {
        qreal y = 0, height = 0;
        bool isMeasured = false;
        std::unique_ptr<RowLayout> layout;
        std::vector<TokenRect> tokens;
        bool hasTokens = false;
    };

    void makeUserRows();
    void syncItems(size_t firstChanged);
    void recolorClosedCode();
    void place(size_t first);
    void layOutRow(size_t row);
    void layOutTail();
    void paintCode(QPainter& painter, const QPointF& origin, size_t row, const PaintState& state);
    void paintTail(QPainter& painter, const QPointF& origin, const PaintState& state);
    const std::vector<CodeRange>* codeRanges(const MarkdownRow& row, size_t index);
    const std::vector<qreal>& columnsOf(int32_t table);
    const std::vector<TokenRect>& tokensOf(size_t row);
    size_t rowAt(qreal y) const;
    qreal contentWidth() const;
    QPointF contentOrigin() const;
    QRectF copyRect(size_t row) const;

    MessageContent content_;
    RowFonts fonts_;
    MarkdownStream stream_;              // answers
    std::vector<MarkdownRow> userRows_;  // users
    std::vector<Item> items_;
    std::vector<std::vector<std::vector<CodeRange>>> code_;  // [block][line]; closed blocks
    std::vector<uint8_t> isColored_;           // [block]: its lines were laid out with colours
    std::vector<std::vector<qreal>> columns_;  // [table]
    qreal width_ = 400, height_ = 0, rowsHeight_ = 0, bubbleWidth_ = 0;
    QRectF footer_, statusRect_, errorRect_, arrows_[2];
    std::unique_ptr<QTextLayout> footerText_, errorText_;
};

}  // namespace vitrine::gui
