// All corpus lines of the reference tokenizers, where the goldens and the model files are at hand:
// VITRINE_GOLDENS names the goldens folder, models lie in $XDG_DATA_HOME/vitrine/models.

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>

#include "engine/io/model_file.h"
#include "engine/text/chat_template.h"
#include "engine/text/tokenizer.h"
#include "engine/text/utf8_stream.h"
#include "tests/support/mini_test.h"

using namespace vitrine::engine;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

int done = 0;  // sets that were compared; a run without any is skipped, not passed

std::string goldens() {
    const char* folder = std::getenv("VITRINE_GOLDENS");
    return folder == nullptr ? std::string() : std::string(folder);
}

fs::path modelPath(const char* name) {
    if (const char* data = std::getenv("XDG_DATA_HOME"); data != nullptr && *data != '\0')
        return fs::path(data) / "vitrine/models" / name;
    const char* home = std::getenv("HOME");
    return fs::path(home == nullptr ? "" : home) / ".local/share/vitrine/models" / name;
}

bool have(const fs::path& path) {
    if (!goldens().empty() && fs::exists(path)) return true;
    std::printf("skip: %s\n", goldens().empty() ? "VITRINE_GOLDENS is not set"
                                                : (path.string() + " is not there").c_str());
    return false;
}

std::vector<json> rows(const std::string& relative) {
    std::ifstream in(goldens() + "/" + relative);
    std::vector<json> all;
    for (std::string line; std::getline(in, line);)
        if (!line.empty()) all.push_back(json::parse(line));
    CHECK(!all.empty());
    return all;
}

std::string unbase64(const std::string& text) {
    const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string bytes;
    uint32_t bits = 0;
    int n = 0;
    for (const char c : text) {
        const size_t value = digits.find(c);
        if (value == std::string::npos) break;
        bits = (bits << 6) | static_cast<uint32_t>(value);
        n += 6;
        if (n >= 8) bytes += static_cast<char>((bits >> (n -= 8)) & 0xFF);
    }
    return bytes;
}

std::vector<TokenId> toIds(const json& row) {
    std::vector<TokenId> ids;
    for (const json& id : row) ids.emplace_back(id.get<int32_t>());
    return ids;
}

std::string streamed(const Tokenizer& tokenizer, const std::vector<TokenId>& ids) {
    std::string text;
    bool isFirst = true;
    for (const TokenId id : ids) {
        text += tokenizer.piece(id, isFirst);
        isFirst = isFirst && tokenizer.isControl(id);
    }
    return text;
}

/// parses: whether special tokens of the text are recognised for `ids_special`.
void compareLines(const Tokenizer& tokenizer, const std::string& label, const std::string& gold,
                  bool parses) {
    std::map<int, std::string> texts;
    for (const json& row : rows("tokenizer/corpus.jsonl"))
        texts[row["id"].get<int>()] = row["text"].get<std::string>();
    int same = 0, total = 0, decoded = 0, alternatives = 0;
    for (const json& row : rows(gold)) {
        const std::string& text = texts.at(row["id"].get<int>());
        for (const bool special : {false, true}) {
            const std::string key = special ? "ids_special" : "ids";
            if (!row.contains(key)) continue;
            ++total;
            const auto got = tokenizer.encode(text, {special && parses, special});
            const bool first = got == toIds(row[key]);
            const bool other =
                !first && row.contains("alt_" + key) && got == toIds(row["alt_" + key]);
            same += first || other ? 1 : 0;
            alternatives += other ? 1 : 0;
            if (!first && !other)
                std::fprintf(stderr, "  %s line %d %s differs\n", label.c_str(),
                             row["id"].get<int>(), key.c_str());
        }
        const auto ids = toIds(row["ids"]);
        const std::string want = unbase64(row["detok"].get<std::string>());
        decoded += tokenizer.decode(ids) == want && streamed(tokenizer, ids) == want ? 1 : 0;
    }
    const int lines = static_cast<int>(texts.size());
    CHECK_EQ(same, total);
    CHECK_EQ(decoded, lines);
    std::printf("%s: %d of %d encodings (%d by the second reference), %d of %d decodings\n",
                label.c_str(), same, total, alternatives, decoded, lines);
    ++done;
}

void compareStreams(const Tokenizer& tokenizer, const std::string& name) {
    for (const char* kind : {"stream", "stream-invalid"}) {
        for (const json& row : rows("tokenizer/" + name + "." + kind + ".jsonl")) {
            Utf8Stream stream;
            std::string shown;
            std::vector<std::string> steps;
            for (const TokenId id : toIds(row["ids"])) {
                shown += stream.push(tokenizer.piece(id, steps.empty()));
                steps.push_back(shown);
            }
            CHECK(steps == row["steps"].get<std::vector<std::string>>());
            shown += stream.finish();
            if (row.contains("final")) CHECK_EQ(shown, row["final"].get<std::string>());
        }
    }
    ++done;
}

bool isPlainConversation(const json& context) {
    if (context.contains("tools") || context["messages"].empty()) return false;
    for (const json& m : context["messages"]) {
        const std::string role = m.value("role", "");
        if (role != "system" && role != "user" && role != "assistant") return false;
        if (m.contains("tool_calls") || !m.contains("content") || !m["content"].is_string())
            return false;
    }
    return true;
}

void compareTemplates(const ModelFile& file, const Tokenizer& tokenizer, const std::string& name) {
    const ChatTemplate chat = ChatTemplate::choose(file, tokenizer);
    CHECK(chat.kind() == ChatTemplate::Kind::Jinja);
    CHECK_EQ(chat.notice(), std::string());
    int compared = 0;
    for (const json& row : rows("templates/" + name + ".jsonl")) {
        const json& context = row["context"];
        if (!row.contains("expected") || !isPlainConversation(context)) continue;
        std::vector<Message> messages;
        for (const json& m : context["messages"])
            messages.push_back({m["role"].get<std::string>(), m["content"].get<std::string>()});
        const auto segments = chat.render(messages, context.value("add_generation_prompt", false));
        std::string text;
        for (const PromptSegment& s : *segments) text += s.text;
        CHECK_EQ(text, row["expected"].get<std::string>());
        // What the model saw in training is the encoding of the whole text.
        CHECK(encodeSegments(*segments, tokenizer).ids == tokenizer.encode(text, {true, false}));
        ++compared;
    }
    CHECK(compared >= 12);
    std::printf("%s: %d renderings\n", name.c_str(), compared);
}

void compareModel(const char* name, const char* fileName) {
    const fs::path path = modelPath(fileName);
    if (!have(path)) return;
    const auto file = openModelFile(path.string());
    CHECK(file.has_value());
    if (!file) return;
    const auto tokenizer = makeTokenizer(**file);
    CHECK(tokenizer.has_value());
    if (!tokenizer) return;
    compareLines(**tokenizer, name, std::string("tokenizer/") + name + ".jsonl", true);
    compareStreams(**tokenizer, name);
    if (std::string(name) != "gemma3") compareTemplates(**file, **tokenizer, name);
}

}  // namespace

TEST(smollm2) {
    compareModel("smollm2", "SmolLM2-135M-Instruct.Q4_1.gguf");
}

TEST(qwen2_5_coder) {
    compareModel("qwen2.5-coder", "Qwen2.5-Coder-0.5B-Instruct.Q4_K_M.gguf");
}

TEST(gemma3) {
    compareModel("gemma3", "gemma-3-270m.Q4_K_M.gguf");
}

TEST(sentencePieceFiles) {
    for (const char* name : {"tiny-spm-bpe", "tiny-spm-unigram"}) {
        const std::string folder = goldens() + "/tokenizer/" + name;
        if (!have(folder)) continue;
        const auto tokenizer = openTokenizer(folder + "/tokenizer.model");
        CHECK(tokenizer.has_value());
        if (tokenizer)
            compareLines(**tokenizer, name, std::string("tokenizer/") + name + "/expected.jsonl",
                         false);  // the library never recognises them
    }
}

TEST(jsonFiles) {
    for (const char* name :
         {"tiny-bpe", "tiny-bpe-llama3", "tiny-bpe-qwen2", "tiny-bpe-bytefallback"}) {
        const std::string folder = goldens() + "/tokenizer/" + name;
        if (!have(folder)) continue;
        const auto tokenizer = openTokenizer(folder + "/tokenizer.json");
        CHECK(tokenizer.has_value());
        if (tokenizer)
            compareLines(**tokenizer, name, std::string("tokenizer/") + name + "/expected.jsonl",
                         true);
    }
}

TEST(smallModels) {
    if (!have(goldens() + "/models")) return;
    int files = 0;
    for (const auto& folder : fs::directory_iterator(goldens() + "/models")) {
        const fs::path gguf = folder.path() / "model-F32.gguf";
        if (!fs::exists(gguf) || !fs::exists(folder.path() / "golden.json")) continue;
        std::ifstream in(folder.path() / "golden.json");
        const json golden = json::parse(in);
        std::vector<Result<std::unique_ptr<Tokenizer>>> tokenizers;
        const auto file = openModelFile(gguf.string());
        CHECK(file.has_value());
        if (file) tokenizers.push_back(makeTokenizer(**file));
        for (const char* name : {"tokenizer.model", "tokenizer.json"})
            if (const fs::path path = folder.path() / "hf" / name; fs::exists(path))
                tokenizers.push_back(openTokenizer(path.string()));
        for (const auto& tokenizer : tokenizers) {
            CHECK(tokenizer.has_value());
            if (!tokenizer) continue;
            for (const json& row : golden["tokenize"]) {
                const auto ids = (*tokenizer)->encode(row["text"].get<std::string>(), {true, true});
                if (ids != toIds(row["ids"]))
                    std::fprintf(stderr, "  %s: %s\n", gguf.c_str(), row["text"].dump().c_str());
                CHECK(ids == toIds(row["ids"]));
            }
        }
        ++files;
    }
    CHECK(files > 0);
    std::printf("vocabularies of %d small models\n", files);
    ++done;
}

int main(int argc, char** argv) {
    const int code = vitrine::test::runAll(argc, argv);
    if (code == 0 && done == 0) return 77;
    return code;
}
