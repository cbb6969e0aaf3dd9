#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "engine/text/byte_alphabet.h"
#include "engine/text/json_parts.h"
#include "engine/text/json_text.h"
#include "engine/text/spm_model.h"
#include "engine/text/utf8_stream.h"

namespace vitrine::engine {

namespace {

using Json = nlohmann::json;

std::string textOf(const Json& object, const char* key) {
    const auto it = object.find(key);
    return it != object.end() && it->is_string() ? it->get<std::string>() : std::string();
}

size_t countOf(const Json& object, const char* key) {
    const auto it = object.find(key);
    return it != object.end() && it->is_number_unsigned()
               ? static_cast<size_t>(std::min<uint64_t>(it->get<uint64_t>(), 1024))
               : 0;
}

std::string replaced(std::string_view text, std::string_view from, std::string_view to) {
    std::string out;
    size_t pos = 0;
    for (size_t next = 0; (next = text.find(from, pos)) != std::string_view::npos;
         pos = next + from.size())
        out.append(text.substr(pos, next - pos)).append(to);
    return out.append(text.substr(pos));
}

Result<void> addIds(const Json& ids, int32_t vocabSize, std::vector<TokenId>& out) {
    for (const Json& id : ids) {
        if (!id.is_number_integer() || id.get<int64_t>() < 0 || id.get<int64_t>() >= vocabSize)
            return damagedTokenizerJson("the post-processor names an id outside of the vocabulary");
        if (out.size() >= 1024) return damagedTokenizerJson("the post-processor adds too much");
        out.emplace_back(static_cast<int32_t>(id.get<int64_t>()));
    }
    return {};
}

Result<TextFrame> readTemplate(const Json& section, int32_t vocabSize) {
    TextFrame frame;
    bool isAfter = false;
    const Json steps = section.value("single", Json());
    const Json names = section.value("special_tokens", Json());
    if (!steps.is_array() || !names.is_object())
        return damagedTokenizerJson("a template of the post-processor has no steps");
    for (const Json& step : steps) {
        if (!step.is_object()) return damagedTokenizerJson("a step of a template is not an object");
        if (step.contains("Sequence")) {
            isAfter = true;
            continue;
        }
        const Json special = step.value("SpecialToken", Json());
        const auto name = special.is_object() ? names.find(textOf(special, "id")) : names.end();
        if (name == names.end() || !name->is_object() || !name->contains("ids") ||
            !(*name)["ids"].is_array())
            return damagedTokenizerJson("a template names a token that it does not define");
        auto added = addIds((*name)["ids"], vocabSize, isAfter ? frame.after : frame.before);
        if (!added) return std::move(added).error();
    }
    return frame;
}

Result<TextFrame> readFrame(const Json& section, int32_t vocabSize) {
    TextFrame frame;
    if (section.is_null()) return frame;
    if (!section.is_object()) return damagedTokenizerJson("the post-processor is not an object");
    const std::string type = textOf(section, "type");
    if (type == "ByteLevel") return frame;
    if (type == "TemplateProcessing") return readTemplate(section, vocabSize);
    if (type == "BertProcessing" || type == "RobertaProcessing") {
        for (const auto& [key, ids] :
             {std::pair("cls", &frame.before), std::pair("sep", &frame.after)}) {
            const Json token = section.value(key, Json());
            if (!token.is_array() || token.size() != 2)
                return damagedTokenizerJson("the post-processor lacks a token");
            if (auto added = addIds(Json::array({token[1]}), vocabSize, *ids); !added)
                return std::move(added).error();
        }
        return frame;
    }
    if (type != "Sequence") return unsupportedTokenizerJson("the post-processor \"" + type + "\"");
    const Json list = section.value("processors", Json());
    if (!list.is_array()) return damagedTokenizerJson("a sequence of post-processors has no list");
    for (const Json& one : list) {
        auto outer = readFrame(one, vocabSize);
        if (!outer) return outer;
        TextFrame& around = outer.value();
        frame.before.insert(frame.before.begin(), around.before.begin(), around.before.end());
        frame.after.insert(frame.after.end(), around.after.begin(), around.after.end());
        if (frame.before.size() + frame.after.size() > 1024)
            return damagedTokenizerJson("the post-processor adds too much");
    }
    return frame;
}

}  // namespace

Result<TextFrame> readJsonFrame(std::string_view section, int32_t vocabSize) {
    return readFrame(Json::parse(section, nullptr, false), vocabSize);
}

/// Keeps the reader's JSON out of the header.
struct JsonDecoderReader {
    static Result<void> add(const Json& section, JsonDecoder& decoder);
};

Result<void> JsonDecoderReader::add(const Json& section, JsonDecoder& decoder) {
    if (section.is_null()) return {};
    if (!section.is_object()) return damagedTokenizerJson("a decoder is not an object");
    const std::string type = textOf(section, "type");
    if (type == "Sequence") {
        const Json list = section.value("decoders", Json());
        if (!list.is_array()) return damagedTokenizerJson("a sequence of decoders has no list");
        for (const Json& one : list)
            if (auto added = add(one, decoder); !added) return added;
        return {};
    }
    if (type == "ByteLevel") {
        decoder.isByteLevel_ = true;
    } else if (type == "ByteFallback") {
        decoder.hasByteFallback_ = true;
    } else if (type == "Fuse") {
        decoder.isFused_ = true;
    } else if (type == "Metaspace") {
        const std::string space = textOf(section, "replacement");
        if (space.empty()) return damagedTokenizerJson("a Metaspace has no replacement");
        decoder.replaces_.push_back({space, " "});
        const std::string scheme = textOf(section, "prepend_scheme");
        const auto legacy = section.find("add_prefix_space");
        const bool isNever =
            scheme.empty() ? legacy != section.end() && *legacy == false : scheme == "never";
        if (!isNever) decoder.dropped_ = space;
    } else if (type == "Replace") {
        const Json pattern = section.value("pattern", Json());
        const std::string word = pattern.is_object() ? textOf(pattern, "String") : std::string();
        if (word.empty())
            return unsupportedTokenizerJson("a replacement by expression in decoding");
        decoder.replaces_.push_back({word, textOf(section, "content")});
    } else if (type == "Strip" && decoder.isFused_ && countOf(section, "stop") == 0) {
        decoder.stripped_ = textOf(section, "content");
        decoder.nStripped_ = decoder.stripped_.empty() ? 0 : countOf(section, "start");
    } else {
        return unsupportedTokenizerJson("the decoder \"" + type + "\"");
    }
    return {};
}

Result<JsonDecoder> JsonDecoder::read(std::string_view section) {
    JsonDecoder decoder;
    auto added = JsonDecoderReader::add(Json::parse(section, nullptr, false), decoder);
    if (!added) return std::move(added).error();
    return decoder;
}

std::string JsonDecoder::text(std::string_view token, bool isAdded) const {
    if (auto bytes = isByteLevel_ ? bytesOfAlphabet(token) : std::nullopt) {
        if (!isAdded) return *std::move(bytes);
        // An added token that happens to be written in GPT-2's characters: the library, which the
        // models were trained with, decodes it as bytes all the same.
        Utf8Stream stream;
        const std::string whole = stream.push(*bytes);
        return whole + stream.finish();
    }
    std::string text(token);
    for (const Replace& r : replaces_) text = replaced(text, r.from, r.to);
    if (const int byte = hasByteFallback_ ? byteOfPiece(text) : -1; byte >= 0)
        return std::string(1, static_cast<char>(byte));
    return text;
}

bool JsonDecoder::differsAtStart() const {
    return nStripped_ > 0 || !dropped_.empty();
}

std::string JsonDecoder::firstText(std::string_view token, bool isAdded) const {
    if (!dropped_.empty()) return text(replaced(token, dropped_, ""), isAdded);
    std::string text = this->text(token, isAdded);
    for (size_t i = 0; i < nStripped_ && text.compare(0, stripped_.size(), stripped_) == 0; ++i)
        text.erase(0, stripped_.size());
    return text;
}

}  // namespace vitrine::engine
