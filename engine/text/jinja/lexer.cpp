#include "engine/text/jinja/lexer.h"

#include <algorithm>
#include <cctype>

#include "engine/text/jinja/characters.h"
#include "engine/text/jinja/text.h"
#include "engine/text/unicode.h"

namespace vitrine::engine::jinja {

namespace {

constexpr size_t kMaxTokens = 1'000'000;

bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

bool isHexDigit(char c) {
    return std::isxdigit(static_cast<unsigned char>(c)) != 0;
}

/// One newline for \r\n and \r; the last newline of the source goes.
std::string normalizedSource(std::string_view source) {
    std::string text;
    text.reserve(source.size());
    for (size_t i = 0; i < source.size(); ++i) {
        if (source[i] != '\r')
            text += source[i];
        else if (i + 1 >= source.size() || source[i + 1] != '\n')
            text += '\n';
    }
    if (!text.empty() && text.back() == '\n') text.pop_back();
    return text;
}

class Lexer {
public:
    explicit Lexer(std::string source) : source_(std::move(source)) {}

    Result<std::vector<Token>> run() {
        while (pos_ < source_.size() && error_.empty()) root();
        if (!error_.empty()) return syntaxError(errorLine_, error_);
        add(TokenKind::End, {});
        return std::move(tokens_);
    }

private:
    bool startsWith(size_t pos, std::string_view text) const {
        return std::string_view(source_).substr(pos, text.size()) == text;
    }

    size_t skipSpaces(size_t pos) const {
        while (pos < source_.size()) {
            const CodePoint c = decodeUtf8(source_, pos);
            if (!isPythonSpace(c.value)) break;
            pos += c.nBytes;
        }
        return pos;
    }

    void fail(std::string what) {
        if (error_.empty()) {
            error_ = std::move(what);
            errorLine_ = line_;
        }
        pos_ = source_.size();
    }

    void add(TokenKind kind, std::string text) {
        if (tokens_.size() >= kMaxTokens) return fail("the template is too long");
        tokens_.push_back({kind, line_, std::move(text)});
    }

    void advance(size_t to) {
        if (!error_.empty()) return;
        line_ += static_cast<uint32_t>(
            std::count(source_.begin() + static_cast<std::ptrdiff_t>(pos_),
                       source_.begin() + static_cast<std::ptrdiff_t>(to), '\n'));
        lineStarts_ = to > pos_ ? source_[to - 1] == '\n' : lineStarts_;
        pos_ = to;
    }

    /// Text up to the tag at `tag`, without what the tag's sign takes from it.
    void addData(size_t tag, char sign, bool isVariable) {
        std::string_view text = std::string_view(source_).substr(pos_, tag - pos_);
        if (sign == '-') {
            text = text.substr(0, strippedSpan(text, false, true).to);
        } else if (sign != '+' && !isVariable) {
            const size_t newline = text.rfind('\n');
            const size_t begin = newline == std::string_view::npos ? 0 : newline + 1;
            if (begin > 0 || lineStarts_) {
                const std::string_view blank = text.substr(begin);
                if (strippedSpan(blank, true, false).from == blank.size())
                    text = text.substr(0, begin);
            }
        }
        if (!text.empty()) add(TokenKind::Data, std::string(text));
        advance(tag);
    }

    char signAt(size_t pos) const {
        return pos < source_.size() && (source_[pos] == '-' || source_[pos] == '+') ? source_[pos]
                                                                                    : '\0';
    }

    void root() {
        size_t tag = source_.find('{', pos_);
        while (tag != std::string::npos && !startsWith(tag, "{{") && !startsWith(tag, "{%") &&
               !startsWith(tag, "{#"))
            tag = source_.find('{', tag + 1);
        if (tag == std::string::npos) {
            add(TokenKind::Data, source_.substr(pos_));
            return advance(source_.size());
        }
        const char kind = source_[tag + 1], sign = signAt(tag + 2);
        addData(tag, sign, kind == '{');
        const size_t inside = tag + 2 + (sign != '\0' ? 1 : 0);
        if (kind == '%' && raw(inside)) return;
        if (kind == '#') return comment(inside);
        add(kind == '{' ? TokenKind::VariableBegin : TokenKind::BlockBegin, {});
        advance(inside);
        insideTag(kind == '{');
    }

    /// The end of a tag that closes with `close` ("%}", "#}") at pos, or npos.
    size_t tagEnd(size_t pos, std::string_view close, bool withNewline = true) const {
        const char sign = signAt(pos);
        if (sign != '\0') {
            if (!startsWith(pos + 1, close)) return std::string::npos;
            return sign == '-' ? skipSpaces(pos + 1 + close.size()) : pos + 1 + close.size();
        }
        if (!startsWith(pos, close)) return std::string::npos;
        pos += close.size();
        return withNewline && pos < source_.size() && source_[pos] == '\n' ? pos + 1 : pos;
    }

    void comment(size_t inside) {
        if (inside >= source_.size()) return advance(inside);  // the reference sees no mistake
        const size_t close = source_.find("#}", inside);
        if (close == std::string::npos) return fail("Missing end of comment tag");
        const bool hasSign = close > inside && signAt(close - 1) != '\0';
        advance(tagEnd(hasSign ? close - 1 : close, "#}"));
    }

    /// {% raw %}…{% endraw %}, when that is what begins at `inside`.
    bool raw(size_t inside) {
        size_t pos = skipSpaces(inside);
        if (!startsWith(pos, "raw")) return false;
        pos = skipSpaces(pos + 3);
        if (signAt(pos) == '+') return false;
        const size_t begin = tagEnd(pos, "%}", false);
        if (begin == std::string::npos) return false;
        advance(begin);
        if (begin >= source_.size()) return true;
        for (size_t tag = source_.find("{%", pos_); tag != std::string::npos;
             tag = source_.find("{%", tag + 1)) {
            const char sign = signAt(tag + 2);
            size_t word = skipSpaces(tag + 2 + (sign != '\0' ? 1 : 0));
            if (!startsWith(word, "endraw")) continue;
            word = skipSpaces(word + 6);
            const size_t end = tagEnd(word, "%}");
            if (end == std::string::npos) continue;
            addData(tag, sign, false);
            advance(end);
            return true;
        }
        fail("Missing end of raw directive");
        return true;
    }

    void insideTag(bool isVariable) {
        brackets_.clear();
        while (error_.empty()) {
            if (brackets_.empty()) {
                size_t end = std::string::npos;
                if (!isVariable)
                    end = tagEnd(pos_, "%}");
                else if (startsWith(pos_, "-}}"))
                    end = skipSpaces(pos_ + 3);
                else if (startsWith(pos_, "}}"))
                    end = pos_ + 2;
                if (end != std::string::npos) {
                    add(isVariable ? TokenKind::VariableEnd : TokenKind::BlockEnd, {});
                    return advance(end);
                }
            }
            const size_t next = skipSpaces(pos_);
            if (next > pos_) {
                advance(next);
                continue;
            }
            if (pos_ >= source_.size()) return;  // the parser says what is missing
            one();
        }
    }

    void one() {
        const char c = source_[pos_];
        if (isDigit(c)) return number();
        if (c == '\'' || c == '"') return quoted(c);
        if (isNameAt(pos_)) {
            size_t end = pos_;
            while (end < source_.size() && (isNameAt(end) || isDigit(source_[end])))
                end += characterSize(source_[end]);
            add(TokenKind::Name, source_.substr(pos_, end - pos_));
            return advance(end);
        }
        operatorToken();
    }

    bool isNameAt(size_t pos) const {
        const char c = source_[pos];
        if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_') return true;
        if (static_cast<uint8_t>(c) < 0x80) return false;
        const CharClass kind = charClass(decodeUtf8(source_, pos).value);
        return kind == CharClass::Letter || kind == CharClass::Number;
    }

    /// Digits, single underscores between them.
    size_t digitsEnd(size_t pos, bool (*isOne)(char)) const {
        size_t end = pos;
        while (end < source_.size()) {
            if (isOne(source_[end]))
                ++end;
            else if (source_[end] == '_' && end + 1 < source_.size() && isOne(source_[end + 1]))
                end += 2;
            else
                break;
        }
        return end;
    }

    void number() {
        size_t end = digitsEnd(pos_, isDigit);
        bool isFloat = false;
        const bool isBehindDot = pos_ > 0 && source_[pos_ - 1] == '.';
        if (!isBehindDot && end + 1 < source_.size() && source_[end] == '.' &&
            isDigit(source_[end + 1])) {
            isFloat = true;
            end = digitsEnd(end + 1, isDigit);
        }
        if (!isBehindDot && end < source_.size() && (source_[end] | 0x20) == 'e') {
            const size_t exponent = end + 1 + (signAt(end + 1) != '\0' ? 1 : 0);
            if (exponent < source_.size() && isDigit(source_[exponent])) {
                isFloat = true;
                end = digitsEnd(exponent, isDigit);
            }
        }
        if (!isFloat) end = integerEnd();
        std::string text = source_.substr(pos_, end - pos_);
        text.erase(std::remove(text.begin(), text.end(), '_'), text.end());
        add(isFloat ? TokenKind::Float : TokenKind::Integer, std::move(text));
        advance(end);
    }

    size_t integerEnd() const {
        if (source_[pos_] != '0') return digitsEnd(pos_, isDigit);
        const char mark =
            pos_ + 1 < source_.size() ? static_cast<char>(source_[pos_ + 1] | 0x20) : '\0';
        bool (*isOne)(char) = nullptr;
        if (mark == 'x') isOne = isHexDigit;
        if (mark == 'o') isOne = [](char c) { return c >= '0' && c <= '7'; };
        if (mark == 'b') isOne = [](char c) { return c == '0' || c == '1'; };
        if (isOne != nullptr) {
            size_t begin = pos_ + 2;
            if (begin < source_.size() && source_[begin] == '_') ++begin;
            if (begin < source_.size() && isOne(source_[begin])) return digitsEnd(begin, isOne);
        }
        return digitsEnd(pos_, [](char c) { return c == '0'; });
    }

    void quoted(char quote) {
        std::string text;
        for (size_t pos = pos_ + 1; pos < source_.size();) {
            if (source_[pos] == quote) {
                add(TokenKind::String, std::move(text));
                return advance(pos + 1);
            }
            if (source_[pos] != '\\') {
                text += source_[pos++];
                continue;
            }
            if (pos + 1 >= source_.size()) break;
            pos = escape(pos + 1, text);
        }
        fail(std::string("unexpected char ") + (quote == '"' ? "'\"'" : "\"'\"") +
             ": the string does not end");
    }

    /// Of the character behind a backslash; returns the position behind the escape. Source: Python,
    /// "String and Bytes literals".
    size_t escape(size_t pos, std::string& text) {
        static constexpr std::string_view kNames = "abfnrtv\\'\"",
                                          kMeanings = "\a\b\f\n\r\t\v\\'\"";
        const char c = source_[pos];
        if (c == '\n') return pos + 1;
        if (const size_t i = kNames.find(c); i != std::string_view::npos) {
            text += kMeanings[i];
            return pos + 1;
        }
        if (c >= '0' && c <= '7') {
            uint32_t value = 0;
            size_t end = pos;
            while (end < pos + 3 && end < source_.size() && source_[end] >= '0' &&
                   source_[end] <= '7')
                value = value * 8 + static_cast<uint32_t>(source_[end++] - '0');
            appendUtf8(text, value);
            return end;
        }
        if (c == 'x' || c == 'u' || c == 'U') return hexEscape(pos, text);
        if (static_cast<uint8_t>(c) < 0x80) {
            text += '\\';
            text += c;
            return pos + 1;
        }
        // The reference reads literals as escaped ASCII, so that a backslash takes the escape's
        // own.
        const CodePoint point = decodeUtf8(source_, pos);
        text += numericEscape(point.value);
        return pos + point.nBytes;
    }

    bool hexAt(size_t pos, size_t nDigits, uint32_t& value) const {
        value = 0;
        for (size_t i = pos; i < pos + nDigits; ++i) {
            if (i >= source_.size() || !isHexDigit(source_[i])) return false;
            value = value * 16 + static_cast<uint32_t>(isDigit(source_[i])
                                                           ? source_[i] - '0'
                                                           : (source_[i] | 0x20) - 'a' + 10);
        }
        return true;
    }

    size_t hexEscape(size_t pos, std::string& text) {
        const size_t nDigits = source_[pos] == 'x' ? 2 : source_[pos] == 'u' ? 4 : 8;
        uint32_t value = 0;
        if (!hexAt(pos + 1, nDigits, value) || value > 0x10FFFF) {
            fail("the escape \\" + std::string(1, source_[pos]) + " in a string is not complete");
            return source_.size();
        }
        pos += 1 + nDigits;
        uint32_t low = 0;
        if (value >= 0xD800 && value < 0xDC00 && startsWith(pos, "\\u") && hexAt(pos + 2, 4, low) &&
            low >= 0xDC00 && low < 0xE000) {
            value = 0x10000 + ((value - 0xD800) << 10) + (low - 0xDC00);
            pos += 6;
        }
        appendUtf8(text, value >= 0xD800 && value < 0xE000 ? 0xFFFD : value);
        return pos;
    }

    void operatorToken() {
        static constexpr std::string_view kTwo[] = {"//", "**", "==", "!=", ">=", "<="};
        for (const std::string_view op : kTwo) {
            if (startsWith(pos_, op)) {
                add(TokenKind::Operator, std::string(op));
                return advance(pos_ + 2);
            }
        }
        const char c = source_[pos_];
        if (std::string_view("+-/*%~[](){}><=.:|,;").find(c) == std::string_view::npos)
            return fail("unexpected char '" + source_.substr(pos_, characterSize(c)) + "'");
        if (c == '(' || c == '[' || c == '{') brackets_ += c == '(' ? ')' : c == '[' ? ']' : '}';
        if (c == ')' || c == ']' || c == '}') {
            if (brackets_.empty()) return fail(std::string("unexpected '") + c + "'");
            if (brackets_.back() != c)
                return fail(std::string("unexpected '") + c + "', expected '" + brackets_.back() +
                            "'");
            brackets_.pop_back();
        }
        add(TokenKind::Operator, std::string(1, c));
        advance(pos_ + 1);
    }

    std::string source_;
    size_t pos_ = 0;
    uint32_t line_ = 1, errorLine_ = 1;
    bool lineStarts_ = true;
    std::string brackets_;  ///< closing brackets that are still due
    std::string error_;
    std::vector<Token> tokens_;
};

}  // namespace

Result<std::vector<Token>> tokenize(std::string_view source) {
    return Lexer(normalizedSource(source)).run();
}

}  // namespace vitrine::engine::jinja
