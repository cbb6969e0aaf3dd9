#include "gui/widgets/markdown.h"

#include <algorithm>

namespace vitrine::gui {
namespace {

/// Longest line taken as one, and longest block before it is closed.
constexpr int32_t kMaxLine = 4096;
constexpr qsizetype kMaxBlock = 4096;
constexpr int kMaxColumns = 16;
constexpr int kMaxLanguage = 24;

qsizetype leadingSpaces(QStringView line) {
    qsizetype n = 0;
    qsizetype width = 0;
    while (n < line.size() && (line[n] == ' ' || line[n] == '\t'))
        width += line[n++] == '\t' ? 4 : 1;
    return width;
}

/// Text of a list item's marker and its length with the space after it; 0 = not an item.
qsizetype listMarker(QStringView line, QString* marker) {
    if (line.size() >= 2 && (line[0] == '-' || line[0] == '*' || line[0] == '+') &&
        line[1] == ' ') {
        *marker = QChar(0x2022);
        if (line.size() >= 6 && line[2] == '[' && line[4] == ']' && line[5] == ' ') {
            *marker = line[3] == ' ' ? QChar(0x2610) : QChar(0x2611);
            return 6;
        }
        return 2;
    }
    qsizetype digits = 0;
    while (digits < line.size() && digits < 9 && line[digits] >= '0' && line[digits] <= '9')
        ++digits;
    if (digits > 0 && digits + 1 < line.size() && (line[digits] == '.' || line[digits] == ')') &&
        line[digits + 1] == ' ') {
        *marker = line.left(digits).toString() + QChar('.');
        return digits + 2;
    }
    return 0;
}

bool isRule(QStringView line) {
    const QStringView t = line.trimmed();
    if (t.size() < 3 || (t[0] != '-' && t[0] != '*' && t[0] != '_')) return false;
    return std::all_of(t.begin(), t.end(), [&t](QChar c) { return c == t[0] || c == ' '; });
}

bool isTableDelimiter(QStringView line) {
    const QStringView t = line.trimmed();
    return t.contains('|') && t.contains(QLatin1String("--")) &&
           std::all_of(t.begin(), t.end(),
                       [](QChar c) { return c == '|' || c == '-' || c == ':' || c == ' '; });
}

int headingLevel(QStringView line) {
    int level = 0;
    while (level < line.size() && line[level] == '#') ++level;
    return level >= 1 && level <= 6 && level < line.size() && line[level] == ' ' ? level : 0;
}

/// Depth from 0 and length of a quote's marks; length 0 = no quote.
std::pair<int, qsizetype> quoteDepth(QStringView line) {
    if (line[0] != '>') return {0, 0};
    int depth = 0;
    qsizetype skip = 0;
    while (skip < line.size() && (line[skip] == '>' || line[skip] == ' '))
        depth += line[skip++] == '>';
    return {std::min(depth - 1, 5), skip};
}

}  // namespace

struct MarkdownStream::Line {
    int32_t begin = 0, end = 0, next = 0;
    bool isComplete = false;
};

void MarkdownStream::append(const QString& text) {
    if (isFinished_) return;
    source_ += text;
    parse();
}

void MarkdownStream::finish() {
    if (isFinished_) return;
    isFinished_ = true;
    parse();
}

QString MarkdownStream::codeText(int32_t block) const {
    const CodeBlock& b = code_[static_cast<size_t>(block)];
    QString text = source_.mid(b.rawBegin, b.rawEnd - b.rawBegin);
    if (text.endsWith('\n')) text.chop(1);
    return text;
}

size_t MarkdownStream::takeFirstChanged() {
    const size_t first = std::min(firstChanged_, rows_.size());
    firstChanged_ = rows_.size();
    return first;
}

MarkdownStream::Line MarkdownStream::lineAt(int32_t pos) const {
    const auto size = static_cast<int32_t>(source_.size());
    Line line;
    line.begin = pos;
    const int32_t limit = std::min(size, pos + kMaxLine);
    int32_t end = pos;
    while (end < limit && source_[end] != '\n') ++end;
    line.end = end;
    if (end < size && source_[end] == '\n') {
        line.next = end + 1;
        line.isComplete = true;
        if (line.end > line.begin && source_[line.end - 1] == '\r') --line.end;
        return line;
    }
    if (end < size) {  // too long: cut at a space where there is one near the end
        int32_t cut = end;
        while (cut > pos + kMaxLine / 2 && !source_[cut - 1].isSpace()) --cut;
        if (cut == pos + kMaxLine / 2) cut = source_[end - 1].isHighSurrogate() ? end - 1 : end;
        line.end = line.next = cut;
        line.isComplete = true;
        return line;
    }
    line.next = end;
    line.isComplete = isFinished_;
    return line;
}

void MarkdownStream::commit(int32_t pos) {
    openPos_ = pos;
    openRow_ = rows_.size();
    openCode_ = code_.size();
    wasInFence_ = isInFence_;
    openTable_ = table_;
}

void MarkdownStream::parse() {
    rows_.resize(openRow_);
    code_.resize(openCode_);
    firstChanged_ = std::min(firstChanged_, openRow_);
    isInFence_ = wasInFence_;
    table_ = openTable_;
    blockText_.clear();
    blockRaw_.clear();
    blockLines_ = 0;
    const auto size = static_cast<int32_t>(source_.size());
    int32_t pos = openPos_;
    while (pos < size) {
        const Line line = lineAt(pos);
        if (isInFence_) {
            const bool isSettled = takeFenceLine(line);
            if (isSettled) commit(line.next);
        } else {
            if (blockText_.size() > kMaxBlock) {
                closeBlock(false);
                commit(pos);
            }
            takeLine(line);
        }
        if (line.next == pos) break;
        pos = line.next;
    }
    closeBlock(!isFinished_);
    if (isFinished_) commit(size);
}

bool MarkdownStream::takeFenceLine(const Line& line) {
    CodeBlock& block = code_.back();
    const QStringView text = QStringView(source_).mid(line.begin, line.end - line.begin);
    const QStringView trimmed = text.trimmed();
    const bool isFenceOnly =
        !trimmed.isEmpty() &&
        std::all_of(trimmed.begin(), trimmed.end(), [this](QChar c) { return c == fenceChar_; });
    if (isFenceOnly && trimmed.size() >= fenceLength_) {
        block.rawEnd = line.begin;
        if (!line.isComplete) return false;
        block.isClosed = true;
        isInFence_ = false;
        return true;
    }
    block.rawEnd = line.next;
    // The beginning of a closing fence is not shown as code for the moment it takes to arrive.
    if (!line.isComplete && isFenceOnly) return false;
    MarkdownRow row;
    row.kind = RowKind::CodeLine;
    row.code = static_cast<int32_t>(code_.size()) - 1;
    InlineText cell;
    cell.text.reserve(text.size());
    for (qsizetype i = 0; i < text.size(); ++i) {
        const int n = text[i] == '\t' ? 4 : 1;
        for (int k = 0; k < n; ++k) {
            cell.text.append(text[i] == '\t' ? QChar(' ') : text[i]);
            cell.raw.push_back(line.begin + static_cast<int32_t>(i));
        }
    }
    row.cells.push_back(std::move(cell));
    rows_.push_back(std::move(row));
    return line.isComplete;
}

bool MarkdownStream::startsTable(const Line& line) {
    const QStringView text = QStringView(source_).mid(line.begin, line.end - line.begin);
    return blockKind_ == RowKind::Paragraph && blockLines_ == 1 && line.isComplete &&
           blockText_.contains('|') && isTableDelimiter(text);
}

void MarkdownStream::takeFenceHead(QStringView body, const Line& line) {
    fenceChar_ = body[0];
    fenceLength_ = 0;
    while (fenceLength_ < body.size() && body[fenceLength_] == fenceChar_) ++fenceLength_;
    MarkdownRow head;
    head.kind = RowKind::CodeHead;
    head.code = static_cast<int32_t>(code_.size());
    CodeBlock block;
    block.language =
        body.mid(fenceLength_).trimmed().toString().section(' ', 0, 0).left(kMaxLanguage);
    block.firstRow = static_cast<int32_t>(rows_.size());
    block.rawBegin = block.rawEnd = line.next;
    code_.push_back(std::move(block));
    rows_.push_back(std::move(head));
    if (!line.isComplete) return;
    isInFence_ = true;
    commit(line.next);
}

void MarkdownStream::takeLine(const Line& line) {
    const QStringView text = QStringView(source_).mid(line.begin, line.end - line.begin);
    const qsizetype spaces = leadingSpaces(text);
    const QStringView body = text.trimmed();
    const auto bodyBegin =
        static_cast<int32_t>(line.begin + (body.isEmpty() ? 0 : body.data() - text.data()));
    // A new block: what stood open is settled, and this line is where parsing begins again.
    const auto begin = [&](RowKind kind, int level) {
        closeBlock(false);
        commit(line.begin);
        blockKind_ = kind;
        blockLevel_ = level;
        blockMarker_.clear();
    };
    const auto gather = [&](qsizetype skip) {
        if (blockLines_ > 0) {
            blockText_ += '\n';
            blockRaw_.push_back(std::max(0, bodyBegin - 1));
        }
        const QStringView part = body.mid(skip);
        blockText_ += part;
        for (qsizetype i = 0; i < part.size(); ++i)
            blockRaw_.push_back(bodyBegin + static_cast<int32_t>(skip + i));
        ++blockLines_;
    };

    if (body.isEmpty()) {
        if (!line.isComplete) return;
        closeBlock(false);
        table_ = -1;
        commit(line.next);
        return;
    }
    if (table_ >= 0) {
        if (body.contains('|')) {
            begin(RowKind::TableRow, 0);
            gather(0);
            return;
        }
        closeBlock(false);
        table_ = -1;
    }
    if (body.startsWith(QLatin1String("```")) || body.startsWith(QLatin1String("~~~"))) {
        begin(RowKind::Paragraph, 0);
        takeFenceHead(body, line);
        return;
    }
    if (const int level = headingLevel(body); level > 0) {
        begin(RowKind::Heading, level);
        gather(level + 1);
        if (line.isComplete) {
            closeBlock(false);
            commit(line.next);
        }
        return;
    }
    if (startsTable(line)) {
        blockKind_ = RowKind::TableRow;
        table_ = nTables_++;
        closeBlock(false);
        rows_.back().isHeader = true;
        commit(line.next);
        return;
    }
    if (isRule(body) && line.isComplete) {
        begin(RowKind::Paragraph, 0);
        MarkdownRow row;
        row.kind = RowKind::Rule;
        rows_.push_back(std::move(row));
        commit(line.next);
        return;
    }
    QString marker;
    if (const qsizetype skip = listMarker(body, &marker); skip > 0) {
        begin(RowKind::ListItem, static_cast<int>(std::min<qsizetype>(spaces / 2, 6)));
        blockMarker_ = marker;
        gather(skip);
        return;
    }
    if (const auto [depth, skip] = quoteDepth(body); skip > 0) {
        if (blockLines_ == 0 || blockKind_ != RowKind::Quote || blockLevel_ != depth)
            begin(RowKind::Quote, depth);
        gather(skip);
        return;
    }
    if (blockLines_ == 0) begin(RowKind::Paragraph, 0);
    gather(0);
}

void MarkdownStream::closeBlock(bool isOpen) {
    if (blockLines_ == 0) return;
    MarkdownRow row;
    row.kind = blockKind_;
    row.level = blockLevel_;
    row.marker = blockMarker_;
    if (blockKind_ == RowKind::TableRow) {
        row.table = table_;
        qsizetype begin = blockText_.startsWith('|') ? 1 : 0;
        while (begin < blockText_.size() && row.cells.size() < kMaxColumns) {
            qsizetype end = blockText_.indexOf('|', begin);
            if (end < 0) end = blockText_.size();
            qsizetype from = begin, to = end;
            while (from < to && blockText_[from].isSpace()) ++from;
            while (to > from && blockText_[to - 1].isSpace()) --to;
            const std::vector<int32_t> raw(blockRaw_.begin() + from, blockRaw_.begin() + to);
            row.cells.push_back(parseInline(blockText_.mid(from, to - from), raw, false));
            begin = end + 1;
        }
    } else {
        row.cells.push_back(parseInline(blockText_, blockRaw_, isOpen));
    }
    rows_.push_back(std::move(row));
    blockText_.clear();
    blockRaw_.clear();
    blockLines_ = 0;
}

}  // namespace vitrine::gui
