// tokenizer.json: small files with the ids that Hugging Face's tokenizers 0.23.3 gives for them
// (made by it, texts random), what stands beside a file, damaged files, and growth by work done.

#include <filesystem>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <random>
#include <unistd.h>

#include "engine/text/bpe_model.h"
#include "engine/text/json_tokenizer.h"
#include "engine/text/normalizer.h"
#include "engine/text/tokenizer.h"
#include "engine/text/unigram_model.h"
#include "tests/engine/tokenizer_fixture.h"
#include "tests/support/mini_test.h"

using namespace vitrine::engine;
using namespace vitrine::test;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

using Ids = std::vector<int32_t>;

json bytesVocab() {
    json vocab = json::object();
    for (int b = 0; b < 256; ++b) vocab[byteCharacter(b)] = b;
    return vocab;
}

json smallFile() {
    json file;
    file["added_tokens"] = json::array();
    file["normalizer"] = nullptr;
    file["pre_tokenizer"] = {{"type", "ByteLevel"}, {"add_prefix_space", false}};
    file["post_processor"] = nullptr;
    file["decoder"] = {{"type", "ByteLevel"}};
    file["model"] = {{"type", "BPE"}, {"vocab", bytesVocab()}, {"merges", json::array()}};
    file["model"]["vocab"]["ab"] = 256;
    file["model"]["merges"].push_back("a b");
    return file;
}

void addToken(json& file, int64_t id, const char* text, bool special) {
    file["added_tokens"].push_back({{"id", id}, {"content", text}, {"special", special}});
}

Result<std::unique_ptr<Tokenizer>> make(const json& file, const TokenizerConfig& config = {}) {
    return makeJsonTokenizer(file.dump(), config);
}

void refused(const std::function<void(json&)>& change, Errc code, const char* word) {
    json file = smallFile();
    change(file);
    const auto made = make(file);
    CHECK(!made.has_value());
    if (made) {
        std::fprintf(stderr, "  not refused: %s\n", word);
        return;
    }
    CHECK(made.error().code == code);
    if (made.error().message.find(word) == std::string::npos)
        std::fprintf(stderr, "  said: %s\n", made.error().message.c_str());
    CHECK(made.error().message.find(word) != std::string::npos);
}

}  // namespace

TEST(filesOfTheLibrary) {
    int folders = 0;
    for (const auto& folder :
         fs::directory_iterator(std::string(VITRINE_FIXTURES) + "/tokenizers")) {
        const auto t = openTokenizer((folder.path() / "tokenizer.json").string());
        if (!t) std::fprintf(stderr, "  %s\n", t.error().message.c_str());
        CHECK(t.has_value());
        if (!t) continue;
        std::ifstream in(folder.path() / "expected.jsonl");
        int rows = 0;
        for (std::string line; std::getline(in, line); ++rows) {
            const json row = json::parse(line);
            const auto text = row["text"].get<std::string>();
            const auto ids = (*t)->encode(text, {});
            const bool isSame =
                numbers(ids) == row["ids"].get<Ids>() &&
                numbers((*t)->encode(text, {true, true})) == row["ids_special"].get<Ids>();
            if (!isSame)
                std::fprintf(stderr, "  %s: %s\n", folder.path().filename().c_str(),
                             row["text"].dump(-1, ' ', true).c_str());
            CHECK(isSame);
            CHECK_EQ((*t)->decode(ids), row["decoded"].get<std::string>());
            // Cut into runs, it is the same text.
            const size_t cut = text.size() / 2;
            const TextRun runs[] = {{std::string_view(text).substr(0, cut), false},
                                    {std::string_view(text).substr(cut), false}};
            std::vector<TokenId> joined;
            uint32_t run = 0;
            for (const EncodedToken& token : (*t)->encodeRuns(runs)) {
                joined.push_back(token.id);
                CHECK(token.run >= run && token.run < 2);
                run = token.run;
            }
            CHECK(joined == ids);
        }
        CHECK_EQ(rows, 50);
        ++folders;
    }
    CHECK_EQ(folders, 7);
}

TEST(whatStandsBeside) {
    json file = smallFile();
    addToken(file, 257, "<bos>", true);
    addToken(file, 258, "<eos>", true);
    addToken(file, 259, "<tool>", false);
    TokenizerConfig config;
    auto t = make(file, config);
    CHECK(t.has_value());
    CHECK(numbers((*t)->encode("ab<bos><tool>", {false, true})) ==
          Ids({256, '<', 'b', 'o', 's', '>', 259}));
    CHECK(!(*t)->addsBos() && !(*t)->bos().isValid());
    CHECK_EQ((*t)->kind(), "byte-level BPE (tokenizer.json)");
    config.bos = "<bos>";
    config.eos = "<eos>";
    config.addBos = config.addEos = true;
    config.endIds = {259, -1, 1 << 30};
    config.added.push_back({300, "<late>", true, false, false, false, false});
    t = make(file, config);
    CHECK(t.has_value());
    CHECK(numbers((*t)->encode("<bos><late>", {true, true})) == Ids({257, 257, 300, 258}));
    CHECK((*t)->addsBos() && (*t)->bos() == TokenId(257) && (*t)->eos() == TokenId(258));
    CHECK((*t)->endsGeneration(TokenId(258)) && (*t)->endsGeneration(TokenId(259)));
    CHECK_EQ((*t)->vocabSize(), 301);
    CHECK_EQ((*t)->piece(TokenId(280), false), "");
    // A template says it, the settings beside take it back.
    file["post_processor"] = {
        {"type", "TemplateProcessing"},
        {"single", {{{"SpecialToken", {{"id", "<bos>"}}}}, {{"Sequence", {{"id", "A"}}}}}},
        {"special_tokens", {{"<bos>", {{"ids", {257}}}}}}};
    config.addBos.reset();
    config.addEos.reset();
    CHECK(numbers((*make(file, config))->encode("a", {true, true})) == Ids({257, 'a'}));
    config.addBos = false;
    CHECK(numbers((*make(file, config))->encode("a", {true, true})) == Ids({'a'}));
}

TEST(filesBesideOnDisk) {
    const fs::path folder = fs::temp_directory_path() / ("vitrine-tok-" + std::to_string(getpid()));
    fs::create_directory(folder);
    const auto write = [&](const char* name, const std::string& text) {
        std::ofstream(folder / name) << text;
    };
    json file = smallFile();
    addToken(file, 257, "<bos>", true);
    write("tokenizer.json", "\n " + file.dump());
    write("tokenizer_config.json",
          R"({"add_bos_token":true,"bos_token":{"content":"<bos>"},"eos_token":null,
              "added_tokens_decoder":{"258":{"content":"<|im_end|>","special":true},"x":{},"9":1}})");
    write("generation_config.json", R"({"eos_token_id":[258,97]})");
    const std::string path = (folder / "tokenizer.json").string();
    auto t = openTokenizer(path);
    CHECK(t.has_value());
    if (t) {
        CHECK(numbers((*t)->encode("a<|im_end|>", {true, true})) == Ids({257, 'a', 258}));
        CHECK((*t)->endsGeneration(TokenId(258)) && (*t)->endsGeneration(TokenId('a')));
        CHECK((*t)->eos() == TokenId(258));
    }
    write("tokenizer_config.json", "[1]");
    t = openTokenizer(path);
    CHECK(!t && t.error().message.find("tokenizer_config.json") != std::string::npos);
    fs::remove_all(folder);
}

TEST(normalForms) {
    Normalizer nfc;
    nfc.add(NormalForm::Nfc);
    const auto of = [&](const std::string& text) { return nfc.apply(text, true).text; };
    CHECK_EQ(of("cafe\u0301 x\u0323\u0307"), "caf\u00E9 \u1E8B\u0323");
    CHECK_EQ(of("\u1100\u1161\u11A8"), "\uAC01");
    CHECK_EQ(of("\xFF\u0301\xE2\x82"), "\xFF\u0301\xE2\x82");
    const auto mapped = nfc.apply("abe\u0301c", true);
    CHECK_EQ(mapped.origins.size(), mapped.text.size());
    CHECK_EQ(mapped.origins.back(), size_t{5});
    // Marks of alternating classes: sorted, not moved one by one.
    std::string marks = "a";
    for (int i = 0; i < 100000; ++i) marks += "\u0301\u0323";
    const std::string sorted = of(marks);
    CHECK_EQ(sorted.size(), marks.size());
    CHECK_EQ(sorted.substr(0, 5), "\u1EA1\u0323");
}

TEST(damagedFiles) {
    CHECK(make(smallFile()).has_value());
    using F = json&;
    refused([](F f) { f.erase("model"); }, Errc::Format, "model");
    refused([](F f) { f["model"] = 1; }, Errc::Format, "model");
    refused([](F f) { f["model"]["type"] = "WordPiece"; }, Errc::Unsupported, "WordPiece");
    refused([](F f) { f["model"]["vocab"] = json::object(); }, Errc::Format, "vocabulary");
    refused([](F f) { f["model"]["vocab"]["x"] = -1; }, Errc::Format, "plausible");
    refused([](F f) { f["model"]["vocab"]["xx"] = 1 << 30; }, Errc::Format, "plausible");
    refused([](F f) { f["model"]["vocab"]["xx"] = 12; }, Errc::Format, "12");
    refused([](F f) { f["model"]["vocab"]["xx"] = 0.5; }, Errc::Format, "plausible");
    refused([](F f) { f["model"]["merges"].push_back("ab"); }, Errc::Format, "merge 1");
    refused([](F f) { f["model"]["merges"].push_back(json::array({"a"})); }, Errc::Format,
            "merge 1");
    refused([](F f) { f["model"].erase("merges"); }, Errc::Format, "merges");
    refused([](F f) { f["model"]["end_of_word_suffix"] = "</w>"; }, Errc::Unsupported, "suffix");
    refused([](F f) { addToken(f, 1 << 30, "x", true); }, Errc::Format, "plausible");
    refused([](F f) { addToken(f, 300, "x", true), addToken(f, 300, "y", true); }, Errc::Format,
            "300");
    refused(
        [](F f) {
            f["normalizer"] = {{"type", "Precompiled"}};
        },
        Errc::Unsupported, "Precompiled");
    refused([](F f) { f["pre_tokenizer"] = {{"type", "Magic"}}; }, Errc::Unsupported, "Magic");
    refused([](F f) { f["decoder"] = {{"type", "CTC"}}; }, Errc::Unsupported, "CTC");
    refused([](F f) { f["post_processor"] = {{"type", "X"}}; }, Errc::Unsupported, "X");
    refused(
        [](F f) {
            f["pre_tokenizer"] = {
                {"type", "Split"}, {"behavior", "Isolated"}, {"pattern", {{"Regex", "(a"}}}};
        },
        Errc::Unsupported, "(a");
    refused(
        [](F f) {
            f["post_processor"] = {
                {"type", "BertProcessing"}, {"cls", {"a", 1}}, {"sep", {"b", 99999}}};
        },
        Errc::Format, "outside");
    CHECK(!makeJsonTokenizer("{\"a\":" + std::string(1000, '[') + std::string(1000, ']') + "}", {})
               .has_value());
    CHECK(!makeJsonTokenizer("{\"a\":\"\xFF\"}", {}).has_value());
    // Merges in a circle, of themselves and of nothing: harmless.
    json odd = smallFile();
    for (const char* merge : {"ab a", "a ab", "ab ab", "a a", "b a"})
        odd["model"]["merges"].push_back(merge);
    const auto t = make(odd);
    CHECK(t.has_value());
    CHECK_EQ((*t)->decode((*t)->encode("abababbaaab", {})), "abababbaaab");
}

TEST(cutFilesNeverCrash) {
    json file = smallFile();
    addToken(file, 257, "<x>", true);
    const std::string good = file.dump();
    std::mt19937 random(5);
    for (int i = 0; i < 2000; ++i) {
        std::string bytes = good;
        for (int k = 0; k <= i % 3; ++k)
            bytes[random() % bytes.size()] = "\"{}[],:01ax\\"[random() % 12];
        if (const auto made = makeJsonTokenizer(bytes, {}))
            (*made)->decode((*made)->encode("ab <x> \u4E2D", {true, true}));
    }
}

TEST(workGrowsLinearly) {
    // One piece of anything: what is counted is pairs looked up, not time.
    Vocab vocab;
    const auto add = [&](const std::string& text) {
        vocab.tokens.push_back(text);
        vocab.types.push_back(TokenType::Normal);
    };
    for (const char* text : {"a", "aa", "aaaa", "b", "ab", "\u4E2D", "\u4E2D\u4E2D"}) add(text);
    const std::vector<BpeModel::Merge> merges{
        {"a", "a"}, {"aa", "aa"}, {"a", "b"}, {"\u4E2D", "\u4E2D"}, {"aaaa", "aaaa"}};
    BpeOptions options;
    options.overBytes = false;
    const auto model = BpeModel::make(vocab, vocab.tokens, merges, options);
    for (const char* unit : {"a", "ab", "\u4E2D", "aaab", "x", "a\u4E2D"}) {
        double perByte[2] = {0, 0};
        for (const size_t n : {size_t{1} << 14, size_t{1} << 18}) {
            EncodeWork work;
            std::vector<PlacedToken> out;
            const std::string text = repeated(unit, n);
            model->encode(text, work, out);
            perByte[n > 20000 ? 1 : 0] =
                static_cast<double>(work.merger.lookUps()) / static_cast<double>(text.size());
        }
        CHECK_NEAR(perByte[0], perByte[1], 0.01);
        CHECK(perByte[1] < 4);
    }
}

TEST(longPiecesMergeAsShortOnes) {
    // Any table, ordered as training would never order it: pieces above and below the length at
    // which the order of work changes, against the rule itself.
    std::mt19937 random(11);
    for (int round = 0; round < 20; ++round) {
        std::vector<std::string> texts{"a", "b", "c"};
        std::vector<std::pair<uint32_t, uint32_t>> pairs;
        for (int k = 0; k < 12; ++k)
            pairs.emplace_back(random() % (3 + pairs.size()), random() % (3 + pairs.size()));
        std::vector<uint32_t> ranks(pairs.size());
        for (uint32_t k = 0; k < ranks.size(); ++k) ranks[k] = k;
        std::shuffle(ranks.begin(), ranks.end(), random);
        MergeTable table(pairs.size());
        for (uint32_t k = 0; k < pairs.size(); ++k)
            table.add(pairs[k].first, pairs[k].second, {ranks[k], 3 + k});
        std::vector<BpeMerger::Symbol> symbols;
        for (uint32_t i = 0; i < 900; ++i)
            symbols.push_back({static_cast<uint32_t>(random() % (round % 3 + 1)), i, i + 1});
        std::vector<uint32_t> simple;
        for (const auto& s : symbols) simple.push_back(s.symbol);
        while (true) {
            size_t best = simple.size();
            uint32_t rank = ~uint32_t{0}, result = 0;
            for (size_t i = 0; i + 1 < simple.size(); ++i)
                if (const auto* m = table.find(simple[i], simple[i + 1]); m && m->rank < rank) {
                    best = i;
                    rank = m->rank;
                    result = m->result;
                }
            if (best == simple.size()) break;
            simple[best] = result;
            simple.erase(simple.begin() + static_cast<std::ptrdiff_t>(best) + 1);
        }
        BpeMerger merger;
        merger.merge(symbols, table);
        std::vector<uint32_t> merged;
        for (const auto& s : symbols) merged.push_back(s.symbol);
        CHECK(merged == simple);
        CHECK_EQ(symbols.back().end, 900u);
    }
}

VITRINE_TEST_MAIN()
