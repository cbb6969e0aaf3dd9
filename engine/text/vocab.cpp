#include "engine/text/vocab.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "engine/io/model_file.h"

namespace vitrine::engine {

namespace {

Error damaged(const std::string& what) {
    return makeError(Errc::Format, "The model file's vocabulary is damaged: " + what +
                                       "; download or convert the model again.");
}

TokenId idInside(const ModelFile& file, std::string_view key, int32_t size) {
    const auto id = file.integer(key);
    return id && *id >= 0 && *id < size ? TokenId(static_cast<int32_t>(*id)) : TokenId();
}

Result<std::vector<TokenType>> readTypes(const ModelFile& file, size_t count) {
    std::vector<TokenType> types(count, TokenType::Normal);
    if (file.find("tokenizer.ggml.token_type") == nullptr) return types;
    const auto* given = file.integers("tokenizer.ggml.token_type");
    if (given == nullptr) return damaged("tokenizer.ggml.token_type is not an array of integers");
    if (given->size() != count)
        return damaged("tokenizer.ggml.token_type has " + std::to_string(given->size()) +
                       " entries for " + std::to_string(count) + " tokens");
    for (size_t i = 0; i < count; ++i) {
        const int64_t type = (*given)[i];
        // 0 is "undefined" in the specification; such a token is ordinary text.
        if (type < 0 || type > 6)
            return damaged("token " + std::to_string(i) + " has the unknown type " +
                           std::to_string(type));
        if (type != 0) types[i] = static_cast<TokenType>(type);
    }
    return types;
}

}  // namespace

void Vocab::markEnds() {
    // Only as control or user-defined tokens: "</s>" also is an HTML tag in some vocabularies.
    // Source: model cards and llama.cpp 82bb485, src/llama-vocab.cpp (special_eog_ids).
    static constexpr std::array<std::string_view, 16> kEnds{
        "<|im_end|>",    "<|endoftext|>",       "<|end_of_text|>",
        "<|eot_id|>",    "<|eom_id|>",          "<|eot|>",
        "<|end|>",       "<|return|>",          "<|call|>",
        "<end_of_turn>", "<|end_of_turn|>",     "<EOT>",
        "_<EOT>",        "<|end_of_sentence|>", "<｜end▁of▁sentence｜>",
        "</s>"};
    endsGeneration.resize(tokens.size(), 0);
    for (size_t i = 0; i < tokens.size(); ++i) {
        const bool marked = types[i] == TokenType::Control ||
                            (types[i] == TokenType::UserDefined && tokens[i] != "</s>");
        if (marked && std::find(kEnds.begin(), kEnds.end(), tokens[i]) != kEnds.end())
            endsGeneration[i] = 1;
    }
    if (contains(eos)) endsGeneration[static_cast<size_t>(eos.value)] = 1;
}

Result<Vocab> readVocab(const ModelFile& file, bool addBosDefault) {
    const auto* tokens = file.strings("tokenizer.ggml.tokens");
    if (tokens == nullptr || tokens->empty())
        return damaged("tokenizer.ggml.tokens is missing or not an array of texts");
    if (tokens->size() > static_cast<size_t>(std::numeric_limits<int32_t>::max()))
        return damaged("tokenizer.ggml.tokens has more entries than ids can number");
    auto types = readTypes(file, tokens->size());
    if (!types) return std::move(types).error();

    Vocab vocab;
    vocab.tokens = *tokens;
    vocab.types = std::move(types).value();
    vocab.bos = idInside(file, "tokenizer.ggml.bos_token_id", vocab.size());
    vocab.eos = idInside(file, "tokenizer.ggml.eos_token_id", vocab.size());
    vocab.unknown = idInside(file, "tokenizer.ggml.unknown_token_id", vocab.size());
    vocab.addBos = file.boolean("tokenizer.ggml.add_bos_token").value_or(addBosDefault);
    vocab.addEos = file.boolean("tokenizer.ggml.add_eos_token").value_or(false);
    vocab.markEnds();
    for (const char* key : {"tokenizer.ggml.eot_token_id", "tokenizer.ggml.eom_token_id"})
        if (const TokenId id = idInside(file, key, vocab.size()); id.isValid())
            vocab.endsGeneration[static_cast<size_t>(id.value)] = 1;
    return vocab;
}

std::vector<TokenId> VocabTokenizer::encode(std::string_view text, EncodeOptions options) const {
    TextFrame frame;
    if (options.addSpecial && vocab_.frame) {
        frame = *vocab_.frame;
    } else if (options.addSpecial) {
        if (addsBos()) frame.before.push_back(vocab_.bos);
        if (vocab_.addEos && vocab_.eos.isValid()) frame.after.push_back(vocab_.eos);
    }
    std::vector<TokenId> ids = std::move(frame.before);
    const TextRun run{text, options.parseSpecial};
    const std::vector<EncodedToken> tokens = encodeRuns({&run, 1});
    ids.reserve(ids.size() + tokens.size() + frame.after.size());
    for (const EncodedToken& token : tokens) ids.push_back(token.id);
    ids.insert(ids.end(), frame.after.begin(), frame.after.end());
    return ids;
}

std::string VocabTokenizer::decode(std::span<const TokenId> ids) const {
    std::string text;
    bool isFirst = true;
    for (const TokenId id : ids) {
        text += piece(id, isFirst);
        isFirst = isFirst && (isControl(id) || !vocab_.contains(id));
    }
    return text;
}

}  // namespace vitrine::engine
