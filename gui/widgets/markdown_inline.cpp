#include <algorithm>
#include <array>

#include "gui/widgets/markdown.h"

namespace vitrine::gui {
namespace {

constexpr int kMaxLinkText = 400;
constexpr int kMaxLinkTarget = 2000;

bool isPunctuation(QChar c) {
    return c.unicode() < 128 && (c.isPunct() || c.isSymbol());
}

/// Emits characters with a style; merges neighbours of one style into a range.
class Emitter {
public:
    Emitter(const std::vector<int32_t>& raw, InlineText& out) : raw_(raw), out_(out) {}

    void put(QChar c, size_t at, uint8_t style, int32_t link = -1) {
        const auto pos = static_cast<int32_t>(out_.text.size());
        out_.text.append(c);
        out_.raw.push_back(raw_[at]);
        if (style == 0) return;
        if (!out_.styles.empty()) {
            StyledRange& last = out_.styles.back();
            if (last.start + last.length == pos && last.style == style && last.link == link) {
                ++last.length;
                return;
            }
        }
        out_.styles.push_back({pos, 1, style, link});
    }

private:
    const std::vector<int32_t>& raw_;
    InlineText& out_;
};

/// What stands at a source position: how many characters to skip and which style begins or ends.
struct Mark {
    uint8_t skip = 0;
    uint8_t toggles = 0;
};

struct Delimiter {
    size_t at;
    uint8_t length;
    uint8_t style;
    QChar c;
};

/// Pairs * _ ~ delimiters; linear: each is pushed and popped once.
std::vector<Mark> pairDelimiters(const QString& s, const std::vector<bool>& isCode, bool isOpen) {
    std::vector<Mark> marks(static_cast<size_t>(s.size()) + 1);
    std::vector<Delimiter> stack;
    const auto at = [&s](qsizetype i) { return i >= 0 && i < s.size() ? s[i] : QChar(' '); };
    for (qsizetype i = 0; i < s.size();) {
        const QChar c = s[i];
        if (isCode[static_cast<size_t>(i)] || (c != '*' && c != '_' && c != '~')) {
            i += c == '\\' ? 2 : 1;
            continue;
        }
        qsizetype end = i;
        while (end < s.size() && s[end] == c) ++end;
        const qsizetype run = std::min<qsizetype>(end - i, 3);
        const QChar before = at(i - 1), after = at(end);
        bool canOpen = !after.isSpace(), canClose = !before.isSpace();
        if (c == '_') {
            canOpen = canOpen && !before.isLetterOrNumber();
            canClose = canClose && !after.isLetterOrNumber();
        }
        if (end - i > 3 || (c == '~' && run != 2)) {
            i = end;
            continue;
        }
        const uint8_t style = c == '~'   ? kStrike
                              : run == 3 ? kBold | kItalic
                              : run == 2 ? kBold
                                         : kItalic;
        const auto match = std::find_if(stack.rbegin(), stack.rend(), [&](const Delimiter& d) {
            return d.c == c && d.length == run;
        });
        if (canClose && match != stack.rend()) {
            marks[match->at] = {match->length, style};
            marks[static_cast<size_t>(i)] = {static_cast<uint8_t>(run), style};
            stack.erase(std::next(match).base(), stack.end());
        } else if (canOpen && stack.size() < 16) {
            stack.push_back({static_cast<size_t>(i), static_cast<uint8_t>(run), style, c});
        }
        i = end;
    }
    // While the block grows, an opened ** is believed to be closed later.
    if (isOpen)
        for (const Delimiter& d : stack)
            if (d.length == 2) marks[d.at] = {d.length, d.style};
    return marks;
}

/// Code spans: which characters are code, and which backticks vanish.
void findCode(const QString& s, bool isOpen, std::vector<bool>& isCode, std::vector<bool>& isTick) {
    std::array<bool, 8> hasNoEnd{};
    for (qsizetype i = 0; i < s.size();) {
        if (s[i] != '`') {
            i += s[i] == '\\' ? 2 : 1;
            continue;
        }
        qsizetype begin = i;
        while (begin < s.size() && s[begin] == '`') ++begin;
        const auto length = static_cast<size_t>(begin - i);
        qsizetype close = -1;
        if (length < hasNoEnd.size() && !hasNoEnd[length]) {
            for (qsizetype j = begin; j < s.size();) {
                if (s[j] != '`') {
                    ++j;
                    continue;
                }
                qsizetype end = j;
                while (end < s.size() && s[end] == '`') ++end;
                if (static_cast<size_t>(end - j) == length) {
                    close = j;
                    break;
                }
                j = end;
            }
            hasNoEnd[length] = close < 0;
            if (close < 0 && isOpen && length == 1 && begin < s.size()) close = s.size();
        }
        if (close < 0) {
            i = begin;
            continue;
        }
        for (qsizetype j = i; j < begin; ++j) isTick[static_cast<size_t>(j)] = true;
        for (qsizetype j = begin; j < close; ++j) isCode[static_cast<size_t>(j)] = true;
        const qsizetype after = std::min<qsizetype>(close + (begin - i), s.size());
        for (qsizetype j = close; j < after; ++j) isTick[static_cast<size_t>(j)] = true;
        i = after;
    }
}

struct Link {
    qsizetype textEnd = -1, end = -1;
    QString target;
};

/// [text](target) at `i`. textEnd −1 = none.
Link linkAt(const QString& s, qsizetype i) {
    Link link;
    const qsizetype textLimit = std::min<qsizetype>(s.size(), i + kMaxLinkText);
    qsizetype close = i + 1;
    while (close < textLimit && s[close] != ']' && s[close] != '[') ++close;
    if (close + 1 >= s.size() || close >= textLimit || s[close] != ']' || s[close + 1] != '(')
        return link;
    const qsizetype limit = std::min<qsizetype>(s.size(), close + kMaxLinkTarget);
    qsizetype end = close + 2;
    while (end < limit && s[end] != ')' && !s[end].isSpace()) ++end;
    if (end >= limit || s[end] != ')') return link;
    link.textEnd = close;
    link.end = end + 1;
    link.target = s.mid(close + 2, end - close - 2);
    return link;
}

/// Length of a bare http(s) address at `i`; 0 = none.
qsizetype addressLength(const QString& s, qsizetype i) {
    const QStringView rest = QStringView(s).mid(i, 8);
    if (!rest.startsWith(QLatin1String("https://")) && !rest.startsWith(QLatin1String("http://")))
        return 0;
    qsizetype end = i;
    const qsizetype limit = std::min<qsizetype>(s.size(), i + kMaxLinkTarget);
    while (end < limit && !s[end].isSpace() && s[end] != '<' && s[end] != '>' && s[end] != '"' &&
           s[end].unicode() < 0x3000)
        ++end;
    while (end > i && (s[end - 1] == '.' || s[end - 1] == ',' || s[end - 1] == ')' ||
                       s[end - 1] == ':' || s[end - 1] == ';'))
        --end;
    return end - i > 8 ? end - i : 0;
}

}  // namespace

InlineText parseInline(const QString& s, const std::vector<int32_t>& raw, bool isOpen) {
    InlineText out;
    out.text.reserve(s.size());
    out.raw.reserve(raw.size());
    const auto n = static_cast<size_t>(s.size());
    std::vector<bool> isCode(n), isTick(n);
    findCode(s, isOpen, isCode, isTick);
    const std::vector<Mark> marks = pairDelimiters(s, isCode, isOpen);
    Emitter emitter(raw, out);
    uint8_t style = 0;
    qsizetype linkTextEnd = -1, linkEnd = -1;
    for (size_t i = 0; i < n; ++i) {
        const auto qi = static_cast<qsizetype>(i);
        if (qi == linkTextEnd) {
            i = static_cast<size_t>(linkEnd) - 1;
            linkTextEnd = linkEnd = -1;
            continue;
        }
        const auto linkIndex = static_cast<int32_t>(out.links.size()) - 1;
        const bool isInLink = linkTextEnd >= 0;
        const uint8_t extra = isInLink ? kLink : 0;
        if (isTick[i]) continue;
        if (isCode[i]) {
            emitter.put(s[qi], i, static_cast<uint8_t>(style | kCode | extra),
                        isInLink ? linkIndex : -1);
            continue;
        }
        if (marks[i].skip > 0) {
            style = static_cast<uint8_t>(style ^ marks[i].toggles);
            i += marks[i].skip - 1u;
            continue;
        }
        const QChar c = s[qi];
        if (c == '\\' && i + 1 < n && isPunctuation(s[qi + 1])) {
            ++i;
            emitter.put(s[qi + 1], i, static_cast<uint8_t>(style | extra),
                        isInLink ? linkIndex : -1);
            continue;
        }
        if (c == '[' && !isInLink) {
            const Link link = linkAt(s, qi);
            if (link.textEnd > qi + 1) {
                out.links.append(link.target);
                linkTextEnd = link.textEnd;
                linkEnd = link.end;
                continue;
            }
        }
        if (c == 'h' && !isInLink && (i == 0 || !s[qi - 1].isLetterOrNumber())) {
            const qsizetype length = addressLength(s, qi);
            if (length > 0) {
                out.links.append(s.mid(qi, length));
                for (qsizetype j = 0; j < length; ++j)
                    emitter.put(s[qi + j], i + static_cast<size_t>(j),
                                static_cast<uint8_t>(style | kLink),
                                static_cast<int32_t>(out.links.size()) - 1);
                i += static_cast<size_t>(length) - 1;
                continue;
            }
        }
        emitter.put(c == '\n' ? QChar(QChar::LineSeparator) : c, i,
                    static_cast<uint8_t>(style | extra), isInLink ? linkIndex : -1);
    }
    return out;
}

}  // namespace vitrine::gui
