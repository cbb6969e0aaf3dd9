#include <cmath>

#include "engine/text/jinja/filters.h"
#include "engine/text/jinja/renderer.h"
#include "engine/text/unicode.h"

namespace vitrine::engine::jinja {

namespace {

/// One printf-style rendering. Source: Python, "printf-style String Formatting".
class PercentFormat {
public:
    PercentFormat(Renderer& renderer, const Text& format, const Value& arguments)
        : r_(renderer), format_(format), arguments_(arguments), out_(renderer) {
        isTuple_ = arguments.is(Kind::Tuple);
        isMapping_ = arguments.is(Kind::Dict);
    }

    Value run() {
        const std::string& f = format_.bytes();
        while (pos_ < f.size() && r_.tick()) {
            const size_t percent = std::min(f.find('%', pos_), f.size());
            out_.append(format_, pos_, percent);
            pos_ = percent;
            if (pos_ < f.size()) directive();
        }
        const size_t n = isTuple_ ? arguments_.items().size() : 1;
        const bool mayRemain = !isTuple_ && (isMapping_ || arguments_.is(Kind::List) ||
                                             arguments_.is(Kind::Undefined));
        if (!r_.failed() && next_ < n && !mayRemain && !usedMapping_)
            return r_.fail("not all arguments converted during string formatting");
        Text text = out_.take();
        text.isSafe = format_.isSafe;
        return Value::text(std::move(text));
    }

private:
    char peek() const { return pos_ < format_.size() ? format_.bytes()[pos_] : '\0'; }

    Value nextArgument() {
        if (hasKey_) return keyed_;
        if (!isTuple_ && next_ == 0) {
            ++next_;
            return arguments_;
        }
        if (isTuple_ && next_ < arguments_.items().size()) return arguments_.items()[next_++];
        return r_.fail("not enough arguments for format string");
    }

    /// A width or precision: digits, or * for the next argument.
    int64_t size(int64_t absent) {
        if (peek() == '*') {
            ++pos_;
            const Value value = nextArgument();
            if (!value.isWhole()) r_.fail("* wants int");
            return value.isWhole() ? value.asInt() : 0;
        }
        if (peek() < '0' || peek() > '9') return absent;
        int64_t n = 0;
        for (; peek() >= '0' && peek() <= '9'; ++pos_)
            n = std::min<int64_t>(n * 10 + (peek() - '0'), int64_t{1} << 40);
        return n;
    }

    void key() {
        const std::string& f = format_.bytes();
        int depth = 0;
        size_t end = pos_;
        for (; end < f.size(); ++end) {
            depth += f[end] == '(' ? 1 : f[end] == ')' ? -1 : 0;
            if (depth == 0) break;
        }
        if (end >= f.size()) {
            r_.fail("incomplete format key");
            return;
        }
        const Value name = Value::text(format_.sub(pos_ + 1, end));
        pos_ = end + 1;
        hasKey_ = usedMapping_ = true;
        if (!isMapping_) {
            r_.fail("format requires a mapping");
            return;
        }
        const Value* value = arguments_.asDict().find(name);
        if (value == nullptr)
            r_.fail("there is no key " + r_.reprOf(name) + " for the format");
        else
            keyed_ = *value;
    }

    void directive() {
        ++pos_;
        hasKey_ = isLeft_ = isZero_ = isAlternate_ = false;
        sign_ = '\0';
        if (peek() == '(') key();
        for (bool isFlag = true; isFlag && !r_.failed();) {
            switch (peek()) {
                case '-': isLeft_ = true; break;
                case '0': isZero_ = true; break;
                case '#': isAlternate_ = true; break;
                case '+': sign_ = '+'; break;
                case ' ':
                    if (sign_ == '\0') sign_ = ' ';
                    break;
                default: isFlag = false;
            }
            if (isFlag) ++pos_;
        }
        width_ = size(0);
        if (width_ < 0) {
            isLeft_ = true;
            width_ = width_ > -INT64_MAX ? -width_ : INT64_MAX;
        }
        precision_ = -1;
        if (peek() == '.') {
            ++pos_;
            precision_ = std::max<int64_t>(size(0), 0);
        }
        while (peek() == 'l' || peek() == 'h' || peek() == 'L') ++pos_;
        const char type = peek();
        if (pos_ >= format_.size()) {
            r_.fail("incomplete format");
            return;
        }
        const bool isBare = pos_ > 0 && format_.bytes()[pos_ - 1] == '%';
        if (type == '%' && !isBare) {
            r_.fail("unsupported format character '%'");
            return;
        }
        pos_ += characterSize(type);
        if (!r_.failed()) convert(type);
    }

    void convert(char type) {
        switch (type) {
            case '%': return out_.append("%");
            case 's':
            case 'r':
            case 'a': return text(type);
            case 'c': return character();
            case 'd':
            case 'i':
            case 'u':
            case 'x':
            case 'X':
            case 'o': return whole(type);
            case 'e':
            case 'E':
            case 'f':
            case 'F':
            case 'g':
            case 'G': return real(type);
            default: r_.fail(std::string("unsupported format character"));
        }
    }

    void text(char type) {
        const Value value = nextArgument();
        Builder one(r_);
        if (type == 'a')
            writeAscii(r_, one, value);
        else if (type == 'r')
            r_.writeRepr(one, value);
        else if (format_.isSafe)
            one.appendHtml(r_.str(value));
        else
            r_.writeStr(one, value);
        Text text = one.take();
        if (precision_ >= 0)
            text = text.sub(0, byteOfCharacter(text.bytes(), static_cast<size_t>(precision_)));
        pad(out_, text, width_, isLeft_ ? '<' : '>', Text(" ", false));
    }

    void character() {
        const Value value = nextArgument();
        Text text;
        if (value.isWhole() && value.asInt() >= 0 && value.asInt() < 0x110000) {
            std::string one;
            appendUtf8(one, static_cast<uint32_t>(value.asInt()));
            text = Text(cleanUtf8(one), false);
        } else if (value.isString() && countCharacters(value.asText().bytes()) == 1) {
            text = value.asText();
        } else {
            r_.fail("%c requires int or char");
        }
        pad(out_, text, width_, isLeft_ ? '<' : '>', Text(" ", false));
    }

    void number(std::string digits) {
        if (digits[0] != '-' && sign_ != '\0') digits.insert(0, 1, sign_);
        size_t signBytes = digits[0] == '-' || digits[0] == '+' || digits[0] == ' ' ? 1 : 0;
        if (digits.size() > signBytes + 1 && digits[signBytes] == '0' &&
            std::isalpha(static_cast<unsigned char>(digits[signBytes + 1])) != 0)
            signBytes += 2;
        const bool fills = isZero_ && !isLeft_;
        pad(out_, Text(std::move(digits), false), width_,
            isLeft_ ? '<'
            : fills ? '='
                    : '>',
            Text(fills ? "0" : " ", false), signBytes);
    }

    void whole(char type) {
        const Value value = nextArgument();
        if (r_.failed()) return;
        const bool isHex = type == 'x' || type == 'X' || type == 'o';
        if (!value.isWhole() && (isHex || !value.is(Kind::Float))) {
            r_.fail(std::string("%") + type + " format: a number is required, not " +
                    typeNameOf(value));
            return;
        }
        const double d = value.asDouble();
        if (value.is(Kind::Float) && !(d > -9.2e18 && d < 9.2e18)) {
            r_.fail("cannot convert the number to an integer of 64 bits");
            return;
        }
        const int64_t n = value.isWhole() ? value.asInt() : static_cast<int64_t>(d);
        std::string digits = *integerText(n, isHex ? type : 'd', isAlternate_);
        const size_t signBytes = digits[0] == '-' ? 1 : 0;
        if (precision_ > static_cast<int64_t>(digits.size() - signBytes)) {
            if (!r_.room(static_cast<uint64_t>(precision_))) return;
            digits.insert(signBytes, static_cast<size_t>(precision_) - (digits.size() - signBytes),
                          '0');
        }
        number(std::move(digits));
    }

    void real(char type) {
        const Value value = nextArgument();
        if (r_.failed()) return;
        if (!value.isNumber()) {
            r_.fail(std::string("must be real number, not ") + typeNameOf(value));
            return;
        }
        if (precision_ > 1000) {
            r_.fail("precision too big");
            return;
        }
        number(formatDouble(value.asDouble(), type,
                            precision_ < 0 ? 6 : static_cast<int>(precision_), isAlternate_));
    }

    Renderer& r_;
    const Text& format_;
    const Value& arguments_;
    Builder out_;
    size_t pos_ = 0, next_ = 0;
    bool isTuple_ = false, isMapping_ = false, usedMapping_ = false;
    bool hasKey_ = false, isLeft_ = false, isZero_ = false, isAlternate_ = false;
    char sign_ = '\0';
    Value keyed_;
    int64_t width_ = 0, precision_ = -1;
};

}  // namespace

Value formatPercent(Renderer& renderer, const Text& format, const Value& arguments) {
    return PercentFormat(renderer, format, arguments).run();
}

}  // namespace vitrine::engine::jinja
