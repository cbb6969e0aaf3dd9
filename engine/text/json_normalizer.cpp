#include <nlohmann/json.hpp>

#include "engine/text/json_parts.h"
#include "engine/text/json_text.h"

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

Result<void> add(const Json& section, Normalizer& normalizer) {
    if (section.is_null()) return {};
    if (!section.is_object()) return damagedTokenizerJson("a normaliser is not an object");
    const std::string type = textOf(section, "type");
    if (type == "Sequence") {
        const auto list = section.find("normalizers");
        if (list == section.end() || !list->is_array())
            return damagedTokenizerJson("a sequence of normalisers has no list");
        for (const Json& one : *list)
            if (auto added = add(one, normalizer); !added) return added;
        return {};
    }
    if (type == "NFC") {
        normalizer.add(NormalForm::Nfc);
    } else if (type == "NFD") {
        normalizer.add(NormalForm::Nfd);
    } else if (type == "NFKC") {
        normalizer.add(NormalForm::Nfkc);
    } else if (type == "NFKD") {
        normalizer.add(NormalForm::Nfkd);
    } else if (type == "Lowercase") {
        normalizer.add(Normalizer::Lowercase());
    } else if (type == "Strip") {
        normalizer.add(
            Normalizer::Strip{flag(section, "strip_left"), flag(section, "strip_right")});
    } else if (type == "Prepend") {
        normalizer.add(Normalizer::Prepend{textOf(section, "prepend")});
    } else if (type == "Replace") {
        const Json pattern = section.value("pattern", Json());
        if (!pattern.is_object()) return damagedTokenizerJson("a replacement has no pattern");
        const std::string content = textOf(section, "content");
        if (const std::string expression = textOf(pattern, "Regex"); !expression.empty()) {
            auto regex = Regex::compile(expression);
            if (!regex) return std::move(regex).error();
            normalizer.add(Normalizer::ReplaceExpression{std::move(regex).value(), content});
        } else if (const std::string word = textOf(pattern, "String"); !word.empty()) {
            normalizer.add(Normalizer::Replace{word, content});
        } else {
            return damagedTokenizerJson("a replacement has an empty pattern");
        }
    } else {
        return unsupportedTokenizerJson("the normaliser \"" + type + "\"");
    }
    return {};
}

}  // namespace

Result<Normalizer> readJsonNormalizer(std::string_view section) {
    Normalizer normalizer;
    if (auto added = add(Json::parse(section, nullptr, false), normalizer); !added)
        return std::move(added).error();
    return normalizer;
}

}  // namespace vitrine::engine
