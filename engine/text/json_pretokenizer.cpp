#include <nlohmann/json.hpp>
#include <optional>

#include "engine/text/json_parts.h"
#include "engine/text/json_text.h"

namespace vitrine::engine {

namespace {

using Json = nlohmann::json;

constexpr std::string_view kGpt2 =
    R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";

std::string textOf(const Json& object, const char* key) {
    const auto it = object.find(key);
    return it != object.end() && it->is_string() ? it->get<std::string>() : std::string();
}

bool flag(const Json& object, const char* key, bool otherwise) {
    const auto it = object.find(key);
    return it != object.end() && it->is_boolean() ? it->get<bool>() : otherwise;
}

std::optional<Split::Behavior> behaviorOf(const std::string& name) {
    if (name == "Isolated") return Split::Behavior::Isolated;
    if (name == "Removed") return Split::Behavior::Removed;
    if (name == "MergedWithPrevious") return Split::Behavior::WithPrevious;
    if (name == "MergedWithNext") return Split::Behavior::WithNext;
    if (name == "Contiguous") return Split::Behavior::Contiguous;
    return std::nullopt;
}

Result<void> addExpression(std::string_view expression, Split::Behavior behavior, bool isInverted,
                           PreTokenizer& pre) {
    auto split = Split::byExpression(expression, behavior, isInverted);
    if (!split) return std::move(split).error();
    pre.add(std::move(split).value());
    return {};
}

/// P and the ASCII symbols. Source: tokenizers, pre_tokenizers/punctuation.rs.
CharSet punctuation() {
    CharSet set;
    set.addCategory("P");
    for (const auto& [low, high] :
         {std::pair('!', '/'), std::pair(':', '@'), std::pair('[', '`'), std::pair('{', '~')})
        set.addRange(static_cast<uint32_t>(low), static_cast<uint32_t>(high));
    set.finish();
    return set;
}

CharSet spaces() {
    CharSet set;
    set.addSpaces();
    set.finish();
    return set;
}

Result<void> addSplit(const Json& section, PreTokenizer& pre) {
    const auto behavior = behaviorOf(textOf(section, "behavior"));
    const Json pattern = section.value("pattern", Json());
    if (!behavior || !pattern.is_object())
        return damagedTokenizerJson("a split has no pattern or an unknown behaviour");
    const bool isInverted = flag(section, "invert", false);
    if (const std::string expression = textOf(pattern, "Regex"); !expression.empty())
        return addExpression(expression, *behavior, isInverted, pre);
    std::string word = textOf(pattern, "String");
    if (word.empty()) return damagedTokenizerJson("a split has an empty pattern");
    pre.add(Split::byText(std::move(word), *behavior, isInverted));
    return {};
}

Result<void> addMetaspace(const Json& section, PreTokenizer& pre) {
    PreTokenizer::Metaspace step;
    step.space = textOf(section, "replacement");
    if (step.space.empty()) return damagedTokenizerJson("a Metaspace has no replacement");
    step.splits = flag(section, "split", true);
    const std::string scheme = textOf(section, "prepend_scheme");
    using Prepend = PreTokenizer::Metaspace::Prepend;
    if (scheme == "first") {
        step.prepend = Prepend::First;
    } else if (scheme == "never") {
        step.prepend = Prepend::Never;
    } else if (scheme.empty()) {
        step.prepend = flag(section, "add_prefix_space", true) ? Prepend::Always : Prepend::Never;
    }
    pre.add(std::move(step));
    return {};
}

Result<void> add(const Json& section, PreTokenizer& pre) {
    if (section.is_null()) return {};
    if (!section.is_object()) return damagedTokenizerJson("a pre-tokenizer is not an object");
    const std::string type = textOf(section, "type");
    using Behavior = Split::Behavior;
    if (type == "Sequence") {
        const auto list = section.find("pretokenizers");
        if (list == section.end() || !list->is_array() || list->size() > 64)
            return damagedTokenizerJson("a sequence of pre-tokenizers has no list");
        for (const Json& one : *list)
            if (auto added = add(one, pre); !added) return added;
        return {};
    }
    if (type == "ByteLevel") {
        if (flag(section, "add_prefix_space", true)) pre.add(PreTokenizer::AddSpace());
        if (flag(section, "use_regex", true))
            if (auto added = addExpression(kGpt2, Behavior::Isolated, false, pre); !added)
                return added;
        pre.add(PreTokenizer::ByteLevel());
        return {};
    }
    if (type == "Split") return addSplit(section, pre);
    if (type == "Metaspace") return addMetaspace(section, pre);
    if (type == "Digits") {
        CharSet set;
        set.addCategory("N");
        set.finish();
        pre.add(Split::byCharacters(std::move(set), flag(section, "individual_digits", false)
                                                        ? Behavior::Isolated
                                                        : Behavior::Contiguous));
        return {};
    }
    if (type == "Punctuation") {
        const auto behavior =
            behaviorOf(section.value("behavior", Json()).is_string() ? textOf(section, "behavior")
                                                                     : "Isolated");
        if (!behavior) return damagedTokenizerJson("a split has an unknown behaviour");
        pre.add(Split::byCharacters(punctuation(), *behavior));
        return {};
    }
    if (type == "Whitespace") return addExpression(R"(\w+|[^\w\s]+)", Behavior::Removed, true, pre);
    if (type == "WhitespaceSplit" || type == "BertPreTokenizer") {
        pre.add(Split::byCharacters(spaces(), Behavior::Removed));
        if (type == "BertPreTokenizer")
            pre.add(Split::byCharacters(punctuation(), Behavior::Isolated));
        return {};
    }
    if (type == "CharDelimiterSplit") {
        std::string delimiter = textOf(section, "delimiter");
        if (delimiter.empty()) return damagedTokenizerJson("a split has an empty delimiter");
        pre.add(Split::byText(std::move(delimiter), Behavior::Removed, false));
        return {};
    }
    return unsupportedTokenizerJson("the pre-tokenizer \"" + type + "\"");
}

}  // namespace

Result<PreTokenizer> readJsonPreTokenizer(std::string_view section) {
    PreTokenizer pre;
    if (auto added = add(Json::parse(section, nullptr, false), pre); !added)
        return std::move(added).error();
    return pre;
}

}  // namespace vitrine::engine
