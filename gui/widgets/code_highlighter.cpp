#include "gui/widgets/code_highlighter.h"

#include <QSet>

namespace vitrine::gui {
namespace {

struct Language {
    QStringList names;
    QString lineComment, secondLineComment;
    QString blockBegin, blockEnd;
    bool hasTripleQuotes = false;
    bool hasMarkup = false;
    bool isCaseBlind = false;
    QSet<QString> keywords;
};

QSet<QString> words(const char* list) {
    const QStringList all = QString::fromLatin1(list).split(' ');
    return {all.begin(), all.end()};
}

const char* const kCWords =
    "alignas alignof auto bool break case catch char class const constexpr continue default delete "
    "do double else enum explicit export extern false final float for friend goto if inline int "
    "long mutable namespace new noexcept nullptr operator override private protected public return "
    "short signed sizeof static static_cast struct switch template this throw true try typedef "
    "typename union unsigned using virtual void volatile while int8_t int16_t int32_t int64_t "
    "uint8_t uint16_t uint32_t uint64_t size_t co_await co_return co_yield concept requires";
const char* const kPythonWords =
    "and as assert async await break class continue def del elif else except False finally for "
    "from global if import in is lambda None nonlocal not or pass raise return self True try while "
    "with yield match case print range len str int float list dict set tuple bool";
const char* const kJsWords =
    "async await break case catch class const continue debugger default delete do else export "
    "extends false finally for from function if implements import in instanceof interface let new "
    "null of private protected public readonly return static super switch this throw true try type "
    "typeof undefined var void while yield string number boolean any enum";
const char* const kJavaWords =
    "abstract boolean break byte case catch char class const continue default do double else enum "
    "extends false final finally float for if implements import instanceof int interface long new "
    "null package private protected public record return short static super switch this throw "
    "throws true try var void while String System using namespace string foreach fun val when";
const char* const kGoWords =
    "break case chan const continue default defer else fallthrough for func go goto if import "
    "interface map package range return select struct switch type var nil true false string int "
    "int32 int64 float64 bool byte error make len append";
const char* const kRustWords =
    "as async await break const continue crate dyn else enum extern false fn for if impl in let "
    "loop match mod move mut pub ref return self Self static struct super trait true type unsafe "
    "use where while i32 i64 u8 u32 u64 usize f32 f64 bool str String Vec Option Some None Result "
    "Ok Err Box";
const char* const kShellWords =
    "if then else elif fi for while until do done case esac in function return local export echo "
    "cd exit set unset read source sudo test";
const char* const kSqlWords =
    "select from where insert into values update set delete create table drop alter add primary "
    "key foreign references join left right inner outer on group by order having limit offset as "
    "and or not null is in like between distinct count sum avg min max union all exists int "
    "integer text varchar index view case when then else end asc desc";

const std::vector<Language>& languages() {
    static const std::vector<Language> all = {
        {{"c", "cpp", "c++", "cc", "h", "hpp", "cuda", "cu"},
         "//",
         {},
         "/*",
         "*/",
         false,
         false,
         false,
         words(kCWords)},
        {{"python", "py", "python3"}, "#", {}, {}, {}, true, false, false, words(kPythonWords)},
        {{"javascript", "js", "typescript", "ts", "jsx", "tsx"},
         "//",
         {},
         "/*",
         "*/",
         false,
         false,
         false,
         words(kJsWords)},
        {{"java", "c#", "cs", "csharp", "kotlin"},
         "//",
         {},
         "/*",
         "*/",
         false,
         false,
         false,
         words(kJavaWords)},
        {{"go", "golang"}, "//", {}, "/*", "*/", false, false, false, words(kGoWords)},
        {{"rust", "rs"}, "//", {}, "/*", "*/", false, false, false, words(kRustWords)},
        {{"bash", "sh", "shell", "zsh", "console", "dockerfile", "makefile"},
         "#",
         {},
         {},
         {},
         false,
         false,
         false,
         words(kShellWords)},
        {{"yaml", "yml", "toml", "ini", "conf", "cmake"},
         "#",
         ";",
         {},
         {},
         false,
         false,
         false,
         words("true false null yes no on off")},
        {{"sql"}, "--", {}, "/*", "*/", false, false, true, words(kSqlWords)},
        {{"json", "jsonc"}, "//", {}, {}, {}, false, false, false, words("true false null")},
        {{"css", "scss"}, {}, {}, "/*", "*/", false, false, false, {}},
        {{"html", "xml", "svg"}, {}, {}, "<!--", "-->", false, true, false, {}},
    };
    return all;
}

const Language& languageOf(const QString& name) {
    static const Language plain;
    const QString lower = name.toLower();
    for (const Language& language : languages())
        if (language.names.contains(lower)) return language;
    return plain;
}

class Lexer {
public:
    explicit Lexer(const Language& language) : language_(language) {}

    std::vector<CodeRange> line(const QString& text) {
        ranges_.clear();
        qsizetype i = 0;
        while (i < text.size()) i = step(text, i);
        return ranges_;
    }

private:
    void add(qsizetype from, qsizetype to, CodeToken token) {
        if (to > from)
            ranges_.push_back({static_cast<int32_t>(from), static_cast<int32_t>(to - from), token});
    }

    bool startsWith(const QString& text, qsizetype i, const QString& what) const {
        return !what.isEmpty() && QStringView(text).mid(i).startsWith(what);
    }

    qsizetype until(const QString& text, qsizetype from, qsizetype searchFrom, const QString& end,
                    CodeToken token) {
        const qsizetype at = text.indexOf(end, searchFrom);
        const qsizetype stop = at < 0 ? text.size() : at + end.size();
        open_ = at < 0 ? end : QString();
        openToken_ = token;
        add(from, stop, token);
        return stop;
    }

    qsizetype step(const QString& text, qsizetype i) {
        if (!open_.isEmpty()) return until(text, i, i, QString(open_), openToken_);
        if (startsWith(text, i, language_.blockBegin))
            return until(text, i, i + language_.blockBegin.size(), language_.blockEnd,
                         CodeToken::Comment);
        if (startsWith(text, i, language_.lineComment) ||
            startsWith(text, i, language_.secondLineComment)) {
            add(i, text.size(), CodeToken::Comment);
            return text.size();
        }
        const QChar c = text[i];
        if (language_.hasTripleQuotes && (c == '"' || c == '\'')) {
            const QString triple(3, c);
            if (startsWith(text, i, triple))
                return until(text, i, i + 3, triple, CodeToken::String);
        }
        if (language_.hasMarkup && c == '<') {
            qsizetype end = i + 1;
            while (end < text.size() && (text[end].isLetterOrNumber() || text[end] == '/' ||
                                         text[end] == '-' || text[end] == '!'))
                ++end;
            add(i, end, CodeToken::Markup);
            return end;
        }
        if (c == '"' || c == '\'' || c == '`') {
            qsizetype end = i + 1;
            while (end < text.size() && text[end] != c) end += text[end] == '\\' ? 2 : 1;
            end = std::min(end + 1, text.size());
            add(i, end, CodeToken::String);
            return end;
        }
        if (c.isDigit()) {
            qsizetype end = i + 1;
            while (end < text.size() && (text[end].isLetterOrNumber() || text[end] == '.')) ++end;
            add(i, end, CodeToken::Number);
            return end;
        }
        if (!c.isLetter() && c != '_' && c != '#' && c != '@') return i + 1;
        qsizetype end = i + 1;
        while (end < text.size() && (text[end].isLetterOrNumber() || text[end] == '_')) ++end;
        const QString word = text.mid(i, end - i);
        if (language_.keywords.contains(language_.isCaseBlind ? word.toLower() : word) ||
            c == '#' || c == '@')
            add(i, end, CodeToken::Keyword);
        else if (end < text.size() && text[end] == '(')
            add(i, end, CodeToken::Function);
        return end;
    }

    const Language& language_;
    QString open_;
    CodeToken openToken_ = CodeToken::Comment;
    std::vector<CodeRange> ranges_;
};

}  // namespace

std::vector<std::vector<CodeRange>> highlightCode(const QString& language,
                                                  const QStringList& lines) {
    Lexer lexer(languageOf(language));
    std::vector<std::vector<CodeRange>> result;
    result.reserve(static_cast<size_t>(lines.size()));
    for (const QString& line : lines) result.push_back(lexer.line(line));
    return result;
}

}  // namespace vitrine::gui
