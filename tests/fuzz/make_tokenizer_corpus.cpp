// Writes the seeds of fuzz_tokenizer into the folder given: the tests' tokenizer.json files and
// small SentencePiece models, each with a text behind a zero byte.

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "engine/text/spm_model.h"

using namespace vitrine::engine;
namespace fs = std::filesystem;

namespace {

constexpr const char* kText = "It's <s> 12 \u4E2D\u6587  TODO [[n]] cafe\u0301 <|x|>\n\n\xFF";

bool write(const fs::path& path, std::string bytes) {
    bytes += '\0';
    bytes += kText;
    std::ofstream out(path, std::ios::binary);
    out << bytes;
    return out.good();
}

std::string spm(SpmModel::Kind kind, bool byteFallback) {
    SpmModel model;
    model.kind = kind;
    model.byteFallback = byteFallback;
    model.pieces = {{"<unk>", 0, TokenType::Unknown},  {"<s>", 0, TokenType::Control},
                    {"</s>", 0, TokenType::Control},   {"\u2581", -1, TokenType::Normal},
                    {"a", -2, TokenType::Normal},      {"\u2581a", -1.5f, TokenType::Normal},
                    {"[x]", 0, TokenType::UserDefined}};
    for (int b = 0; byteFallback && b < 256; ++b) {
        char name[8];
        std::snprintf(name, sizeof name, "<0x%02X>", static_cast<unsigned>(b));
        model.pieces.push_back({name, 0, TokenType::Byte});
    }
    return serializeSpmModel(model);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3) {
        std::fprintf(stderr, "usage: make_tokenizer_corpus FIXTURES FOLDER\n");
        return 2;
    }
    const fs::path folder(argv[2]);
    fs::create_directories(folder);
    bool isWritten = true;
    for (const auto& entry : fs::directory_iterator(fs::path(argv[1]) / "tokenizers")) {
        std::ifstream in(entry.path() / "tokenizer.json");
        std::stringstream bytes;
        bytes << in.rdbuf();
        isWritten &= write(folder / entry.path().filename(), bytes.str());
    }
    // Small enough to be changed everywhere.
    isWritten &= write(folder / "tiny.json",
                       R"({"added_tokens":[{"id":3,"content":"<s>","special":true,"lstrip":true}],)"
                       R"("normalizer":{"type":"NFC"},"pre_tokenizer":{"type":"Metaspace",)"
                       R"("replacement":"_","prepend_scheme":"first"},"decoder":null,"model":)"
                       R"({"type":"BPE","vocab":{"a":0,"b":1,"ab":2},"merges":["a b"]}})");
    isWritten &= write(folder / "split.json",
                       R"({"pre_tokenizer":{"type":"Sequence","pretokenizers":[{"type":"Split",)"
                       R"("pattern":{"Regex":"\\s+|[a-c]+?"},"behavior":"MergedWithNext",)"
                       R"("invert":true},{"type":"ByteLevel"},{"type":"Digits"}]},"model":)"
                       R"({"type":"Unigram","unk_id":0,"vocab":[["a",-1],["ab",-2.5]]}})");
    isWritten &= write(folder / "unigram.model", spm(SpmModel::Kind::Unigram, false));
    isWritten &= write(folder / "bpe.model", spm(SpmModel::Kind::Bpe, true));
    return isWritten ? 0 : 1;
}
