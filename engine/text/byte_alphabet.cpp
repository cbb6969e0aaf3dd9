#include "engine/text/byte_alphabet.h"

#include <array>
#include <cstdint>

#include "engine/text/unicode.h"

namespace vitrine::engine {

namespace {

/// Bytes that print stand for themselves, the others follow from U+0100 on.
struct ByteAlphabet {
    std::array<int16_t, 0x144> byteOf{};
    std::array<uint16_t, 256> characterOf{};

    constexpr ByteAlphabet() {
        for (int16_t& b : byteOf) b = -1;
        uint16_t next = 0x100;
        for (int b = 0; b < 256; ++b) {
            const bool prints =
                (b >= 0x21 && b <= 0x7E) || (b >= 0xA1 && b <= 0xAC) || (b >= 0xAE && b <= 0xFF);
            const uint16_t c = prints ? static_cast<uint16_t>(b) : next++;
            byteOf[c] = static_cast<int16_t>(b);
            characterOf[static_cast<size_t>(b)] = c;
        }
    }
};

constexpr ByteAlphabet kAlphabet;

}  // namespace

std::optional<std::string> bytesOfAlphabet(std::string_view text) {
    std::string bytes;
    bytes.reserve(text.size());
    for (size_t pos = 0; pos < text.size();) {
        const CodePoint c = decodeUtf8(text, pos);
        if (!c.isValid || c.value >= kAlphabet.byteOf.size() || kAlphabet.byteOf[c.value] < 0)
            return std::nullopt;
        bytes += static_cast<char>(kAlphabet.byteOf[c.value]);
        pos += c.nBytes;
    }
    return bytes;
}

std::string alphabetOfBytes(std::string_view bytes) {
    std::string text;
    text.reserve(2 * bytes.size());
    for (const char byte : bytes)
        appendUtf8(text, kAlphabet.characterOf[static_cast<uint8_t>(byte)]);
    return text;
}

}  // namespace vitrine::engine
