#include "engine/text/tokenizer_config.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "engine/text/json_text.h"

namespace vitrine::engine {

namespace {

using Json = nlohmann::json;

/// An empty object where the file is not there.
Result<Json> readObject(const std::filesystem::path& path) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error)) return Json::object();
    auto bytes = readSmallFile(path.string());
    if (!bytes) return std::move(bytes).error();
    Json object = isShallowJson(bytes.value()) ? Json::parse(bytes.value(), nullptr, false)
                                               : Json(Json::value_t::discarded);
    if (!object.is_object())
        return makeError(
            Errc::Format,
            "The file " + path.string() + " is not a JSON object; download it again or remove it.");
    return object;
}

bool flag(const Json& object, const char* key, bool otherwise = false) {
    const auto it = object.find(key);
    return it != object.end() && it->is_boolean() ? it->get<bool>() : otherwise;
}

/// A token's text, given as such or as an object with `content`.
std::string tokenText(const Json& object, const char* key) {
    const auto it = object.find(key);
    if (it == object.end()) return {};
    if (it->is_string()) return it->get<std::string>();
    if (!it->is_object()) return {};
    const auto content = it->find("content");
    return content != it->end() && content->is_string() ? content->get<std::string>()
                                                        : std::string();
}

void readAdded(const Json& config, const Json& addedTokens, std::vector<AddedToken>& added) {
    const auto decoder = config.find("added_tokens_decoder");
    if (decoder != config.end() && decoder->is_object()) {
        for (const auto& [key, value] : decoder->items()) {
            AddedToken token;
            const auto read = std::from_chars(key.data(), key.data() + key.size(), token.id);
            const bool isNumber = read.ec == std::errc() && read.ptr == key.data() + key.size();
            if (!isNumber || !value.is_object()) continue;
            token.text = tokenText(Json{{"t", value}}, "t");
            token.isSpecial = flag(value, "special");
            token.isSingleWord = flag(value, "single_word");
            token.stripsLeft = flag(value, "lstrip");
            token.stripsRight = flag(value, "rstrip");
            token.isNormalized = flag(value, "normalized");
            added.push_back(std::move(token));
        }
    }
    for (const auto& [text, id] : addedTokens.items()) {
        if (!id.is_number_integer()) continue;
        AddedToken token;
        token.id = id.get<int64_t>();
        token.text = text;
        added.push_back(std::move(token));
    }
    std::erase_if(added, [](const AddedToken& t) { return t.id < 0 || t.text.empty(); });
    std::stable_sort(added.begin(), added.end(),
                     [](const auto& a, const auto& b) { return a.id < b.id; });
    added.erase(std::unique(added.begin(), added.end(),
                            [](const auto& a, const auto& b) { return a.id == b.id; }),
                added.end());
}

void readEnds(const Json& object, std::vector<int64_t>& ids) {
    const auto it = object.find("eos_token_id");
    if (it == object.end()) return;
    if (it->is_number_integer()) ids.push_back(it->get<int64_t>());
    if (!it->is_array()) return;
    for (const Json& id : *it)
        if (id.is_number_integer()) ids.push_back(id.get<int64_t>());
}

}  // namespace

Result<TokenizerConfig> TokenizerConfig::readBeside(const std::string& tokenizerPath) {
    const auto folder = std::filesystem::path(tokenizerPath).parent_path();
    TokenizerConfig config;
    Json files[4];
    const char* const names[] = {"tokenizer_config.json", "special_tokens_map.json",
                                 "added_tokens.json", "generation_config.json"};
    for (size_t i = 0; i < std::size(names); ++i) {
        auto read = readObject(folder / names[i]);
        if (!read) return std::move(read).error();
        files[i] = std::move(read).value();
    }
    const Json& own = files[0];
    for (const auto& [key, value] :
         {std::pair("add_bos_token", &config.addBos), std::pair("add_eos_token", &config.addEos)})
        if (const auto it = own.find(key); it != own.end() && it->is_boolean())
            *value = it->get<bool>();
    for (const auto& [key, value] :
         {std::pair("bos_token", &config.bos), std::pair("eos_token", &config.eos),
          std::pair("unk_token", &config.unknown)}) {
        *value = tokenText(own, key);
        if (value->empty()) *value = tokenText(files[1], key);
    }
    readAdded(own, files[2], config.added);
    readEnds(files[3], config.endIds);
    return config;
}

void TokenizerConfig::markEnds(Vocab& vocab) const {
    for (const int64_t id : endIds) {
        if (id < 0 || id >= vocab.size()) continue;
        const TokenId end(static_cast<int32_t>(id));
        vocab.endsGeneration[static_cast<size_t>(id)] = 1;
        if (!vocab.eos.isValid()) vocab.eos = end;
    }
}

}  // namespace vitrine::engine
