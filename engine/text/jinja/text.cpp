#include "engine/text/jinja/text.h"

#include <algorithm>

#include "engine/text/unicode.h"

namespace vitrine::engine::jinja {

bool Text::isInputAt(size_t pos) const {
    const auto behind = std::upper_bound(cuts_.begin(), cuts_.end(), pos);
    return firstIsInput_ != ((behind - cuts_.begin()) % 2 != 0);
}

void Text::append(std::string_view bytes, bool isInput) {
    if (bytes.empty()) return;
    if (bytes_.empty()) {
        firstIsInput_ = isInput;
        cuts_.clear();
    } else if ((firstIsInput_ != (cuts_.size() % 2 != 0)) != isInput) {
        cuts_.push_back(static_cast<uint32_t>(bytes_.size()));
    }
    bytes_ += bytes;
}

void Text::append(const Text& other, size_t from, size_t to) {
    if (from >= to) return;
    if (other.cuts_.empty()) {
        append(std::string_view(other.bytes_).substr(from, to - from), other.firstIsInput_);
        return;
    }
    auto cut = std::upper_bound(other.cuts_.begin(), other.cuts_.end(), from);
    bool isInput = other.firstIsInput_ != ((cut - other.cuts_.begin()) % 2 != 0);
    while (from < to) {
        const size_t end = cut == other.cuts_.end() ? to : std::min<size_t>(*cut, to);
        append(std::string_view(other.bytes_).substr(from, end - from), isInput);
        isInput = !isInput;
        from = end;
        if (cut != other.cuts_.end()) ++cut;
    }
}

Text Text::sub(size_t from, size_t to) const {
    Text part;
    part.append(*this, from, to);
    part.isSafe = isSafe;
    return part;
}

std::string cleanUtf8(std::string_view bytes) {
    std::string clean;
    clean.reserve(bytes.size());
    for (size_t pos = 0; pos < bytes.size();) {
        const CodePoint c = decodeUtf8(bytes, pos);
        if (c.isValid)
            clean += bytes.substr(pos, c.nBytes);
        else
            appendUtf8(clean, 0xFFFD);
        pos += c.nBytes;
    }
    return clean;
}

size_t countCharacters(std::string_view bytes) noexcept {
    size_t n = 0;
    for (const char c : bytes) n += (static_cast<uint8_t>(c) & 0xC0u) != 0x80u ? 1 : 0;
    return n;
}

size_t characterSize(char lead) noexcept {
    const auto b = static_cast<uint8_t>(lead);
    return b < 0xC0 ? 1 : b < 0xE0 ? 2 : b < 0xF0 ? 3 : 4;
}

size_t byteOfCharacter(std::string_view bytes, size_t index) noexcept {
    if (index >= bytes.size()) return bytes.size();
    size_t pos = 0;
    for (; index > 0 && pos < bytes.size(); --index) pos += characterSize(bytes[pos]);
    return std::min(pos, bytes.size());
}

bool isPythonSpace(uint32_t c) noexcept {
    return (c >= 0x1C && c <= 0x1F) || charClass(c) == CharClass::Space;
}

namespace {

bool isStripped(uint32_t c, const std::vector<uint32_t>* set) {
    return set == nullptr ? isPythonSpace(c) : std::binary_search(set->begin(), set->end(), c);
}

}  // namespace

Span strippedSpan(std::string_view text, bool left, bool right, const std::vector<uint32_t>* set) {
    Span span{0, text.size()};
    while (left && span.from < span.to) {
        const CodePoint c = decodeUtf8(text, span.from);
        if (!isStripped(c.value, set)) break;
        span.from += c.nBytes;
    }
    while (right && span.from < span.to) {
        size_t begin = span.to - 1;
        while (begin > span.from && (static_cast<uint8_t>(text[begin]) & 0xC0u) == 0x80u) --begin;
        if (!isStripped(decodeUtf8(text, begin).value, set)) break;
        span.to = begin;
    }
    return span;
}

std::vector<Line> linesOf(std::string_view text) {
    std::vector<Line> lines;
    size_t from = 0;
    for (size_t pos = 0; pos < text.size();) {
        const CodePoint c = decodeUtf8(text, pos);
        size_t next = pos + c.nBytes;
        const bool isEnd = (c.value >= 0x0A && c.value <= 0x0D) ||
                           (c.value >= 0x1C && c.value <= 0x1E) || c.value == 0x85 ||
                           c.value == 0x2028 || c.value == 0x2029;
        if (c.value == '\r' && next < text.size() && text[next] == '\n') ++next;
        if (isEnd) {
            lines.push_back({from, pos, next});
            from = next;
        }
        pos = next;
    }
    if (from < text.size()) lines.push_back({from, text.size(), text.size()});
    return lines;
}

}  // namespace vitrine::engine::jinja
