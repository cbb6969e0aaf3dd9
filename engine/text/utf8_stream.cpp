#include "engine/text/utf8_stream.h"

#include <algorithm>

#include "engine/text/unicode.h"

namespace vitrine::engine {

namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

/// A surrogate's first two bytes at the end of the text, see the header.
bool isHalfSurrogate(std::string_view rest) {
    return rest.size() == 2 && rest[0] == '\xED' && static_cast<unsigned char>(rest[1]) >= 0xA0 &&
           static_cast<unsigned char>(rest[1]) <= 0xBF;
}

}  // namespace

std::string Utf8Stream::push(std::string_view bytes) {
    held_ += bytes;
    const std::string_view text = held_;
    std::string whole;
    size_t pos = 0;
    while (pos < text.size()) {
        const CodePoint c = decodeUtf8(text, pos);
        if (c.isCut || isHalfSurrogate(text.substr(pos))) break;
        whole += c.isValid ? text.substr(pos, c.nBytes) : kReplacement;
        pos += c.nBytes;
    }
    held_.erase(0, pos);
    return whole;
}

std::string Utf8Stream::finish() {
    std::string rest;
    for (size_t pos = 0; pos < held_.size();) {
        rest += kReplacement;
        pos += std::max<uint32_t>(1, decodeUtf8(held_, pos).nBytes);
    }
    held_.clear();
    return rest;
}

}  // namespace vitrine::engine
