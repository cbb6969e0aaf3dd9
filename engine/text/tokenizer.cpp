#include "engine/text/tokenizer.h"

#include <new>

#include "engine/io/model_file.h"
#include "engine/text/bpe_tokenizer.h"

namespace vitrine::engine {

std::vector<EncodedToken> Tokenizer::encodeRuns(std::span<const TextRun> runs) const {
    std::vector<EncodedToken> tokens;
    for (size_t i = 0; i < runs.size(); ++i)
        for (const TokenId id : encode(runs[i].text, {runs[i].parseSpecial, false}))
            tokens.push_back({id, static_cast<uint32_t>(i)});
    return tokens;
}

Result<std::unique_ptr<Tokenizer>> makeTokenizer(const ModelFile& file) {
    const std::string* model = file.string("tokenizer.ggml.model");
    if (model == nullptr)
        return makeError(Errc::Format,
                         "The model file has no vocabulary (tokenizer.ggml.model is missing); "
                         "choose a file that was converted with its tokenizer.");
    try {
        if (*model == "gpt2") return makeBpeTokenizer(file);
    } catch (const std::bad_alloc&) {
        return makeError(Errc::OutOfMemory,
                         "There is not enough memory for the model's vocabulary; close other "
                         "programs and try again.");
    }
    return makeError(Errc::Unsupported, "The vocabulary kind \"" + *model +
                                            "\" is not known; choose a model with a gpt2 (BPE) "
                                            "vocabulary.");
}

Result<std::unique_ptr<Tokenizer>> openTokenizer(const std::string& path) {
    return makeError(Errc::Unsupported,
                     "The tokenizer file " + path + " is of a kind that is not known.");
}

}  // namespace vitrine::engine
