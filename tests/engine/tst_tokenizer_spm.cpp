// SentencePiece vocabularies on made-up data: rebuilt from GGUF arrays, and hostile model files.

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>
#include <unistd.h>

#include "engine/text/spm_model.h"
#include "engine/text/spm_tokenizer.h"
#include "engine/text/tokenizer.h"
#include "tests/engine/tokenizer_fixture.h"
#include "tests/support/mini_test.h"

using namespace vitrine::engine;
using namespace vitrine::test;

namespace {

using Ids = std::vector<int32_t>;

constexpr int32_t kFirstByte = 3;

std::unique_ptr<Tokenizer> make(const ModelFile& file) {
    auto made = makeTokenizer(file);
    if (!made) std::fprintf(stderr, "  %s\n", made.error().message.c_str());
    CHECK(made.has_value());
    return made ? std::move(made).value() : nullptr;
}

Ids encode(const Tokenizer& tokenizer, const std::string& text, EncodeOptions options = {}) {
    return numbers(tokenizer.encode(text, options));
}

/// "hello world" and the letters that it needs, U+2581 written out.
struct Hello {
    Hello() {
        for (const char* c : {"\u2581", "h", "e", "l", "o", "w", "r", "d"})
            v.add(c, -100 - static_cast<float>(v.tokens.size()), 1);
        float score = -1;
        for (const char* c : {"he", "ll", "hell", "hello", "wo", "ld", "wor", "world",
                              "\u2581hello", "\u2581world"}) {
            last = v.add(c, score, 1);
            score -= 1;
        }
        space = 259;
        word = last - 2;
        hello = last - 6;
    }

    SpmVocabulary v;
    int32_t last = 0;                        ///< "▁world"; before it "▁hello"
    int32_t space = 0, word = 0, hello = 0;  ///< "▁", "world", "hello"
};

SpmModel smallModel() {
    SpmModel model;
    model.kind = SpmModel::Kind::Unigram;
    model.pieces = {{"<unk>", 0, TokenType::Unknown},  {"<s>", 0, TokenType::Control},
                    {"</s>", 0, TokenType::Control},   {"\u2581a", -1, TokenType::Normal},
                    {"b", -2, TokenType::Normal},      {"a", -3, TokenType::Normal},
                    {"[x]", 0, TokenType::UserDefined}};
    return model;
}

/// A normalisation table of one rule: double array with root, one child, one value.
std::string oneRule(uint32_t childOffset, uint32_t value, std::string texts, size_t nUnits) {
    std::vector<uint32_t> units(nUnits, 0x80000000u);  // no unit has a label by accident
    units[0] = 256u << 10;
    if (nUnits > 256 + 'q') units[256 ^ 'q'] = (childOffset << 10) | 0x100u | 'q';
    const size_t leaf = (256 ^ 'q') ^ childOffset;
    if (leaf < nUnits) units[leaf] = 0x80000000u | value;
    std::string blob(4 + nUnits * 4, '\0');
    const auto size = static_cast<uint32_t>(nUnits * 4);
    std::memcpy(blob.data(), &size, 4);
    std::memcpy(blob.data() + 4, units.data(), size);
    return blob + std::move(texts);
}

}  // namespace

TEST(rebuiltFromGguf) {
    Hello h;
    auto t = make(h.v.write());
    CHECK_EQ(t->kind(), "SentencePiece BPE");
    CHECK_EQ(t->vocabSize(), static_cast<int32_t>(h.v.tokens.size()));
    CHECK(encode(*t, "hello world") == Ids({h.last - 1, h.last}));
    CHECK(encode(*t, "hello  world") == Ids({h.last - 1, h.space, h.last}));
    CHECK(encode(*t, "hello", {false, true}) == Ids({1, h.last - 1}));
    CHECK(encode(*t, "").empty());
    CHECK(encode(*t, "", {false, true}) == Ids({1}));
    // Bytes where there is no piece.
    CHECK(encode(*t, "\u00E9") == Ids({h.space, kFirstByte + 0xC3, kFirstByte + 0xA9}));
    CHECK_EQ(t->decode(t->encode(" hello  \u00E9\n", {})), " hello  \u00E9\n");
    // The prefix space begins the text and follows each control token.
    CHECK(encode(*t, "hello</s>hello", {true, false}) == Ids({h.last - 1, 2, h.last - 1}));
    CHECK(encode(*t, "</s>", {false, false}).size() > 1);
    CHECK(t->isControl(TokenId(2)) && !t->isControl(TokenId(3)));
    CHECK(t->endsGeneration(TokenId(2)) && t->addsBos());
    h.v.file.set("tokenizer.ggml.add_space_prefix", false)
        .set("tokenizer.ggml.add_bos_token", false);
    t = make(h.v.file);
    CHECK(encode(*t, "hello world", {true, true}) == Ids({h.hello, h.last}));
}

TEST(piecesAddUpToTheText) {
    Hello h;
    const auto t = make(h.v.write());
    const auto ids = t->encode("hello world", {false, true});
    CHECK_EQ(t->decode(ids), "<s>hello world");
    CHECK_EQ(t->piece(ids[0], true) + t->piece(ids[1], true) + t->piece(ids[2], false),
             "<s>hello world");
    CHECK_EQ(t->piece(ids[1], false), " hello");
    CHECK_EQ(t->piece(TokenId(-1), true) + t->piece(TokenId(99999), false), "");
}

TEST(userDefinedRunsOfSpaces) {
    Hello h;
    const int32_t two = h.v.add("  ", -1000, 4), three = h.v.add("   ", -1000, 4);
    const int32_t turn = h.v.add("<turn>", -1000, 4);
    h.v.file.set("tokenizer.ggml.add_space_prefix", false);
    const auto t = make(h.v.write());
    CHECK(encode(*t, "hello  world") == Ids({h.hello, two, h.word}));
    CHECK(encode(*t, "hello     world") == Ids({h.hello, three, two, h.word}));
    CHECK(encode(*t, "hello<turn>hello") == Ids({h.hello, turn, h.hello}));
    CHECK_EQ(t->decode(t->encode("  hello   ", {})), "  hello   ");
}

TEST(runsAreOneText) {
    Hello h;
    const auto t = make(h.v.write());
    const std::vector<TextRun> runs{{"</s>he", true}, {"llo </", false}, {"s> world</s>", true}};
    const auto tokens = t->encodeRuns(runs);
    CHECK_EQ(tokens.front().id.value, 2);
    CHECK_EQ(tokens[1].id.value, h.last - 1);  // "hello" grew across the border
    CHECK_EQ(tokens[1].run, 0u);
    CHECK_EQ(tokens.back().id.value, 2);
    int controls = 0;
    uint32_t before = 0;
    for (const EncodedToken& token : tokens) {
        controls += t->isControl(token.id) ? 1 : 0;
        CHECK(token.run >= before && token.run < 3);
        before = token.run;
    }
    CHECK_EQ(controls, 2);  // the one put together from two runs is text
}

TEST(damagedArrays) {
    const auto refused = [](const ModelFile& file, const char* word) {
        const auto made = makeTokenizer(file);
        CHECK(!made.has_value());
        if (made) return;
        CHECK(made.error().code == Errc::Format);
        CHECK(made.error().message.find(word) != std::string::npos);
    };
    const auto fresh = [] {
        auto h = std::make_unique<Hello>();
        h->v.write();
        return h;
    };
    auto h = fresh();
    h->v.file.remove("tokenizer.ggml.scores");
    refused(h->v.file, "scores");
    h = fresh();
    h->v.file.set("tokenizer.ggml.scores", std::vector<float>(5));
    refused(h->v.file, "scores");
    h = fresh();
    h->v.scores[270] = std::nanf("");
    refused(h->v.write(), "score");
    h = fresh();
    h->v.tokens[5] = "<0xZZ>";
    refused(h->v.write(), "byte");
    h = fresh();
    h->v.tokens[265] = std::string(5000, 'x');
    refused(h->v.write(), "too long");
    h = fresh();
    for (size_t n = 1; n < 80; ++n) h->v.add(std::string(n, 'z'), -5, 4);
    refused(h->v.write(), "user-defined");
    // Padding as real files have it: repeated, empty, without types, ids outside.
    h = fresh();
    h->v.add("", 0, 1);
    h->v.add("hello", 0, 1);
    h->v.add("<unk>", 0, 2);
    h->v.add(std::string("a\0b", 3), 0, 4);
    h->v.file.set("tokenizer.ggml.bos_token_id", int64_t{-3});
    const auto t = make(h->v.write());
    CHECK(encode(*t, "hello world", {true, true}) == Ids({h->last - 1, h->last}));
    h = fresh();
    h->v.file.remove("tokenizer.ggml.token_type");
    CHECK(!encode(*make(h->v.file), "hello").empty());
}

TEST(modelFileAsWritten) {
    const SpmModel model = smallModel();
    const std::string bytes = serializeSpmModel(model);
    const auto parsed = parseSpmModel(bytes);
    CHECK(parsed.has_value());
    CHECK_EQ(parsed->pieces.size(), model.pieces.size());
    CHECK_EQ(parsed->pieces[4].text, "b");
    CHECK_EQ(parsed->pieces[4].score, -2.0f);
    const auto t = makeSpmTokenizer(std::string_view(bytes));
    CHECK(t.has_value());
    CHECK(encode(**t, " ab[x] ") == Ids({3, 4, 6}));
    CHECK_EQ((*t)->decode(std::vector<TokenId>{TokenId(3), TokenId(4), TokenId(3), TokenId(0)}),
             "ab a \u2047 ");
    CHECK_EQ((*t)->kind(), "SentencePiece unigram");
}

TEST(addedTokensOfAConfiguration) {
    const std::string bytes = serializeSpmModel(smallModel());
    const auto plain = makeSpmTokenizer(std::string_view(bytes));
    CHECK(plain.has_value());
    const int32_t n = (*plain)->vocabSize();
    TokenizerConfig config;
    config.added.push_back({n + 1, "<|user|>", true, false, false, true, false});
    config.added.push_back({n + 3, "<tool>", false, false, false, false, false});
    config.eos = "<|user|>";
    const auto t = makeSpmTokenizer(std::string_view(bytes), config);
    CHECK(t.has_value());
    CHECK_EQ((*t)->vocabSize(), n + 4);
    const auto with = [&](const char* text, bool special) {
        return numbers((*t)->encode(text, {special, false}));
    };
    CHECK(with("<|user|> \n <tool>", true) == Ids({n + 1, n + 3}));
    CHECK(with("<tool>", false) == Ids({n + 3}));
    for (const int32_t id : with("<|user|>", false)) CHECK(id < n);
    CHECK((*t)->endsGeneration(TokenId(n + 1)) && !(*t)->endsGeneration(TokenId(n)));
    CHECK_EQ((*t)->decode(std::vector<TokenId>{TokenId(n + 3), TokenId(n)}), "<tool>");
    config.added.push_back({int64_t{1} << 40, "<far>", true, false, false, false, false});
    CHECK(!makeSpmTokenizer(std::string_view(bytes), config).has_value());
}

TEST(hostileModelFiles) {
    const std::string good = serializeSpmModel(smallModel());
    int refused = 0, kept = 0;
    const auto tryBytes = [&](const std::string& bytes) {
        const auto made = makeSpmTokenizer(std::string_view(bytes));
        ++(made ? kept : refused);
        if (!made) {
            CHECK(!made.error().message.empty());
            return;
        }
        const auto ids = (*made)->encode("ab [x] q\xFF\u4E2D a", {true, true});
        for (const TokenId id : ids) CHECK(id.value >= 0 && id.value < (*made)->vocabSize());
        (*made)->decode(ids);
    };
    for (size_t n = 0; n < good.size(); ++n) tryBytes(good.substr(0, n));
    std::mt19937 random(7);
    for (int i = 0; i < 3000; ++i) {
        std::string bytes = good;
        for (int k = 0; k <= i % 3; ++k)
            bytes[random() % bytes.size()] = static_cast<char>(random());
        tryBytes(bytes);
    }
    CHECK(refused > 100 && kept > 100);
    CHECK(!makeSpmTokenizer(std::string_view("")).has_value());
    CHECK(!makeSpmTokenizer(std::string_view("\x0B\x0C")).has_value());
    CHECK(!makeSpmTokenizer(std::string_view("\x0A\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x7F"))
               .has_value());
}

TEST(normalisationRules) {
    const std::string texts("ok\0", 3);
    CHECK(isSafeCharsMap(oneRule(512, 0, texts, 1024)));
    CHECK(!isSafeCharsMap(oneRule(512, 3, texts, 1024)));          // behind the texts
    CHECK(!isSafeCharsMap(oneRule(512, 0, "ok", 1024)));           // no end
    CHECK(!isSafeCharsMap(oneRule(512, 0, {"\xFF\0", 2}, 1024)));  // not UTF-8
    CHECK(!isSafeCharsMap(oneRule(4096, 0, texts, 1024)));         // child outside
    CHECK(!isSafeCharsMap(oneRule('q', 0, texts, 1024)));          // back to the root's children
    CHECK(!isSafeCharsMap(oneRule(512, 0, texts, 256)));           // root outside
    CHECK(!isSafeCharsMap(""));
    CHECK(!isSafeCharsMap(std::string("\x00\x00\x00\x00ok\0", 7)));
    CHECK(!isSafeCharsMap(std::string("\xFF\xFF\xFF\xFFok\0", 7)));
}

TEST(tokenizerFiles) {
    const auto refused = [](const std::string& path, Errc code) {
        const auto made = openTokenizer(path);
        CHECK(!made.has_value());
        if (!made) CHECK(made.error().code == code);
    };
    namespace fs = std::filesystem;
    const fs::path folder = fs::temp_directory_path() / ("vitrine-spm-" + std::to_string(getpid()));
    fs::create_directory(folder);
    const auto write = [&](const char* name, const std::string& bytes) {
        std::ofstream(folder / name, std::ios::binary) << bytes;
        return (folder / name).string();
    };
    refused((folder / "missing.model").string(), Errc::Io);
    refused(folder.string(), Errc::Io);
    refused(write("a.json", "{\"version\": \"1.0\"}"), Errc::Format);
    refused(write("empty.model", ""), Errc::Format);
    refused(write("noise.model", "GGUF\x03\x00\x00"), Errc::Format);
    CHECK(openTokenizer(write("good.model", serializeSpmModel(smallModel()))).has_value());
    fs::remove_all(folder);
}

TEST(megabyteOfOneThing) {
    Hello h;
    std::string run = "\u2581";
    for (int i = 0; i < 5; ++i) h.v.add(run += run, -2000 - static_cast<float>(i), 1);
    const auto t = make(h.v.write());
    for (const char* unit : {"l", " ", "\n", "\U0001F600", "hello "}) {
        const std::string large = repeated(unit, 1 << 20);
        CHECK_EQ(t->decode(t->encode(large, {})), large);
        const double ratio = growth(*t, unit);
        // The library's queue is n log n over 50 MB of small objects: more than 3 on a busy
        // machine.
        if (ratio > 6) std::fprintf(stderr, "  unit \"%s\": %.1f\n", unit, ratio);
        CHECK(ratio <= 6);
    }
}

VITRINE_TEST_MAIN()
