#include "engine/io/json_value.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "engine/io/random_access_file.h"

namespace vitrine::engine {
namespace {

using nlohmann::json;

constexpr int kMaxDepth = 32;

const json* nodeOf(const std::shared_ptr<const void>& node) {
    return static_cast<const json*>(node.get());
}

std::string fileName(const std::string& path) {
    return path.substr(path.find_last_of('/') + 1);
}

}  // namespace

Result<JsonValue> JsonValue::parse(std::string_view text, const std::string& name) {
    bool isTooDeep = false;
    // Values below the limit are discarded as they come, so that nesting costs no memory.
    const auto keep = [&](int depth, json::parse_event_t, json&) {
        isTooDeep |= depth > kMaxDepth;
        return depth <= kMaxDepth;
    };
    auto root = std::make_shared<const json>(json::parse(text.begin(), text.end(), keep, false));
    if (isTooDeep) {
        return makeError(Errc::Format, "The file " + name + " is nested deeper than " +
                                           std::to_string(kMaxDepth) +
                                           " levels, which no model needs; download it again.");
    }
    if (root->is_discarded()) {
        return makeError(Errc::Format,
                         "The file " + name + " is not valid JSON; download it again.");
    }
    JsonValue value;
    value.node_ = std::move(root);
    return value;
}

Result<JsonValue> JsonValue::read(const std::string& path, uint64_t maxBytes) {
    auto text = readWholeFile(path, maxBytes);
    if (!text) return std::move(text).error();
    return parse(*text, fileName(path));
}

bool JsonValue::isNull() const {
    return node_ == nullptr || nodeOf(node_)->is_null();
}

bool JsonValue::isObject() const {
    return node_ != nullptr && nodeOf(node_)->is_object();
}

bool JsonValue::isArray() const {
    return node_ != nullptr && nodeOf(node_)->is_array();
}

JsonValue JsonValue::operator[](std::string_view key) const {
    JsonValue value;
    if (!isObject()) return value;
    const auto it = nodeOf(node_)->find(key);
    if (it != nodeOf(node_)->end()) value.node_ = std::shared_ptr<const void>(node_, &*it);
    return value;
}

JsonValue JsonValue::at(size_t index) const {
    JsonValue value;
    if (isArray() && index < size())
        value.node_ = std::shared_ptr<const void>(node_, &(*nodeOf(node_))[index]);
    return value;
}

size_t JsonValue::size() const {
    return isObject() || isArray() ? nodeOf(node_)->size() : 0;
}

std::vector<std::string> JsonValue::keys() const {
    std::vector<std::string> names;
    if (!isObject()) return names;
    for (const auto& [key, value] : nodeOf(node_)->items()) names.push_back(key);
    return names;
}

std::optional<bool> JsonValue::boolean() const {
    if (node_ == nullptr || !nodeOf(node_)->is_boolean()) return std::nullopt;
    return nodeOf(node_)->get<bool>();
}

std::optional<int64_t> JsonValue::integer() const {
    if (node_ == nullptr) return std::nullopt;
    const json& node = *nodeOf(node_);
    if (node.is_number_unsigned()) {
        const auto value = node.get<uint64_t>();
        return std::in_range<int64_t>(value) ? std::optional(static_cast<int64_t>(value))
                                             : std::nullopt;
    }
    if (node.is_number_integer()) return node.get<int64_t>();
    if (!node.is_number_float()) return std::nullopt;
    const auto value = node.get<double>();
    if (!(std::fabs(value) < 0x1p53) || value != std::floor(value)) return std::nullopt;
    return static_cast<int64_t>(value);
}

std::optional<double> JsonValue::number() const {
    if (node_ == nullptr || !nodeOf(node_)->is_number()) return std::nullopt;
    return nodeOf(node_)->get<double>();
}

std::optional<std::string> JsonValue::text() const {
    if (node_ == nullptr || !nodeOf(node_)->is_string()) return std::nullopt;
    return nodeOf(node_)->get<std::string>();
}

Result<std::string> readWholeFile(const std::string& path, uint64_t maxBytes) {
    auto file = RandomAccessFile::open(path);
    if (!file) return std::move(file).error();
    if (file->sizeBytes() > maxBytes) {
        return makeError(Errc::Format, "The file " + fileName(path) + " is " +
                                           std::to_string(file->sizeBytes()) +
                                           " bytes long where at most " + std::to_string(maxBytes) +
                                           " are expected; download the model again.");
    }
    std::string text(static_cast<size_t>(file->sizeBytes()), '\0');
    if (auto r = file->readAt(0, std::as_writable_bytes(std::span(text))); !r)
        return std::move(r).error();
    return text;
}

}  // namespace vitrine::engine
