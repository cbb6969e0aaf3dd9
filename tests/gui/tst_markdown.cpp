// The Markdown rows of a growing answer: the same whatever the pieces it arrives in, linear in its
// length, and true to the source for every shown character.

#include <ctime>

#include <QRandomGenerator>
#include <QTest>

#include "gui/widgets/code_highlighter.h"
#include "gui/widgets/markdown.h"

using namespace vitrine::gui;

namespace {

const char* const kKinds[] = {"p", "h", "li", "q", "code", "line", "hr", "tr"};

/// One line per row: kind, level, marker, cells.
QString dump(const MarkdownStream& stream) {
    QStringList lines;
    for (const MarkdownRow& row : stream.rows()) {
        QString line = QLatin1String(kKinds[static_cast<int>(row.kind)]);
        if (row.level > 0) line += QString::number(row.level);
        if (row.isHeader) line += '!';
        if (!row.marker.isEmpty()) line += ' ' + row.marker;
        for (const InlineText& cell : row.cells) {
            QString text = cell.text;
            for (auto it = cell.styles.rbegin(); it != cell.styles.rend(); ++it)
                text.replace(
                    it->start, it->length,
                    QStringLiteral("<%1:%2>").arg(it->style).arg(text.mid(it->start, it->length)));
            line += " | " + text.replace(QChar(QChar::LineSeparator), QStringLiteral("↵"));
        }
        lines << line;
    }
    return lines.join('\n');
}

QString whole(const QString& text) {
    MarkdownStream stream;
    stream.append(text);
    stream.finish();
    return dump(stream);
}

const char* const kSample =
    "# Title **bold**\n\nA *paragraph* with `code`, a [link](https://x.org/a) and\na second line.\n"
    "- one\n- two **b**\n  - nested\n1. first\n2) second\n- [x] done\n\n> quoted\n> more\n\n"
    "```python\ndef f(x):\n\treturn x  # `no`\n```\nafter\n\n| a | b |\n|---|:-:|\n| 1 | `2` |\n| "
    "3 |\n\n---\n"
    "snake_case_name 2 * 3 * 4 \\*literal\\* ~~gone~~ ***both***\n";

/// Processor seconds for a text of so many characters in arrivals of 100.
double parseSeconds(const QString& unit, int nChars) {
    const QString text = unit.repeated(nChars / static_cast<int>(unit.size()));
    const std::clock_t start = std::clock();
    MarkdownStream stream;
    for (qsizetype at = 0; at < text.size(); at += 100) stream.append(text.mid(at, 100));
    stream.finish();
    const std::clock_t end = std::clock();
    bool isWhole = stream.source().size() == text.size();
    for (const MarkdownRow& row : stream.rows())
        for (const InlineText& cell : row.cells) isWhole = isWhole && cell.text.size() <= 9000 * 4;
    if (!isWhole) qFatal("lost text or an endless row");
    return static_cast<double>(end - start) / CLOCKS_PER_SEC;
}

}  // namespace

class TestMarkdown : public QObject {
    Q_OBJECT
private slots:

    void blocks() {
        QCOMPARE(
            whole(kSample),
            QStringLiteral("h1 | Title <1:bold>\n"
                           "p | A <2:paragraph> with <4:code>, a <16:link> and↵a second line.\n"
                           "li • | one\nli • | two <1:b>\nli1 • | nested\nli 1. | first\nli 2. | "
                           "second\nli ☑ | done\n"
                           "q | quoted↵more\n"
                           "code\nline | def f(x):\nline |     return x  # `no`\n"
                           "p | after\n"
                           "tr! | a | b\ntr | 1 | <4:2>\ntr | 3\nhr\n"
                           "p | snake_case_name 2 * 3 * 4 *literal* <8:gone> <3:both>"));
    }

    void piecesDoNotMatter() {
        const QString text = QString::fromUtf8(kSample).repeated(3);
        const QString expected = whole(text);
        QRandomGenerator random(7);
        for (int round = 0; round < 200; ++round) {
            MarkdownStream stream;
            for (qsizetype at = 0; at < text.size();) {
                const qsizetype n = 1 + static_cast<qsizetype>(random.bounded(round < 20 ? 2 : 40));
                stream.append(text.mid(at, n));
                at += n;
            }
            stream.finish();
            QCOMPARE(dump(stream), expected);
        }
    }

    void charactersKnowTheirPlace() {
        MarkdownStream stream;
        stream.append(QString::fromUtf8(kSample));
        stream.finish();
        int n = 0;
        for (const MarkdownRow& row : stream.rows())
            for (const InlineText& cell : row.cells) {
                QCOMPARE(static_cast<qsizetype>(cell.raw.size()), cell.text.size());
                for (qsizetype i = 0; i < cell.text.size(); ++i) {
                    const QChar c = cell.text[i];
                    if (c == QChar(QChar::LineSeparator) || c == ' ') continue;
                    QCOMPARE(stream.source()[cell.raw[static_cast<size_t>(i)]], c);
                    ++n;
                }
            }
        QVERIFY(n > 150);
    }

    void settledRowsStay() {
        MarkdownStream stream;
        stream.append(QStringLiteral("one\n\ntwo\n\nthree"));
        stream.takeFirstChanged();
        stream.append(QStringLiteral(" and more"));
        QCOMPARE(stream.takeFirstChanged(), static_cast<size_t>(2));
        QCOMPARE(stream.takeFirstChanged(), stream.rows().size());
    }

    void openEmphasisIsBelieved() {
        MarkdownStream stream;
        stream.append(QStringLiteral("a **bo"));
        QCOMPARE(dump(stream), QStringLiteral("p | a <1:bo>"));
        stream.finish();
        QCOMPARE(dump(stream), QStringLiteral("p | a **bo"));
    }

    void codeCanBeCopied() {
        MarkdownStream stream;
        stream.append(QStringLiteral("~~~js\nlet a = 1;\n\n\tb()\n~~~\nend"));
        stream.finish();
        QCOMPARE(stream.codeBlocks().size(), static_cast<size_t>(1));
        QCOMPARE(stream.codeBlocks()[0].language, QStringLiteral("js"));
        QVERIFY(stream.codeBlocks()[0].isClosed);
        QCOMPARE(stream.codeText(0), QStringLiteral("let a = 1;\n\n\tb()"));
    }

    void hostileText_data() {
        QTest::addColumn<QString>("unit");
        for (const char* unit : {"*",
                                 "**a",
                                 "_a_",
                                 "`",
                                 "``` ",
                                 "[",
                                 "[a](",
                                 "|",
                                 "> ",
                                 ">",
                                 "- ",
                                 "#",
                                 "~~",
                                 "a",
                                 "\n",
                                 "```\n",
                                 "| a |\n|--|\n",
                                 "\\",
                                 "1. ",
                                 "\xf0\x9f\x98\x80",
                                 "http://",
                                 "\t"})
            QTest::newRow(unit) << QString::fromUtf8(unit);
    }

    void hostileText() {
        QFETCH(QString, unit);
        // Eight times the text may take eight times the work, with room for noise; quadratic work
        // takes 64 times as much. Processor time, so that a busy machine does not count.
        const double small = parseSeconds(unit, 30'000), large = parseSeconds(unit, 240'000);
        QVERIFY2(large < 24 * small + 0.5, qPrintable(QString::number(large / small)));
    }

    void highlighting() {
        const auto ranges =
            highlightCode(QStringLiteral("python"),
                          {QStringLiteral("def f(): # why"), QStringLiteral("x = \"\"\"a"),
                           QStringLiteral("b\"\"\" + 'c'"), QStringLiteral("y = 12")});
        QCOMPARE(ranges.size(), static_cast<size_t>(4));
        QCOMPARE(ranges[0][0].token, CodeToken::Keyword);
        QCOMPARE(ranges[0][1].token, CodeToken::Function);
        QCOMPARE(ranges[0][2].token, CodeToken::Comment);
        QCOMPARE(ranges[1].back().token, CodeToken::String);
        QCOMPARE(ranges[2][0].length, 4);  // up to the closing quotes
        QCOMPARE(ranges[2][1].token, CodeToken::String);
        QCOMPARE(ranges[3][0].token, CodeToken::Number);
    }
};

QTEST_GUILESS_MAIN(TestMarkdown)
#include "tst_markdown.moc"
