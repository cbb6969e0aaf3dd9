#include "gui/widgets/transcript_message.h"

#include <algorithm>
#include <cmath>

#include <QFontMetricsF>

namespace vitrine::gui {
namespace {

constexpr qreal kMargin = 16;
constexpr qreal kBubbleMargin = 92;  // room for the buttons beside a bubble
constexpr qreal kBubblePadX = 13, kBubblePadY = 9;
constexpr int32_t kMaxUserLine = 4096;
constexpr int kMaxNaturalRows = 40;

}  // namespace

TranscriptMessage::TranscriptMessage(MessageContent content, const RowFonts& fonts)
    : content_(std::move(content)), fonts_(fonts) {
    if (content_.isUser) {
        makeUserRows();
    } else {
        stream_.append(content_.text);
        if (!content_.isGrowing) stream_.finish();
        stream_.takeFirstChanged();
    }
    syncItems(0);
}

const std::vector<MarkdownRow>& TranscriptMessage::rows() const {
    return content_.isUser ? userRows_ : stream_.rows();
}

void TranscriptMessage::makeUserRows() {
    const QString& text = content_.text;
    const auto size = static_cast<int32_t>(text.size());
    for (int32_t begin = 0; begin <= size;) {
        int32_t end = begin;
        while (end < size && text[end] != '\n' && end - begin < kMaxUserLine) ++end;
        MarkdownRow row;
        InlineText cell;
        cell.text = text.mid(begin, end - begin);
        cell.text.replace(QChar('\t'), QStringLiteral("    "));
        row.cells.push_back(std::move(cell));
        userRows_.push_back(std::move(row));
        begin = end < size && text[end] == '\n' ? end + 1 : end;
        if (end >= size) break;
    }
}

void TranscriptMessage::append(const QString& text, const QVector<int32_t>& tokenEnds,
                               const QVector<float>& tokenProbs) {
    content_.text += text;
    content_.tokenEnds = tokenEnds;
    content_.tokenProbs = tokenProbs;
    stream_.append(text);
    syncItems(stream_.takeFirstChanged());
}

void TranscriptMessage::setMeta(const MessageContent& content) {
    const bool ends = content_.isGrowing && !content.isGrowing;
    content_.isDropped = content.isDropped;
    content_.isGrowing = content.isGrowing;
    content_.status = content.status;
    content_.progress = content.progress;
    content_.footer = content.footer;
    content_.details = content.details;
    content_.error = content.error;
    content_.version = content.version;
    content_.nVersions = content.nVersions;
    if (ends && !content_.isUser) {
        stream_.finish();
        syncItems(stream_.takeFirstChanged());
    }
    layOutTail();
}

void TranscriptMessage::setWidth(qreal width, const RowFonts& fonts) {
    width_ = width;
    fonts_ = fonts;
    columns_.clear();
    for (Item& item : items_) {
        item.layout.reset();
        item.isMeasured = item.hasTokens = false;
    }
    bubbleWidth_ = 0;
    if (content_.isUser && items_.size() <= kMaxNaturalRows) {
        const QFontMetricsF metrics(fonts_.body);
        qreal natural = 0;
        for (const MarkdownRow& row : userRows_)
            natural = std::max(natural, metrics.horizontalAdvance(row.cells[0].text.left(400)));
        bubbleWidth_ = std::ceil(natural) + 2 * kBubblePadX + 4;
    }
    place(0);
}

qreal TranscriptMessage::contentWidth() const {
    if (content_.isUser) return bubbleRect().width() - 2 * kBubblePadX;
    return std::max<qreal>(60, width_ - 2 * kMargin - 4);
}

QPointF TranscriptMessage::contentOrigin() const {
    if (content_.isUser) return bubbleRect().topLeft() + QPointF(kBubblePadX, kBubblePadY);
    return {kMargin, 0};
}

QRectF TranscriptMessage::bubbleRect() const {
    if (!content_.isUser) return {0, 0, width_, height_};
    const qreal most =
        std::max<qreal>(120, width_ - kMargin - std::min(kBubbleMargin, width_ * 0.25));
    const qreal width = bubbleWidth_ > 0 ? std::min(most, bubbleWidth_) : most;
    return {width_ - kMargin - width, 0, width, rowsHeight_ + 2 * kBubblePadY};
}

void TranscriptMessage::syncItems(size_t firstChanged) {
    const size_t n = rows().size();
    items_.resize(n);
    for (size_t i = firstChanged; i < n; ++i) {
        items_[i].layout.reset();
        items_[i].isMeasured = items_[i].hasTokens = false;
    }
    recolorClosedCode();
    // A token may end in an earlier row than the text that changed: its end is known only now.
    if (firstChanged > 0) items_[firstChanged - 1].hasTokens = false;
    place(firstChanged);
}

void TranscriptMessage::recolorClosedCode() {
    const std::vector<CodeBlock>& blocks = stream_.codeBlocks();
    isColored_.resize(blocks.size(), 0);
    for (size_t b = 0; b < blocks.size(); ++b) {
        if (isColored_[b] || (!blocks[b].isClosed && content_.isGrowing)) continue;
        isColored_[b] = 1;
        // Heights stay: colours do not move the text.
        for (auto i = static_cast<size_t>(blocks[b].firstRow);
             i < items_.size() && rows()[i].code == static_cast<int32_t>(b); ++i)
            items_[i].layout.reset();
    }
}

void TranscriptMessage::place(size_t first) {
    const std::vector<MarkdownRow>& all = rows();
    const qreal width = contentWidth();
    qreal at = first > 0 ? items_[first - 1].y + items_[first - 1].height : 0;
    for (size_t i = first; i < items_.size(); ++i) {
        Item& item = items_[i];
        if (!content_.isUser) at += rowGap(all[i], i > 0 ? &all[i - 1] : nullptr, fonts_);
        if (!item.isMeasured) item.height = estimateRowHeight(all[i], fonts_, width);
        item.y = at;
        at += item.height;
    }
    rowsHeight_ = at;
    // A code card has its lower padding below its last line.
    if (!all.empty() &&
        (all.back().kind == RowKind::CodeLine || all.back().kind == RowKind::CodeHead))
        rowsHeight_ += fonts_.em * 0.4;
    layOutTail();
}

void TranscriptMessage::layOutTail() {
    qreal at = rowsHeight_ + (content_.isUser ? 2 * kBubblePadY : 0);
    const qreal width = width_ - 2 * kMargin;
    const auto textHeight = [&](std::unique_ptr<QTextLayout>& layout, const QString& text,
                                qreal w) {
        layout = std::make_unique<QTextLayout>(text, fonts_.small);
        qreal h = 0;
        QTextOption option;
        option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
        layout->setTextOption(option);
        layout->beginLayout();
        for (QTextLine line = layout->createLine(); line.isValid(); line = layout->createLine()) {
            line.setLineWidth(std::max<qreal>(40, w));
            line.setPosition({0, h});
            h += std::ceil(line.height() * 1.2);
        }
        layout->endLayout();
        return h;
    };
    const qreal smallHeight = QFontMetricsF(fonts_.small).height();
    statusRect_ = errorRect_ = footer_ = {};
    arrows_[0] = arrows_[1] = {};
    if (!content_.status.isEmpty()) {
        at += items_.empty() ? 2 : 8;
        statusRect_ = {kMargin, at, width, smallHeight * 1.3 + (content_.progress >= 0 ? 10 : 0)};
        at = statusRect_.bottom();
    }
    if (!content_.error.isEmpty()) {
        at += items_.empty() ? 0 : 8;
        const qreal h = textHeight(errorText_, content_.error, width - 26);
        errorRect_ = {kMargin, at, width, h + 14};
        at = errorRect_.bottom();
    }
    const bool hasVersions = content_.nVersions > 1;
    if (!content_.footer.isEmpty() || hasVersions) {
        at += content_.isUser ? 3 : 7;
        qreal x = kMargin;
        if (hasVersions) {
            const qreal side = smallHeight * 1.2;
            const qreal label =
                QFontMetricsF(fonts_.small)
                    .horizontalAdvance(
                        QStringLiteral("%1 / %2").arg(content_.version).arg(content_.nVersions));
            if (content_.isUser) x = width_ - kMargin - 2 * side - label - 8;
            arrows_[0] = {x, at, side, side};
            arrows_[1] = {x + side + label + 8, at, side, side};
            x += content_.isUser ? 0 : 2 * side + label + 16;
        }
        const qreal h = textHeight(footerText_, content_.footer, width_ - kMargin - x);
        footer_ = {x, at, width_ - kMargin - x, std::max(h, hasVersions ? smallHeight * 1.2 : 0)};
        at = footer_.bottom();
    }
    height_ = std::ceil(at);
}

const std::vector<CodeRange>* TranscriptMessage::codeRanges(const MarkdownRow& row, size_t index) {
    constexpr qsizetype kMaxHighlighted = 200'000;
    const CodeBlock& block = stream_.codeBlocks()[static_cast<size_t>(row.code)];
    if (!block.isClosed && content_.isGrowing) return nullptr;
    if (code_.size() <= static_cast<size_t>(row.code))
        code_.resize(static_cast<size_t>(row.code) + 1);
    auto& lines = code_[static_cast<size_t>(row.code)];
    const auto firstLine = static_cast<size_t>(block.firstRow) + 1;
    if (lines.empty() && block.rawEnd - block.rawBegin <= kMaxHighlighted) {
        QStringList text;
        for (size_t i = firstLine; i < rows().size() && rows()[i].code == row.code; ++i)
            text.append(rows()[i].cells[0].text);
        lines = highlightCode(block.language, text);
    }
    return index - firstLine < lines.size() ? &lines[index - firstLine] : nullptr;
}

const std::vector<qreal>& TranscriptMessage::columnsOf(int32_t table) {
    // The first rows decide, so that a growing table keeps its columns.
    constexpr size_t kDecisiveRows = 6;
    if (columns_.size() <= static_cast<size_t>(table))
        columns_.resize(static_cast<size_t>(table) + 1);
    auto& columns = columns_[static_cast<size_t>(table)];
    std::vector<const MarkdownRow*> sample;
    for (const MarkdownRow& row : rows()) {
        if (row.table == table && row.kind == RowKind::TableRow) sample.push_back(&row);
        if (sample.size() >= kDecisiveRows) break;
    }
    if (columns.empty() || (content_.isGrowing && sample.size() < kDecisiveRows))
        columns = tableColumns(sample, fonts_, contentWidth());
    return columns;
}

void TranscriptMessage::layOutRow(size_t i) {
    static const std::vector<qreal> none;
    const MarkdownRow& row = rows()[i];
    Item& item = items_[i];
    const std::vector<CodeRange>* code =
        row.kind == RowKind::CodeLine ? codeRanges(row, i) : nullptr;
    const auto& columns = row.kind == RowKind::TableRow ? columnsOf(row.table) : none;
    item.layout = std::make_unique<RowLayout>(row, fonts_, contentWidth(), columns, code);
    item.height = item.layout->height();
    item.isMeasured = true;
    item.hasTokens = false;
}

size_t TranscriptMessage::rowAt(qreal at) const {
    const auto it = std::upper_bound(items_.begin(), items_.end(), at,
                                     [](qreal value, const Item& item) { return value < item.y; });
    return it == items_.begin() ? 0 : static_cast<size_t>(it - items_.begin()) - 1;
}

bool TranscriptMessage::layOut(qreal top, qreal bottom, qreal* shiftAbove) {
    *shiftAbove = 0;
    if (items_.empty()) return false;
    const qreal offset = contentOrigin().y();
    bool changed = false;
    size_t firstChanged = items_.size();
    for (size_t i = rowAt(top - offset); i < items_.size() && items_[i].y + offset <= bottom; ++i) {
        Item& item = items_[i];
        if (item.layout) continue;
        const qreal before = item.height;
        layOutRow(i);
        if (std::abs(item.height - before) > 0.5) {
            if (item.y + offset + before <= top) *shiftAbove += item.height - before;
            firstChanged = std::min(firstChanged, i);
            changed = true;
        }
    }
    if (changed) place(firstChanged);
    return changed;
}

bool TranscriptMessage::layOutOne() {
    for (size_t i = items_.size(); i-- > 0;) {
        if (items_[i].isMeasured) continue;
        layOutRow(i);
        place(i);
        return true;
    }
    return false;
}

void TranscriptMessage::dropLayouts(qreal top, qreal bottom) {
    const qreal offset = contentOrigin().y();
    for (Item& item : items_) {
        if (!item.layout || (item.y + item.height + offset >= top && item.y + offset <= bottom))
            continue;
        item.layout.reset();
        item.tokens = {};
        item.hasTokens = false;
    }
}

const std::vector<TokenRect>& TranscriptMessage::tokensOf(size_t row) {
    Item& item = items_[row];
    if (!item.hasTokens && item.layout) {
        item.tokens = item.layout->tokenRects(rows()[row], content_.tokenEnds);
        item.hasTokens = true;
    }
    return item.tokens;
}

TextPlace TranscriptMessage::placeAt(const QPointF& point) {
    TextPlace place;
    if (items_.empty()) return place;
    const QPointF local = point - contentOrigin();
    const size_t i = rowAt(local.y());
    place.row = static_cast<int32_t>(i);
    if (!items_[i].layout) layOutRow(i);
    place.at = items_[i].layout->placeAt(local - QPointF(0, items_[i].y));
    if (local.y() > items_[i].y + items_[i].height && i + 1 == items_.size() &&
        !rows()[i].cells.empty())
        place.at = {static_cast<int32_t>(rows()[i].cells.size()) - 1,
                    static_cast<int32_t>(rows()[i].cells.back().text.size())};
    return place;
}

int32_t TranscriptMessage::tokenAt(const QPointF& point) {
    if (content_.isUser || items_.empty()) return -1;
    const QPointF local = point - contentOrigin();
    const size_t i = rowAt(local.y());
    for (const TokenRect& token : tokensOf(i))
        if (token.rect.contains(local - QPointF(0, items_[i].y))) return token.token;
    return -1;
}

QRectF TranscriptMessage::copyRect(size_t row) const {
    const Item& item = items_[row];
    const qreal w = fonts_.em * 4.4;
    return QRectF(contentWidth() - w, item.y, w, item.height).translated(contentOrigin());
}

int32_t TranscriptMessage::copyButtonAt(const QPointF& point) const {
    if (content_.isUser || items_.empty()) return -1;
    const size_t i = rowAt(point.y() - contentOrigin().y());
    const MarkdownRow& row = rows()[i];
    return row.kind == RowKind::CodeHead && copyRect(i).contains(point) ? row.code : -1;
}

QString TranscriptMessage::linkAt(const QPointF& point) {
    if (content_.isUser || items_.empty()) return {};
    const QPointF local = point - contentOrigin();
    const size_t i = rowAt(local.y());
    if (!items_[i].layout) return {};
    int32_t cell = 0;
    const MarkdownRow& row = rows()[i];
    const int32_t link = items_[i].layout->linkAt(local - QPointF(0, items_[i].y), row, &cell);
    return link < 0 ? QString() : row.cells[static_cast<size_t>(cell)].links.value(link);
}

int TranscriptMessage::versionArrowAt(const QPointF& point) const {
    if (arrows_[0].contains(point)) return -1;
    return arrows_[1].contains(point) ? 1 : 0;
}

bool TranscriptMessage::isOverFooter(const QPointF& point) const {
    return footer_.contains(point);
}

std::pair<TextPlace, TextPlace> TranscriptMessage::everything() const {
    TextPlace end;
    if (items_.empty()) return {{}, end};
    const MarkdownRow& last = rows().back();
    end.row = static_cast<int32_t>(items_.size()) - 1;
    if (!last.cells.empty())
        end.at = {static_cast<int32_t>(last.cells.size()) - 1,
                  static_cast<int32_t>(last.cells.back().text.size())};
    return {{}, end};
}

QString TranscriptMessage::selectedText(TextPlace from, TextPlace to) const {
    QString out;
    for (int32_t r = from.row; r <= to.row && r < static_cast<int32_t>(rows().size()); ++r) {
        const MarkdownRow& row = rows()[static_cast<size_t>(r)];
        if (r > from.row) {
            const MarkdownRow& before = rows()[static_cast<size_t>(r) - 1];
            const bool isTight =
                content_.isUser || row.kind == RowKind::CodeLine || row.kind == RowKind::TableRow ||
                (row.kind == RowKind::ListItem && before.kind == RowKind::ListItem) ||
                before.kind == RowKind::CodeHead;
            out += isTight ? QStringLiteral("\n") : QStringLiteral("\n\n");
        }
        if (!row.marker.isEmpty() && (r > from.row || from.at.pos == 0))
            out += row.marker + QChar(' ');
        for (size_t c = 0; c < row.cells.size(); ++c) {
            const auto cell = static_cast<int32_t>(c);
            const QString& text = row.cells[c].text;
            if (r == from.row && cell < from.at.cell) continue;
            if (r == to.row && cell > to.at.cell) break;
            const qsizetype begin = r == from.row && cell == from.at.cell ? from.at.pos : 0;
            const qsizetype end = r == to.row && cell == to.at.cell ? to.at.pos : text.size();
            if (c > 0 && !out.isEmpty()) out += QChar('\t');
            out += text.mid(begin, end - begin);
        }
    }
    out.replace(QChar(QChar::LineSeparator), QChar('\n'));
    return out;
}

}  // namespace vitrine::gui
