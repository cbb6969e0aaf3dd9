#include "engine/text/bpe_tokenizer.h"

#include <utility>

#include "engine/io/model_file.h"
#include "engine/text/bpe_model.h"
#include "engine/text/byte_alphabet.h"
#include "engine/text/pipeline_tokenizer.h"
#include "engine/text/pretokenizer_names.h"

namespace vitrine::engine {

namespace {

Result<std::vector<BpeModel::Merge>> splitMerges(const std::vector<std::string>& merges) {
    std::vector<BpeModel::Merge> pairs;
    pairs.reserve(merges.size());
    for (size_t rank = 0; rank < merges.size(); ++rank) {
        const std::string_view merge = merges[rank];
        const size_t space = merge.find(' ', 1);
        if (space == std::string_view::npos || space + 1 == merge.size())
            return makeError(Errc::Format, "The model file's vocabulary is damaged: merge " +
                                               std::to_string(rank) +
                                               " of tokenizer.ggml.merges is not a pair; download "
                                               "or convert the model again.");
        pairs.emplace_back(merge.substr(0, space), merge.substr(space + 1));
    }
    return pairs;
}

}  // namespace

Result<std::unique_ptr<Tokenizer>> makeBpeTokenizer(const ModelFile& file) {
    const std::string* name = file.string("tokenizer.ggml.pre");
    if (name == nullptr)
        return makeError(Errc::Unsupported,
                         "The model file does not say how its text is split (tokenizer.ggml.pre is "
                         "missing); convert the model again with a current converter.");
    const NamedPreTokenizer* named = namedPreTokenizer(*name);
    auto pre = PreTokenizer::byName(*name);
    if (named == nullptr || !pre)
        return makeError(Errc::Unsupported,
                         "The pre-tokenizer \"" + *name +
                             "\" (tokenizer.ggml.pre) is not known to this version; choose another "
                             "model, or this one as a folder with its tokenizer.json.");
    auto read = readVocab(file, named->addsBos);
    if (!read) return std::move(read).error();
    Vocab vocab = std::move(read).value();
    const auto* merges = file.strings("tokenizer.ggml.merges");
    if (merges == nullptr)
        return makeError(Errc::Format,
                         "The model file's vocabulary is damaged: tokenizer.ggml.merges is missing "
                         "or not an array of texts; download or convert the model again.");
    auto pairs = splitMerges(*merges);
    if (!pairs) return std::move(pairs).error();

    TokenizerParts parts;
    parts.name = *name;
    parts.specials = SpecialTokens(vocab, true);
    parts.pre = *std::move(pre);
    parts.texts.reserve(vocab.tokens.size());
    for (size_t i = 0; i < vocab.tokens.size(); ++i) {
        const bool isText =
            vocab.types[i] == TokenType::Normal || vocab.types[i] == TokenType::Unused;
        auto bytes = isText ? bytesOfAlphabet(vocab.tokens[i]) : std::nullopt;
        parts.texts.push_back(bytes ? *std::move(bytes) : vocab.tokens[i]);
    }
    BpeOptions options;
    options.ignoresMerges = named->ignoresMerges;
    parts.model = BpeModel::make(vocab, parts.texts, pairs.value(), options);
    return makePipelineTokenizer(std::move(vocab), std::move(parts));
}

}  // namespace vitrine::engine
