#pragma once
// Markdown of a growing answer as rows to lay out: paragraph, heading, list item, quote, code line,
// table row, rule. Only the open block at the end is parsed again when text arrives; blocks are
// closed after 4,096 characters at the latest, so the work per arrival is bounded and the whole is
// linear in the text, whatever it holds. HTML and images are shown as text. Every shown character
// knows its place in the source, so that tokens can be found in the layout. Thread: GUI thread.

#include <vector>

#include <QString>
#include <QStringList>

namespace vitrine::gui {

enum TextStyle : uint8_t {
    kBold = 1,
    kItalic = 2,
    kCode = 4,
    kStrike = 8,
    kLink = 16,
};

struct StyledRange {
    int32_t start = 0, length = 0;
    uint8_t style = 0;  ///< TextStyle bits
    int32_t link = -1;  ///< index into InlineText::links
};

struct InlineText {
    QString text;
    std::vector<int32_t> raw;  ///< [text.size()]: place of each character in the source
    std::vector<StyledRange> styles;
    QStringList links;
};

enum class RowKind { Paragraph, Heading, ListItem, Quote, CodeHead, CodeLine, Rule, TableRow };

struct MarkdownRow {
    RowKind kind = RowKind::Paragraph;
    int level = 0;                  ///< heading 1…6, list or quote depth from 0
    QString marker;                 ///< list items: "•", "3.", "☐"
    int32_t code = -1;              ///< CodeHead, CodeLine: index into MarkdownStream::codeBlocks()
    int32_t table = -1;             ///< TableRow: rows of one table share a number
    bool isHeader = false;          ///< TableRow
    std::vector<InlineText> cells;  ///< one, except for table rows; none for CodeHead and Rule
};

struct CodeBlock {
    QString language;
    int32_t firstRow = 0;              ///< the CodeHead row
    int32_t rawBegin = 0, rawEnd = 0;  ///< the code in the source
    bool isClosed = false;
};

/// One line of inline Markdown. raw: source place of each character of `source`. isOpen: the block
/// still grows; emphasis and code without an end are taken to reach the end. Never fails.
InlineText parseInline(const QString& source, const std::vector<int32_t>& raw, bool isOpen);

class MarkdownStream {
public:
    void append(const QString& text);
    /// The text is complete. append() after it is ignored.
    void finish();

    const QString& source() const { return source_; }

    const std::vector<MarkdownRow>& rows() const { return rows_; }

    const std::vector<CodeBlock>& codeBlocks() const { return code_; }

    /// The code of a block, for copying.
    QString codeText(int32_t block) const;

    /// First row that changed since the last call; rows().size() when none did.
    size_t takeFirstChanged();

private:
    struct Line;
    struct Block;
    Line lineAt(int32_t pos) const;
    void parse();
    bool takeFenceLine(const Line& line);
    void takeFenceHead(QStringView body, const Line& line);
    void takeLine(const Line& line);
    bool startsTable(const Line& line);
    void closeBlock(bool isOpen);
    void commit(int32_t pos);

    QString source_;
    std::vector<MarkdownRow> rows_;
    std::vector<CodeBlock> code_;
    bool isFinished_ = false;
    // What is settled: source before openPos_, rows before openRow_, code blocks before openCode_.
    int32_t openPos_ = 0;
    size_t openRow_ = 0, openCode_ = 0;
    bool isInFence_ = false, wasInFence_ = false;
    QChar fenceChar_;
    int fenceLength_ = 0;
    int32_t nTables_ = 0, table_ = -1, openTable_ = -1;
    size_t firstChanged_ = 0;
    // The block being gathered by parse().
    RowKind blockKind_ = RowKind::Paragraph;
    int blockLevel_ = 0, blockLines_ = 0;
    QString blockMarker_, blockText_;
    std::vector<int32_t> blockRaw_;
};

}  // namespace vitrine::gui
