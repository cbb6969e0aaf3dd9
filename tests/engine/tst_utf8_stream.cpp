// Bytes to characters, one token at a time.

#include "engine/text/unicode.h"
#include "engine/text/utf8_stream.h"
#include "tests/support/mini_test.h"

using vitrine::engine::decodeUtf8;
using vitrine::engine::Utf8Stream;

namespace {

constexpr const char* kBad = "\uFFFD";

/// Every byte alone, then the end.
std::string byteByByte(const std::string& bytes) {
    Utf8Stream stream;
    std::string text;
    for (const char c : bytes) text += stream.push(std::string(1, c));
    return text + stream.finish();
}

std::string bad(int n) {
    std::string text;
    for (int i = 0; i < n; ++i) text += kBad;
    return text;
}

}  // namespace

TEST(holdsUnfinishedCharacters) {
    Utf8Stream stream;
    CHECK_EQ(stream.push("a\xF0\x9F"), "a");
    CHECK_EQ(stream.push("\x98"), "");
    CHECK_EQ(stream.push("\x80z"), "\xF0\x9F\x98\x80z");
    CHECK_EQ(stream.push("\xC3"), "");
    CHECK_EQ(stream.push("A"), bad(1) + "A");
    CHECK_EQ(stream.push("\xE2\x82"), "");
    CHECK_EQ(stream.finish(), bad(1));
    CHECK_EQ(stream.finish(), "");
    CHECK_EQ(stream.push("b"), "b");
}

TEST(maximalSubparts) {
    CHECK_EQ(byteByByte("\x80"), bad(1));
    CHECK_EQ(byteByByte("\xC3\xC3\xA9"), bad(1) + "\u00E9");
    CHECK_EQ(byteByByte("\xF0\x9F\x98"
                        "A"),
             bad(1) + "A");
    CHECK_EQ(byteByByte("\xE0\x80\x80"
                        "z"),
             bad(3) + "z");
    CHECK_EQ(byteByByte("\xF4\x90\x80\x80"), bad(4));
    CHECK_EQ(byteByByte("\xED\xA0\x80z"), bad(3) + "z");
    CHECK_EQ(byteByByte("\xED\xA0"), bad(2));
    CHECK_EQ(byteByByte("\xED\x9F\xBF"), "\uD7FF");
    CHECK_EQ(byteByByte("\xFE\xFF\xC0\xAF"), bad(4));
    CHECK_EQ(byteByByte("\xC3("), bad(1) + "(");
}

TEST(deadPartsShowAtOnce) {
    Utf8Stream stream;
    CHECK_EQ(stream.push("\xF4"), "");
    CHECK_EQ(stream.push("\x90"), bad(2));
    CHECK_EQ(stream.push("\xE2\x82"), "");
    CHECK_EQ(stream.push("\xE2"), bad(1));
    CHECK_EQ(stream.push("\x82\xAC"), "\u20AC");
}

TEST(cuttingNeverChangesTheText) {
    // Every sequence of four bytes out of the ones that matter, whole or in parts.
    const std::string bytes = "A\x80\x9F\xA0\xBF\xC2\xE0\xED\xEF\xF0\xF4\xF8";
    for (const char a : bytes)
        for (const char b : bytes)
            for (const char c : bytes)
                for (const char d : bytes) {
                    const std::string all{a, b, c, d};
                    Utf8Stream whole, parts;
                    std::string atOnce = whole.push(all), inTwo = parts.push(all.substr(0, 2));
                    atOnce += whole.finish();
                    inTwo += parts.push(all.substr(2));
                    inTwo += parts.finish();
                    CHECK_EQ(byteByByte(all), atOnce);
                    CHECK_EQ(inTwo, atOnce);
                    for (size_t pos = 0; pos < atOnce.size();) {
                        const auto point = decodeUtf8(atOnce, pos);
                        CHECK(point.isValid);
                        pos += point.nBytes;
                    }
                }
}

VITRINE_TEST_MAIN()
