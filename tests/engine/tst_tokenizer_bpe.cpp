// Byte-level BPE on made-up vocabularies: splits, merges, special tokens, damaged files, growth.

#include <functional>

#include "engine/text/bpe_merger.h"
#include "engine/text/pretokenizer.h"
#include "engine/text/tokenizer.h"
#include "engine/text/unicode.h"
#include "tests/engine/tokenizer_fixture.h"
#include "tests/support/mini_test.h"

using namespace vitrine::engine;
using namespace vitrine::test;

namespace {

using Ids = std::vector<int32_t>;

std::string pieces(const char* name, const std::string& text) {
    const auto pre = PreTokenizer::byName(name);
    CHECK(pre.has_value());
    PieceBuffer buffer;
    if (pre) CHECK_EQ(pre->split(text, 0, true, buffer), text.size());
    std::string joined, all;
    for (const Piece& piece : buffer.pieces) {
        joined += (joined.empty() ? "" : "|") + std::string(piece.text);
        all += piece.text;
    }
    CHECK_EQ(all, text);
    return joined;
}

std::unique_ptr<Tokenizer> make(const ModelFile& file) {
    auto made = makeTokenizer(file);
    if (!made) std::fprintf(stderr, "  %s\n", made.error().message.c_str());
    CHECK(made.has_value());
    return made ? std::move(made).value() : nullptr;
}

Ids encode(const Tokenizer& tokenizer, const std::string& text, EncodeOptions options = {}) {
    return numbers(tokenizer.encode(text, options));
}

void refused(const ModelFile& file, Errc code, const char* word) {
    const auto made = makeTokenizer(file);
    CHECK(!made.has_value());
    if (made) return;
    CHECK(made.error().code == code);
    if (made.error().message.find(word) == std::string::npos)
        std::fprintf(stderr, "  said: %s\n", made.error().message.c_str());
    CHECK(made.error().message.find(word) != std::string::npos);
}

}  // namespace

TEST(splitsOfGpt2) {
    const auto gpt2 = [](const char* text) { return pieces("gpt-2", text); };
    CHECK_EQ(gpt2("Hello world's  end"), "Hello| world|'s| | end");
    CHECK_EQ(gpt2("I'LL can't"), "I|'|LL| can|'t");
    CHECK_EQ(gpt2("x=12 +34"), "x|=|12| +|34");
    CHECK_EQ(gpt2("a \n\n b\n"), "a| \n\n| b|\n");
    CHECK_EQ(gpt2("a   "), "a|   ");
    CHECK_EQ(gpt2("\tb"), "\t|b");
    CHECK_EQ(gpt2(""), "");
    // Typographic apostrophe: never a contraction.
    CHECK_EQ(gpt2("it\u2019s"), "it|\u2019|s");
}

TEST(splitsOfSmolLm) {
    // Digits are cut first, so the run of spaces ends its piece and keeps none back.
    CHECK_EQ(pieces("smollm", "x  12"), "x|  |1|2");
    CHECK_EQ(pieces("smollm", "7 a\u00BDb"), "7| a|\u00BD|b");
}

TEST(splitsOfLlamaAndQwen) {
    const auto llama = [](const char* text) { return pieces("llama-bpe", text); };
    CHECK_EQ(llama("I'LL don'T we\u2019re"), "I|'LL| don|'T| we|\u2019re");
    CHECK_EQ(llama("it'\u017F ok"), "it|'\u017F| ok");
    CHECK_EQ(llama("12345 678"), "123|45| |678");
    CHECK_EQ(llama("a;\n\nb (c)\r\n"), "a|;\n\n|b| (|c|)\r\n");
    CHECK_EQ(llama("a  \n  \n   b"), "a|  \n  \n|  | b");
    CHECK_EQ(llama("\tx $y"), "\tx| $|y");
    CHECK_EQ(llama("end \n"), "end| \n");
    CHECK_EQ(pieces("qwen2", "12345 678"), "1|2|3|4|5| |6|7|8");
}

TEST(classesOfCharacters) {
    for (const uint32_t c : {0xBDu, 0x2163u, 0x2461u, 0x3007u, 0x664u, 0x966u})
        CHECK(charClass(c) == CharClass::Number);
    for (const uint32_t c : {0x85u, 0xA0u, 0x2028u, 0x3000u, 0x0Bu})
        CHECK(charClass(c) == CharClass::Space);
    for (const uint32_t c : {0x200Bu, 0xFEFFu, 0x1F600u, 0x301u, 0x10FFFFu, 0x110000u, 0xD800u})
        CHECK(charClass(c) == CharClass::Other);
    for (const uint32_t c : {'a' + 0u, 0xE9u, 0x4E2Du, 0x5D0u, 0x17Fu})
        CHECK(charClass(c) == CharClass::Letter);
}

TEST(mergesByRankThenFromTheLeft) {
    BpeVocabulary v("gpt-2");
    const int32_t aa = v.merge("a", "a"), bc = v.merge("b", "c"), abc = v.merge("a", "bc");
    const int32_t aaaa = v.merge("aa", "aa");
    const auto t = make(v.write());
    CHECK(encode(*t, "aaa") == Ids({aa, 'a'}));
    CHECK(encode(*t, "aaaaa") == Ids({aaaa, 'a'}));
    CHECK(encode(*t, "aabc") == Ids({aa, bc}));
    CHECK(encode(*t, "xabc") == Ids({'x', abc}));
    CHECK(encode(*t, "bcabc bc") == Ids({bc, abc, ' ', bc}));
    CHECK(encode(*t, "").empty());
    CHECK_EQ(t->decode(t->encode("aaabc \xF0\x9F\x98\x80\xFF", {})), "aaabc \xF0\x9F\x98\x80\xFF");
    CHECK_EQ(t->kind(), "byte-level BPE (gpt-2)");
}

TEST(bytesWithoutTokenAreDropped) {
    BpeVocabulary v("gpt-2");
    v.tokens[4] = "[unused4]";
    v.tokens[0xF1] = "[unusedF1]";
    const int32_t ab = v.merge("a", "b");
    v.tokens[static_cast<size_t>(ab)] = "elsewhere";  // merged, but not in the vocabulary
    const auto t = make(v.write());
    CHECK(encode(*t, "x\x04y") == Ids({'x', 'y'}));
    CHECK(encode(*t, "\xF1\x80\x80\x80") == Ids({0x80, 0x80, 0x80}));
    CHECK(encode(*t, "ab") == Ids({'a', 'b'}));
}

TEST(specialTokens) {
    BpeVocabulary v("qwen2");
    const int32_t end = v.add("<|im_end|>", 3), tool = v.add("<tool>", 4);
    const int32_t tools = v.add("<tool>s", 4), tag = v.add("</s>", 1);
    const auto t = make(v.write());
    CHECK(encode(*t, "a<tool>", {}) == Ids({'a', tool}));
    CHECK(encode(*t, "<tool>s<tool>", {}) == Ids({tools, tool}));
    CHECK(encode(*t, "<|im_end|>", {}).size() == 10);
    CHECK(encode(*t, "<|im_end|>", {true, false}) == Ids({end}));
    CHECK(encode(*t, "</s>", {true, false}).size() == 4);
    CHECK(t->isControl(TokenId(end)) && !t->isControl(TokenId(tool)) &&
          !t->isControl(TokenId(tag)));
    CHECK(t->endsGeneration(TokenId(end)) && !t->endsGeneration(TokenId(tag)));
    CHECK_EQ(t->decode(std::vector<TokenId>{TokenId(tool), TokenId(end)}), "<tool><|im_end|>");
    // Nothing merges into a control token.
    BpeVocabulary w("llama-bpe");
    w.add("STOP", 3);
    w.merge("S", "T");
    w.merge("O", "P");
    w.merges.push_back("ST OP");
    CHECK_EQ(encode(*make(w.write()), "STOP", {}).size(), size_t{4});
}

TEST(wholeWordsOfLlama) {
    BpeVocabulary v("llama-bpe");
    const int32_t word = v.add(byteText(" zebra"), 1);
    const auto t = make(v.write());
    CHECK(encode(*t, "a zebra") == Ids({'a', word}));
    CHECK_EQ(encode(*t, "a zebras").size(), size_t{8});
    v.file.set("tokenizer.ggml.pre", std::string("qwen2"));
    CHECK_EQ(encode(*make(v.file), "a zebra").size(), size_t{7});
}

TEST(bosAndEos) {
    BpeVocabulary v("llama-bpe");
    const int32_t bos = v.add("<bos>", 3), eos = v.add("<eos>", 3);
    v.file.set("tokenizer.ggml.bos_token_id", int64_t{bos})
        .set("tokenizer.ggml.eos_token_id", int64_t{eos})
        .set("tokenizer.ggml.eot_token_id", int64_t{'q'})
        .set("tokenizer.ggml.eom_token_id", int64_t{1} << 40)
        .set("tokenizer.ggml.add_eos_token", true);
    auto t = make(v.write());
    CHECK(t->addsBos());
    CHECK(encode(*t, "<bos>a", {true, true}) == Ids({bos, bos, 'a', eos}));
    CHECK(t->endsGeneration(TokenId(eos)) && t->endsGeneration(TokenId('q')));
    CHECK(!t->endsGeneration(TokenId(1 << 20)) && !t->endsGeneration(TokenId()));
    // Ids outside the vocabulary are never used.
    for (const int64_t id : {int64_t{-1}, int64_t{100000}, INT64_MAX, INT64_MIN}) {
        v.file.set("tokenizer.ggml.bos_token_id", id).set("tokenizer.ggml.eos_token_id", id);
        t = make(v.file);
        CHECK(!t->bos().isValid() && !t->eos().isValid() && !t->addsBos());
        CHECK(encode(*t, "a", {true, true}) == Ids({'a'}));
    }
    CHECK_EQ(t->piece(TokenId(-5), true) + t->piece(TokenId(1 << 30), false), std::string());
}

TEST(damagedFiles) {
    const auto with = [](const std::function<void(BpeVocabulary&)>& change) {
        auto v = std::make_unique<BpeVocabulary>("gpt-2");
        v->merge("a", "b");
        v->write();
        change(*v);
        return v;
    };
    using V = BpeVocabulary;
    const auto key = [](const char* name) { return std::string("tokenizer.ggml.") + name; };
    refused(with([&](V& v) { v.file.remove(key("model")); })->file, Errc::Format, "no vocabulary");
    refused(with([&](V& v) { v.file.set(key("model"), std::string("bert")); })->file,
            Errc::Unsupported, "bert");
    refused(with([&](V& v) { v.file.set(key("pre"), std::string("whisper")); })->file,
            Errc::Unsupported, "whisper");
    refused(with([&](V& v) { v.file.set(key("pre"), std::string("default")); })->file,
            Errc::Unsupported, "default");
    refused(with([&](V& v) { v.file.remove(key("pre")); })->file, Errc::Unsupported, "pre");
    refused(with([&](V& v) { v.file.remove(key("tokens")); })->file, Errc::Format, "tokens");
    refused(with([&](V& v) { v.file.set(key("tokens"), std::vector<std::string>()); })->file,
            Errc::Format, "tokens");
    refused(with([&](V& v) { v.file.set(key("tokens"), std::vector<int64_t>(257)); })->file,
            Errc::Format, "tokens");
    refused(with([&](V& v) { v.file.set(key("token_type"), std::vector<int64_t>(3, 1)); })->file,
            Errc::Format, "token_type");
    refused(with([&](V& v) { v.file.set(key("token_type"), std::vector<float>(257)); })->file,
            Errc::Format, "token_type");
    refused(with([&](V& v) { v.file.set(key("token_type"), std::vector<int64_t>(257, 9)); })->file,
            Errc::Format, "type 9");
    refused(with([&](V& v) { v.file.remove(key("merges")); })->file, Errc::Format, "merges");
    refused(with([&](V& v) { v.file.set(key("merges"), std::vector<int64_t>(2)); })->file,
            Errc::Format, "merges");
    for (const char* merge : {"", " ", "ab", "a ", "  "})
        refused(
            with([&](V& v) { v.file.set(key("merges"), std::vector<std::string>{merge}); })->file,
            Errc::Format, "merge 0");
    // Odd but harmless: characters that stand for no byte, ill-formed text, empty tokens.
    const auto odd = with([&](V& v) {
        v.add("", 1);
        v.add("\xFF\xFE", 1);
        v.merges.push_back("\u4E2D \u6587");
        v.merges.push_back("\xFF a");
        v.write();
    });
    CHECK_EQ(encode(*make(odd->file), "ab\u4E2D\u6587").size(), size_t{7});
}

TEST(mergingGrowsLinearly) {
    BpeVocabulary v("gpt-2");
    MergeTable table(4);
    table.add('a', 'a', {0, 256});
    table.add(256, 256, {1, 257});
    const auto lookUpsPerByte = [&](size_t n) {
        BpeMerger merger;
        std::vector<BpeMerger::Symbol> out;
        for (uint32_t i = 0; i < n; ++i) out.push_back({'a', i, i + 1});
        merger.merge(out, table);
        CHECK_EQ(out.size(), n / 4);
        return static_cast<double>(merger.lookUps()) / static_cast<double>(n);
    };
    CHECK_NEAR(lookUpsPerByte(1 << 20), lookUpsPerByte(1 << 16), 0.01);
}

TEST(megabyteOfOneThing) {
    BpeVocabulary v("gpt-2");
    std::string spaces = " ", as = "a";
    for (int i = 0; i < 6; ++i) {
        v.merge(spaces, spaces);
        v.merge(as, as);
        spaces += spaces;
        as += as;
    }
    v.merge("\xF0\x9F", "\x98");
    v.merge("\xF0", "\x9F");
    for (const char* pre : {"gpt-2", "smollm", "llama-bpe", "qwen2"}) {
        v.file.set("tokenizer.ggml.pre", std::string(pre));
        const auto t = make(v.write());
        for (const char* unit : {"a", " ", "\n", "\xF0\x9F\x98\x80", "7", "\xFF", "word "}) {
            const std::string large = repeated(unit, 1 << 20);
            CHECK_EQ(t->decode(t->encode(large, {})), large);
            const double ratio = growth(*t, unit);
            if (ratio > 3) std::fprintf(stderr, "  %s, unit \"%s\": %.1f\n", pre, unit, ratio);
            CHECK(ratio <= 3);
        }
    }
}

VITRINE_TEST_MAIN()
