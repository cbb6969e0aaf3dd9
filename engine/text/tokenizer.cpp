#include "engine/text/tokenizer.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <new>

#include "engine/io/model_file.h"
#include "engine/text/bpe_tokenizer.h"
#include "engine/text/spm_tokenizer.h"

namespace vitrine::engine {

namespace {

Error noMemory() {
    return makeError(Errc::OutOfMemory,
                     "There is not enough memory for the vocabulary; close other programs and try "
                     "again.");
}

/// Fails: Io. A tokenizer file has a few megabytes.
Result<std::string> readSmallFile(const std::string& path) {
    constexpr size_t kMaxBytes = size_t{256} << 20;
    std::FILE* file = std::fopen(path.c_str(), "rb");
    if (file == nullptr)
        return makeError(Errc::Io, "The tokenizer file " + path + " cannot be opened (" +
                                       std::strerror(errno) + "); check its name.");
    std::string bytes;
    char block[65536];
    size_t n = 0;
    while (bytes.size() <= kMaxBytes && (n = std::fread(block, 1, sizeof block, file)) > 0)
        bytes.append(block, n);
    const bool failed = std::ferror(file) != 0;
    std::fclose(file);
    if (failed)
        return makeError(Errc::Io, "The tokenizer file " + path +
                                       " cannot be read to its end; check the disk or the name.");
    if (bytes.size() > kMaxBytes)
        return makeError(Errc::Format, "The file " + path +
                                           " is too large for a tokenizer; choose a "
                                           "tokenizer.model.");
    return bytes;
}

}  // namespace

std::vector<EncodedToken> Tokenizer::encodeRuns(std::span<const TextRun> runs) const {
    std::vector<EncodedToken> tokens;
    for (size_t i = 0; i < runs.size(); ++i)
        for (const TokenId id : encode(runs[i].text, {runs[i].parseSpecial, false}))
            tokens.push_back({id, static_cast<uint32_t>(i)});
    return tokens;
}

Result<std::unique_ptr<Tokenizer>> makeTokenizer(const ModelFile& file) {
    if (const std::string path = file.tokenizerPath(); !path.empty()) return openTokenizer(path);
    const std::string* model = file.string("tokenizer.ggml.model");
    if (model == nullptr)
        return makeError(Errc::Format,
                         "The model file has no vocabulary (tokenizer.ggml.model is missing); "
                         "choose a file that was converted with its tokenizer.");
    try {
        if (*model == "gpt2") return makeBpeTokenizer(file);
        if (*model == "llama") return makeSpmTokenizer(file);
    } catch (const std::bad_alloc&) {
        return noMemory();
    }
    return makeError(Errc::Unsupported,
                     "The vocabulary kind \"" + *model +
                         "\" is not known; choose a model with a byte-level BPE (gpt2) or "
                         "SentencePiece (llama) vocabulary.");
}

Result<std::unique_ptr<Tokenizer>> openTokenizer(const std::string& path) {
    try {
        auto bytes = readSmallFile(path);
        if (!bytes) return std::move(bytes).error();
        auto made = makeSpmTokenizer(bytes.value());
        if (made) return made;
        const size_t first = bytes.value().find_first_not_of(" \t\r\n");
        if (first != std::string::npos && bytes.value()[first] == '{')
            return makeError(Errc::Unsupported,
                             path +
                                 " is a JSON tokenizer, which this version does not read; choose a "
                                 "tokenizer.model or a GGUF file.");
        return std::move(made).error().within(path);
    } catch (const std::bad_alloc&) {
        return noMemory();
    }
}

}  // namespace vitrine::engine
