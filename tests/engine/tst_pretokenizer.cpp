// The scanners of the known expressions against PCRE2 with the expressions themselves, on random
// and nasty text; simple runs likewise; what hostile expressions cost.

#include <chrono>
#include <random>
#include <utf8proc.h>

#include "engine/text/pretokenizer.h"
#include "engine/text/pretokenizer_names.h"
#include "engine/text/unicode.h"
#include "tests/support/mini_test.h"

using namespace vitrine::engine;

namespace {

std::vector<std::string> cuts(const Split& split, std::string_view text) {
    std::vector<std::string_view> pieces;
    size_t pos = 0;
    // Small steps, so that the places where a long text is taken in parts are tried too.
    while (pos < text.size()) pos = split.split(text, pos, 7, pieces);
    return {pieces.begin(), pieces.end()};
}

/// What the expression itself says, gaps included.
std::vector<std::string> cutsOf(const Regex& regex, std::string_view text) {
    std::vector<TextRange> matches;
    regex.findAll(text, matches);
    std::vector<std::string> pieces;
    size_t from = 0;
    for (const TextRange& match : matches) {
        if (match.begin > from) pieces.emplace_back(text.substr(from, match.begin - from));
        if (match.end > match.begin)
            pieces.emplace_back(text.substr(match.begin, match.end - match.begin));
        from = match.end;
    }
    if (from < text.size()) pieces.emplace_back(text.substr(from));
    return pieces;
}

/// One code point of each general category for every thousand or so, and the letters on which
/// contractions turn.
std::vector<uint32_t> alphabet(std::mt19937& random) {
    std::vector<uint32_t> chosen;
    for (int category = 0; category < 30; ++category) {
        std::vector<uint32_t> all;
        for (uint32_t c = 1; c < 0x110000; ++c) {
            if (c >= 0xD800 && c < 0xE000) continue;
            if (utf8proc_category(static_cast<utf8proc_int32_t>(c)) == category) all.push_back(c);
        }
        // Unassigned and private ones may be assigned in another version of the tables.
        if (category == UTF8PROC_CATEGORY_CN || category == UTF8PROC_CATEGORY_CO) all.resize(0);
        for (size_t i = 0; i < 12 && !all.empty(); ++i) {
            const uint32_t c = all[random() % all.size()];
            if (c < 0x3000) chosen.push_back(c);
            if (!all.empty()) chosen.push_back(all[random() % std::min<size_t>(all.size(), 40)]);
        }
    }
    return chosen;
}

std::string randomText(std::mt19937& random, const std::vector<uint32_t>& letters) {
    static const char* const kNasty[] = {"'s",   "'S",   "'\u017F",  "'re",    "'LL",    "'lL",
                                         "'ve",  "'M",   "'",        " ",      "  ",     "\n",
                                         "\r\n", "\t",   "\u00A0",   "\u3000", "\u0085", "1",
                                         "12",   "345",  "a",        "Ab",     "ABCd",   "\u4E2D",
                                         "/",    "\xFF", "\xE2\x82", "\u0301", "\u212A", "\u02B0"};
    std::string text;
    const size_t n = random() % 24;
    for (size_t i = 0; i < n; ++i) {
        if (random() % 2 == 0)
            text += kNasty[random() % std::size(kNasty)];
        else
            appendUtf8(text, letters[random() % letters.size()]);
    }
    return text;
}

void compare(std::string_view expression, std::mt19937& random) {
    const auto regex = Regex::compile(expression);
    const auto split = Split::byExpression(expression);
    CHECK(regex.has_value());
    CHECK(split.has_value());
    if (!regex || !split) return;
    const std::vector<uint32_t> letters = alphabet(random);
    int differing = 0;
    for (int i = 0; i < 4000; ++i) {
        const std::string text = randomText(random, letters);
        if (cuts(*split, text) == cutsOf(*regex, text)) continue;
        if (++differing > 2) continue;
        std::string hex;
        for (const char c : text) {
            char digits[4];
            std::snprintf(digits, sizeof digits, "%02X ", static_cast<unsigned char>(c));
            hex += digits;
        }
        std::fprintf(stderr, "  %.60s on %s\n", std::string(expression).c_str(), hex.c_str());
    }
    CHECK_EQ(differing, 0);
}

}  // namespace

TEST(scannersDoWhatTheirExpressionsSay) {
    std::mt19937 random(20240501);
    CHECK(SplitScanner::known().size() >= 10);
    for (const auto& [expression, scanner] : SplitScanner::known()) compare(expression, random);
}

TEST(runsDoWhatTheirExpressionsSay) {
    std::mt19937 random(3);
    for (const char* name : {"deepseek-llm", "deepseek-coder", "deepseek-v3", "falcon", "viking"}) {
        const NamedPreTokenizer* named = namedPreTokenizer(name);
        CHECK(named != nullptr);
        if (named == nullptr) continue;
        for (const std::string_view expression : named->expressions)
            if (RunPattern::compile(expression)) compare(expression, random);
    }
    for (const char* expression :
         {"[0-9][0-9][0-9]", "\\p{N}{1,3}", "\\s+$", " ?[^\\s\\p{L}]+", "[\\]\\-a-c\\\\^]"}) {
        CHECK(RunPattern::compile(expression).has_value());
        compare(expression, random);
    }
    for (const char* expression :
         {"a+", "[a-z", "[]+", "[z-a]", "[^]", "(a)", "[a&&b]", "[a]?", "[a]{2}", "\\S+", ""})
        CHECK(!RunPattern::compile(expression).has_value());
}

TEST(everyCharacterIsInOneClass) {
    // Two tables of Unicode, in two libraries, may be of two versions: a few may differ.
    const auto letters = Regex::compile("\\p{L}"), numbers = Regex::compile("\\p{N}"),
               spaces = Regex::compile("\\s");
    CHECK(letters && numbers && spaces);
    if (!letters || !numbers || !spaces) return;
    int differing = 0;
    const std::pair<const Regex*, CharClass> all[] = {{&*letters, CharClass::Letter},
                                                      {&*numbers, CharClass::Number},
                                                      {&*spaces, CharClass::Space}};
    for (uint32_t block = 0; block < 0x110000; block += 0x100) {
        std::string text;
        for (uint32_t c = block; c < block + 0x100; ++c)
            if (c < 0xD800 || c >= 0xE000) appendUtf8(text, c);
        for (const auto& [regex, cls] : all) {
            std::vector<TextRange> matches;
            regex->findAll(text, matches);
            size_t expected = 0;
            for (uint32_t c = block; c < block + 0x100; ++c)
                if ((c < 0xD800 || c >= 0xE000) && charClass(c) == cls) ++expected;
            differing += static_cast<int>(std::max(expected, matches.size()) -
                                          std::min(expected, matches.size()));
            if (cls == CharClass::Space) CHECK_EQ(matches.size(), expected);
        }
    }
    CHECK(differing < 20000);
}

TEST(everyNameHasItsExpressions) {
    for (const char* name :
         {"gpt-2",          "phi-2",       "mpt",        "olmo",      "jais",
          "smollm",         "starcoder",   "refact",     "command-r", "llama-bpe",
          "llama3",         "dbrx",        "smaug-bpe",  "qwen2",     "stablelm2",
          "qwen35",         "gpt-4o",      "llama4",     "tekken",    "deepseek-llm",
          "deepseek-coder", "deepseek-v3", "falcon",     "bloom",     "viking",
          "jais-2",         "bailingmoe",  "seed-coder", "glm4"}) {
        const auto pre = PreTokenizer::byName(name);
        CHECK(pre.has_value());
        if (!pre) continue;
        CHECK(pre->hasByteLevel());
        const std::string text = "It's 12345 \u4E2D\u6587\u3002  ok\r\n\n(x) \xFF";
        PieceBuffer buffer;
        std::string joined;
        for (size_t pos = 0; pos < text.size();) {
            pos = pre->split(text, pos, true, buffer);
            for (const Piece& piece : buffer.pieces) {
                CHECK_EQ(piece.origin, joined.size());
                joined += piece.text;
            }
        }
        CHECK_EQ(joined, text);
    }
    CHECK(!PreTokenizer::byName("default").has_value());
    CHECK(!PreTokenizer::byName("").has_value());
}

TEST(hostileExpressions) {
    for (const char* bad : {"", "(", "[", "a{2,1}", "(*ACCEPT)a", "\\C", "[[:alpha:]&&[a]]",
                            "[a[^b]]", "\\", "(?<n>a", "[\\S]"}) {
        const auto regex = Regex::compile(bad);
        CHECK(!regex.has_value());
        if (!regex) CHECK(regex.error().code == Errc::Unsupported);
    }
    CHECK(!Regex::compile(std::string(20000, 'a')).has_value());
    CHECK(!Regex::compile(std::string(200, '(') + "a" + std::string(200, ')')).has_value());
    const std::string text(20000, 'a');
    for (const char* slow : {"(a+)+b", "(a|aa)+$b", "(?=(a+))b", "((a*)*)*b", "(?:a|b|ab)*c"}) {
        const auto regex = Regex::compile(slow);
        CHECK(regex.has_value());
        if (!regex) continue;
        std::vector<TextRange> matches;
        const auto start = std::chrono::steady_clock::now();
        regex->findAll(text, matches);
        CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(60));
        CHECK(matches.size() <= text.size() + 1);
    }
    // Empty matches do not stop it from going on.
    std::vector<TextRange> matches;
    Regex::compile("x*")->findAll("axb", matches);
    CHECK_EQ(matches.size(), size_t{3});
}

VITRINE_TEST_MAIN()
