#include "engine/text/tokenizer.h"

#include <exception>
#include <new>

#include "engine/io/model_file.h"
#include "engine/text/bpe_tokenizer.h"
#include "engine/text/json_text.h"
#include "engine/text/json_tokenizer.h"
#include "engine/text/spm_tokenizer.h"
#include "engine/text/tokenizer_config.h"

namespace vitrine::engine {

namespace {

Error noMemory() {
    return makeError(Errc::OutOfMemory,
                     "There is not enough memory for the vocabulary; close other programs and try "
                     "again.");
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
    if (!file.folder().empty())
        return makeError(Errc::Io,
                         "This folder has no tokenizer.json and no tokenizer.model; download one "
                         "of them into it.");
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
        auto config = TokenizerConfig::readBeside(path);
        if (!config) return std::move(config).error();
        const size_t first = bytes.value().find_first_not_of(" \t\r\n");
        const bool isJson = first != std::string::npos && bytes.value()[first] == '{';
        auto made = isJson ? makeJsonTokenizer(bytes.value(), config.value())
                           : makeSpmTokenizer(bytes.value(), config.value());
        if (made) return made;
        return std::move(made).error().within(path);
    } catch (const std::bad_alloc&) {
        return noMemory();
    } catch (const std::exception& e) {
        return makeError(Errc::Format, "The tokenizer file " + path + " cannot be used (" +
                                           e.what() + "); download it again.");
    }
}

}  // namespace vitrine::engine
