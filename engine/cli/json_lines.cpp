#include "engine/cli/json_lines.h"

#include <nlohmann/json.hpp>

#include "engine/cli/command.h"
#include "engine/cli/input.h"
#include "engine/cli/interrupt.h"
#include "engine/cli/numbers.h"
#include "engine/cli/output.h"

namespace vitrine::engine::cli {

using nlohmann::json;

struct JsonLine::Impl {
    json object;
    std::string source;

    const json* find(const char* key) const {
        const auto it = object.find(key);
        return it == object.end() || it->is_null() ? nullptr : &*it;
    }
};

JsonLine::JsonLine() : impl_(std::make_unique<Impl>()) {}

JsonLine::JsonLine(JsonLine&&) noexcept = default;
JsonLine& JsonLine::operator=(JsonLine&&) noexcept = default;
JsonLine::~JsonLine() = default;

Result<JsonLine> JsonLine::parse(std::string_view line) {
    JsonLine result;
    result.impl_->object = json::parse(line, nullptr, false);
    result.impl_->source = line;
    if (result.impl_->object.is_discarded())
        return makeError(Errc::Format, "the line is not JSON: write one object a line");
    if (!result.impl_->object.is_object())
        return makeError(Errc::Format, "the line is no JSON object: put it in { }");
    return result;
}

const std::string& JsonLine::source() const {
    return impl().source;
}

bool JsonLine::has(const char* key) const {
    return impl().find(key) != nullptr;
}

std::optional<std::string> JsonLine::text(const char* key) {
    const json* value = impl().find(key);
    if (value == nullptr) return std::nullopt;
    if (value->is_string()) return value->get<std::string>();
    reject("\"" + std::string(key) + "\" must be a string");
    return std::nullopt;
}

std::vector<std::string> JsonLine::texts(const char* key) {
    const json* value = impl().find(key);
    if (value == nullptr) return {};
    if (value->is_string()) return {value->get<std::string>()};
    std::vector<std::string> all;
    if (value->is_array()) {
        for (const json& item : *value) {
            if (item.is_string()) all.push_back(item.get<std::string>());
        }
        if (all.size() == value->size()) return all;
    }
    reject("\"" + std::string(key) + "\" must be a string or an array of strings");
    return {};
}

bool JsonLine::boolean(const char* key, bool fallback) {
    const json* value = impl().find(key);
    if (value == nullptr) return fallback;
    if (value->is_boolean()) return value->get<bool>();
    reject("\"" + std::string(key) + "\" must be true or false");
    return fallback;
}

int64_t JsonLine::integer(const char* key, int64_t fallback, int64_t min, int64_t max) {
    const json* value = impl().find(key);
    if (value == nullptr) return fallback;
    const bool fits =
        value->is_number_integer() && (!value->is_number_unsigned() ||
                                       value->get<uint64_t>() <= static_cast<uint64_t>(INT64_MAX));
    if (fits && value->get<int64_t>() >= min && value->get<int64_t>() <= max)
        return value->get<int64_t>();
    reject("\"" + std::string(key) + "\" must be a whole number from " + std::to_string(min) +
           " to " + std::to_string(max));
    return fallback;
}

double JsonLine::number(const char* key, double fallback, double min, double max) {
    const json* value = impl().find(key);
    if (value == nullptr) return fallback;
    if (value->is_number() && value->get<double>() >= min && value->get<double>() <= max)
        return value->get<double>();
    reject("\"" + std::string(key) + "\" must be a number from " + shortNumber(min) + " to " +
           shortNumber(max));
    return fallback;
}

std::vector<TokenId> JsonLine::ids(const char* key) {
    const json* value = impl().find(key);
    if (value == nullptr) return {};
    std::vector<TokenId> all;
    bool ok = value->is_array();
    if (ok) {
        all.reserve(value->size());
        for (const json& item : *value) {
            ok = ok && item.is_number_unsigned() &&
                 item.get<uint64_t>() <= static_cast<uint64_t>(INT32_MAX);
            if (ok) all.emplace_back(item.get<int32_t>());
        }
    }
    if (ok) return all;
    reject("\"" + std::string(key) + "\" must be an array of token ids");
    return {};
}

std::vector<Message> JsonLine::messages(const char* key) {
    const json* value = impl().find(key);
    if (value == nullptr) return {};
    std::vector<Message> all;
    bool ok = value->is_array();
    for (size_t i = 0; ok && i < value->size(); ++i) {
        const json& item = (*value)[i];
        ok = item.is_object() && item.contains("role") && item["role"].is_string() &&
             item.contains("content") && item["content"].is_string();
        if (ok)
            all.push_back({item["role"].get<std::string>(), item["content"].get<std::string>()});
    }
    if (ok) return all;
    reject("\"" + std::string(key) +
           "\" must be an array of {\"role\":\"user\",\"content\":\"…\"} with texts as content");
    return {};
}

void JsonLine::reject(std::string sentence) {
    if (!error_) error_ = makeError(Errc::InvalidArgument, std::move(sentence));
}

std::string errorJson(const Error& error) {
    const json object{{"error", {{"code", errcName(error.code)}, {"message", error.message}}}};
    return object.dump(-1, ' ', false, json::error_handler_t::replace);
}

int forEachJsonLine(const std::function<Result<std::string>(JsonLine& line)>& handle) {
    LineReader reader;
    std::string text;
    int code = kExitOk;
    for (;;) {
        const LineReader::Status status = reader.next(text);
        if (status == LineReader::Status::Interrupted) return kExitInterrupted;
        if (status == LineReader::Status::End) return code;
        if (text.find_first_not_of(" \t") == std::string::npos) continue;
        Result<JsonLine> line = JsonLine::parse(text);
        Result<std::string> answer =
            line ? handle(*line) : Result<std::string>(std::move(line).error());
        if (answer) {
            printLine(*answer);
        } else {
            printLine(errorJson(answer.error()));
            code = kExitFailed;
        }
        if (interruptFlag()) return kExitInterrupted;
    }
}

}  // namespace vitrine::engine::cli
