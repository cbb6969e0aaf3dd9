#include "engine/text/json_tokenizer.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <unordered_map>
#include <utility>

#include "engine/text/bpe_model.h"
#include "engine/text/byte_alphabet.h"
#include "engine/text/json_parts.h"
#include "engine/text/json_text.h"
#include "engine/text/pipeline_tokenizer.h"
#include "engine/text/spm_model.h"
#include "engine/text/unigram_model.h"

namespace vitrine::engine {

namespace {

using Json = nlohmann::json;

std::string textOf(const Json& object, const char* key) {
    const auto it = object.find(key);
    return it != object.end() && it->is_string() ? it->get<std::string>() : std::string();
}

bool flag(const Json& object, const char* key) {
    const auto it = object.find(key);
    return it != object.end() && it->is_boolean() && it->get<bool>();
}

/// Reads the sections in order; what they come to is in the members.
class Reader {
public:
    Reader(const Json& file, const TokenizerConfig& config) : file_(file), config_(config) {}

    Result<std::unique_ptr<Tokenizer>> read();

private:
    Result<void> readModel();
    Result<void> readBpeVocab();
    Result<void> readUnigramVocab();
    Result<void> readAdded();
    Result<void> readParts();
    Result<void> makeModel(const PreTokenizer& pre);
    Result<std::vector<BpeModel::Merge>> readMerges() const;
    Result<void> place(int64_t id, std::string text, double score);
    void setFrame(TextFrame frame);
    TokenId idOf(std::string_view text) const;
    SpecialTokens specials(bool normalized) const;

    /// Ids may leave gaps, but not so many that a short file makes a huge table.
    bool isPlausible(int64_t id, size_t nTokens) const {
        return id >= 0 && static_cast<uint64_t>(id) < 2 * uint64_t{nTokens} + 65536;
    }

    const Json& file_;
    const TokenizerConfig& config_;
    Json model_;
    bool isUnigram_ = false, byteFallback_ = false;
    Vocab vocab_;
    std::vector<uint8_t> isPlaced_;                       ///< [vocab] 1: by the model, 2: added
    std::unordered_map<size_t, std::string> modelTexts_;  ///< of the model's tokens that are added
    std::vector<double> scores_;                          ///< [vocab]
    std::vector<AddedToken> added_;
    std::unordered_map<std::string, int32_t> ids_;  ///< of the tokens' texts
    TokenizerParts parts_;
};

Result<void> Reader::place(int64_t id, std::string text, double score) {
    const auto at = static_cast<size_t>(id);
    if (at >= vocab_.tokens.size()) {
        vocab_.tokens.resize(at + 1);
        vocab_.types.resize(at + 1, TokenType::Unused);
        isPlaced_.resize(at + 1, 0);
        scores_.resize(at + 1, 0);
    }
    if (isPlaced_[at] != 0)
        return damagedTokenizerJson("the id " + std::to_string(id) + " is given to two tokens");
    isPlaced_[at] = 1;
    const bool isByte = byteFallback_ && byteOfPiece(text) >= 0;
    vocab_.tokens[at] = std::move(text);
    vocab_.types[at] = isByte ? TokenType::Byte : TokenType::Normal;
    scores_[at] = score;
    return {};
}

Result<void> Reader::readBpeVocab() {
    const auto vocab = model_.find("vocab");
    if (vocab == model_.end() || !vocab->is_object() || vocab->empty())
        return damagedTokenizerJson("its model has no vocabulary");
    for (const auto& [text, id] : vocab->items()) {
        if (!id.is_number_integer() || !isPlausible(id.get<int64_t>(), vocab->size()))
            return damagedTokenizerJson("a token has no plausible id");
        if (auto placed = place(id.get<int64_t>(), text, 0); !placed) return placed;
    }
    return {};
}

Result<void> Reader::readUnigramVocab() {
    const auto vocab = model_.find("vocab");
    if (vocab == model_.end() || !vocab->is_array() || vocab->empty())
        return damagedTokenizerJson("its model has no vocabulary");
    for (const Json& entry : *vocab) {
        if (!entry.is_array() || entry.size() != 2 || !entry[0].is_string() ||
            !entry[1].is_number() || !std::isfinite(entry[1].get<double>()))
            return damagedTokenizerJson("a token has no text or no finite score");
        auto placed = place(vocab_.size(), entry[0].get<std::string>(), entry[1].get<double>());
        if (!placed) return placed;
    }
    return {};
}

Result<void> Reader::readModel() {
    const auto model = file_.find("model");
    if (model == file_.end() || !model->is_object()) return damagedTokenizerJson("it has no model");
    model_ = *model;
    std::string type = textOf(model_, "type");
    if (type.empty()) type = model_.contains("merges") ? "BPE" : "";
    isUnigram_ = type == "Unigram";
    if (type != "BPE" && !isUnigram_)
        return unsupportedTokenizerJson("a model of the kind \"" + type + "\"");
    byteFallback_ = flag(model_, "byte_fallback");
    for (const char* key : {"continuing_subword_prefix", "end_of_word_suffix"})
        if (!textOf(model_, key).empty()) return unsupportedTokenizerJson(std::string("a ") + key);
    return isUnigram_ ? readUnigramVocab() : readBpeVocab();
}

Result<void> Reader::readAdded() {
    const auto list = file_.find("added_tokens");
    if (list != file_.end() && !list->is_array() && !list->is_null())
        return damagedTokenizerJson("its added tokens are not a list");
    const size_t nBefore = vocab_.tokens.size();
    if (list != file_.end()) {
        for (const Json& entry : *list) {
            AddedToken token;
            const Json id = entry.is_object() ? entry.value("id", Json()) : Json();
            if (!id.is_number_integer()) return damagedTokenizerJson("an added token has no id");
            token.id = id.get<int64_t>();
            token.text = textOf(entry, "content");
            token.isSpecial = flag(entry, "special");
            token.isSingleWord = flag(entry, "single_word");
            token.stripsLeft = flag(entry, "lstrip");
            token.stripsRight = flag(entry, "rstrip");
            token.isNormalized = flag(entry, "normalized");
            added_.push_back(std::move(token));
        }
    }
    std::vector<int64_t> known;
    for (const AddedToken& token : added_) known.push_back(token.id);
    std::sort(known.begin(), known.end());
    for (const AddedToken& token : config_.added) {
        const bool isNew = !std::binary_search(known.begin(), known.end(), token.id) &&
                           (token.id >= static_cast<int64_t>(nBefore) ||
                            vocab_.tokens[static_cast<size_t>(token.id)] == token.text);
        if (isNew) added_.push_back(token);
    }
    for (const AddedToken& token : added_) {
        if (!isPlausible(token.id, nBefore + added_.size()))
            return damagedTokenizerJson("an added token has no plausible id");
        const auto at = static_cast<size_t>(token.id);
        if (at >= vocab_.tokens.size() || isPlaced_[at] == 0) {
            if (auto placed = place(token.id, token.text, 0); !placed) return placed;
            isPlaced_[at] = 2;  // not the model's
        } else if (isPlaced_[at] == 2) {
            return damagedTokenizerJson("the id " + std::to_string(token.id) +
                                        " is given to two tokens");
        }
        if (isPlaced_[at] == 1) modelTexts_.emplace(at, vocab_.tokens[at]);
        vocab_.tokens[at] = token.text;
        vocab_.types[at] = token.isSpecial ? TokenType::Control : TokenType::UserDefined;
    }
    return {};
}

TokenId Reader::idOf(std::string_view text) const {
    const auto it = text.empty() ? ids_.end() : ids_.find(std::string(text));
    return it == ids_.end() ? TokenId() : TokenId(it->second);
}

SpecialTokens Reader::specials(bool normalized) const {
    std::vector<SpecialToken> tokens;
    for (const AddedToken& added : added_) {
        if (added.isNormalized != normalized) continue;
        SpecialToken token;
        token.text = normalized ? parts_.normalizer.apply(added.text, false).text : added.text;
        token.id = TokenId(static_cast<int32_t>(added.id));
        token.isControl = added.isSpecial;
        token.stripsLeft = added.stripsLeft;
        token.stripsRight = added.stripsRight;
        token.isSingleWord = added.isSingleWord;
        tokens.push_back(std::move(token));
    }
    return SpecialTokens(std::move(tokens));
}

Result<std::vector<BpeModel::Merge>> Reader::readMerges() const {
    std::vector<BpeModel::Merge> merges;
    const auto list = model_.find("merges");
    if (list == model_.end() || !list->is_array())
        return damagedTokenizerJson("its model has no list of merges");
    merges.reserve(list->size());
    for (const Json& entry : *list) {
        if (entry.is_array() && entry.size() == 2 && entry[0].is_string() && entry[1].is_string()) {
            merges.emplace_back(entry[0].get_ref<const std::string&>(),
                                entry[1].get_ref<const std::string&>());
            continue;
        }
        const std::string_view text = entry.is_string()
                                          ? std::string_view(entry.get_ref<const std::string&>())
                                          : std::string_view();
        const size_t space = text.find(' ', 1);
        if (text.empty() || space == std::string_view::npos || space + 1 == text.size())
            return damagedTokenizerJson("merge " + std::to_string(merges.size()) +
                                        " is not a pair");
        merges.emplace_back(text.substr(0, space), text.substr(space + 1));
    }
    return merges;
}

Result<void> Reader::makeModel(const PreTokenizer& pre) {
    // The stretch of a piece that a token stands for; tokens that are only added are never made
    // from pieces.
    BpeOptions options;
    options.overBytes = !isUnigram_ && pre.hasByteLevel();
    std::vector<std::string> texts(vocab_.tokens.size());
    for (size_t i = 0; i < texts.size(); ++i) {
        if (isPlaced_[i] != 1) continue;
        const auto own = modelTexts_.find(i);
        const std::string& token = own == modelTexts_.end() ? vocab_.tokens[i] : own->second;
        const int byte = vocab_.types[i] == TokenType::Byte ? byteOfPiece(token) : -1;
        texts[i] = byte >= 0 ? std::string(1, static_cast<char>(byte)) : token;
        if (options.overBytes) texts[i] = bytesOfAlphabet(token).value_or(token);
    }
    if (isUnigram_) {
        const auto unknown = model_.find("unk_id");
        TokenId id;
        if (unknown != model_.end() && !unknown->is_null()) {
            if (!unknown->is_number_integer() || unknown->get<int64_t>() < 0 ||
                unknown->get<int64_t>() >= vocab_.size())
                return damagedTokenizerJson("the unknown token is outside of the vocabulary");
            id = TokenId(static_cast<int32_t>(unknown->get<int64_t>()));
        }
        parts_.model = UnigramModel::make(vocab_, texts, scores_, id, byteFallback_);
        return {};
    }
    options.ignoresMerges = flag(model_, "ignore_merges");
    options.byteFallback = byteFallback_;
    options.unknown = idOf(textOf(model_, "unk_token"));
    options.fusesUnknown = flag(model_, "fuse_unk");
    auto merges = readMerges();
    if (!merges) return std::move(merges).error();
    parts_.model = BpeModel::make(vocab_, texts, merges.value(), options);
    return {};
}

Result<void> Reader::readParts() {
    const auto section = [&](const char* key) {
        const auto it = file_.find(key);
        return it == file_.end() ? std::string("null") : it->dump();
    };
    auto normalizer = readJsonNormalizer(section("normalizer"));
    if (!normalizer) return std::move(normalizer).error();
    parts_.normalizer = std::move(normalizer).value();
    auto pre = readJsonPreTokenizer(section("pre_tokenizer"));
    if (!pre) return std::move(pre).error();
    auto decoder = JsonDecoder::read(section("decoder"));
    if (!decoder) return std::move(decoder).error();
    auto frame = readJsonFrame(section("post_processor"), vocab_.size());
    if (!frame) return std::move(frame).error();

    // Such a token's text is the normalised one from here on, as in the library.
    for (const AddedToken& token : added_)
        if (token.isNormalized)
            vocab_.tokens[static_cast<size_t>(token.id)] =
                parts_.normalizer.apply(token.text, false).text;
    for (size_t i = 0; i < vocab_.tokens.size(); ++i) {
        const bool isAdded =
            vocab_.types[i] == TokenType::Control || vocab_.types[i] == TokenType::UserDefined;
        parts_.texts.push_back(decoder->text(vocab_.tokens[i], isAdded));
        if (decoder->differsAtStart())
            parts_.firstTexts.push_back(decoder->firstText(vocab_.tokens[i], isAdded));
    }
    parts_.specials = specials(false);
    parts_.normalizedSpecials = specials(true);
    if (auto made = makeModel(pre.value()); !made) return made;
    parts_.pre = std::move(pre).value();
    setFrame(std::move(frame).value());
    return {};
}

/// The settings beside the file say more than its own template. Source: llama.cpp, gguf-py
/// vocab.py (SpecialVocab), whose rule the references share.
void Reader::setFrame(TextFrame frame) {
    vocab_.bos = idOf(config_.bos);
    vocab_.eos = idOf(config_.eos);
    if (!vocab_.bos.isValid() && !frame.before.empty()) vocab_.bos = frame.before.front();
    if (!vocab_.eos.isValid() && !frame.after.empty()) vocab_.eos = frame.after.back();
    if (config_.addBos && vocab_.bos.isValid()) {
        const bool has = !frame.before.empty() && frame.before.front() == vocab_.bos;
        if (*config_.addBos && !has) frame.before.insert(frame.before.begin(), vocab_.bos);
        if (!*config_.addBos && has) frame.before.erase(frame.before.begin());
    }
    if (config_.addEos && vocab_.eos.isValid()) {
        const bool has = !frame.after.empty() && frame.after.back() == vocab_.eos;
        if (*config_.addEos && !has) frame.after.push_back(vocab_.eos);
        if (!*config_.addEos && has) frame.after.pop_back();
    }
    vocab_.frame = std::move(frame);
}

Result<std::unique_ptr<Tokenizer>> Reader::read() {
    if (auto done = readModel(); !done) return std::move(done).error();
    if (auto done = readAdded(); !done) return std::move(done).error();
    ids_.reserve(vocab_.tokens.size());
    for (size_t i = 0; i < vocab_.tokens.size(); ++i)
        if (isPlaced_[i] != 0) ids_.emplace(vocab_.tokens[i], static_cast<int32_t>(i));
    vocab_.unknown = idOf(textOf(model_, "unk_token"));
    if (vocab_.unknown.isValid() && vocab_.type(vocab_.unknown) == TokenType::Normal)
        vocab_.types[static_cast<size_t>(vocab_.unknown.value)] = TokenType::Unknown;
    if (auto done = readParts(); !done) return std::move(done).error();
    vocab_.markEnds();
    config_.markEnds(vocab_);
    parts_.name = "tokenizer.json";
    return makePipelineTokenizer(std::move(vocab_), std::move(parts_));
}

}  // namespace

Result<std::unique_ptr<Tokenizer>> makeJsonTokenizer(std::string_view bytes,
                                                     const TokenizerConfig& config) {
    if (!isShallowJson(bytes)) return damagedTokenizerJson("its brackets nest too deeply");
    const Json file = Json::parse(bytes, nullptr, false);
    if (!file.is_object()) return damagedTokenizerJson("it is not a JSON object");
    return Reader(file, config).read();
}

}  // namespace vitrine::engine
