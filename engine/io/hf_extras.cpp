#include "engine/io/hf_extras.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <vector>

#include "engine/io/header_cursor.h"
#include "engine/io/json_value.h"
#include "engine/io/random_access_file.h"

namespace vitrine::engine {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kMaxTemplateBytes = uint64_t{4} << 20;
constexpr uint64_t kMaxJsonBytes = uint64_t{16} << 20;
constexpr size_t kMaxTemplates = 64;

bool isThere(const std::string& path) {
    std::error_code error;
    return fs::is_regular_file(path, error);
}

/// Null when the file is not there.
Result<JsonValue> readIfThere(const std::string& path) {
    return isThere(path) ? JsonValue::read(path, kMaxJsonBytes) : Result<JsonValue>(JsonValue());
}

/// "default" is the model's own template; others have their names in their keys. Source: gguf-py,
/// GGUFWriter.add_chat_template.
void addTemplate(const std::string& name, std::string text, std::vector<std::string>& names,
                 MetaTable& table) {
    if (name == "default") {
        table.add("tokenizer.chat_template", std::move(text));
    } else if (!name.empty() && names.size() < kMaxTemplates) {
        names.push_back(name);
        table.add("tokenizer.chat_template." + name, std::move(text));
    }
}

/// The value of "chat_template": a text, or a list of {name, template}, or an object by name.
void addTemplates(const JsonValue& value, std::vector<std::string>& names, MetaTable& table) {
    if (auto text = value.text()) addTemplate("default", std::move(*text), names, table);
    for (size_t i = 0; value.isArray() && i < value.size(); ++i) {
        auto text = value.at(i)["template"].text();
        if (text)
            addTemplate(value.at(i)["name"].text().value_or(""), std::move(*text), names, table);
    }
    for (const std::string& name : value.keys()) {
        if (auto text = value[name].text()) addTemplate(name, std::move(*text), names, table);
    }
}

Result<void> addTemplateFiles(const std::string& folder, std::vector<std::string>& names,
                              MetaTable& table) {
    if (isThere(folder + "/chat_template.jinja")) {
        auto text = readWholeFile(folder + "/chat_template.jinja", kMaxTemplateBytes);
        if (!text) return std::move(text).error();
        addTemplate("default", std::move(*text), names, table);
    }
    std::vector<std::string> others;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder + "/additional_chat_templates", error)) {
        if (entry.path().extension() == ".jinja" && others.size() < kMaxTemplates)
            others.push_back(entry.path().string());
    }
    std::sort(others.begin(), others.end());
    for (const std::string& path : others) {
        auto text = readWholeFile(path, kMaxTemplateBytes);
        if (!text) return std::move(text).error();
        addTemplate(fs::path(path).stem().string(), std::move(*text), names, table);
    }
    return {};
}

/// bos_token and its like are a text or {content}; their ids stand in added_tokens_decoder.
void addSpecialTokens(const JsonValue& config, MetaTable& table) {
    const JsonValue decoder = config["added_tokens_decoder"];
    const auto idOf = [&](const std::string& token) -> int64_t {
        for (const std::string& id : decoder.keys()) {
            const bool isNumber =
                !id.empty() && id.size() < 10 &&
                std::all_of(id.begin(), id.end(), [](char c) { return c >= '0' && c <= '9'; });
            if (isNumber && decoder[id]["content"].text() == token) return std::stoll(id);
        }
        return -1;
    };
    static constexpr std::array<std::array<const char*, 2>, 4> kTokens{{
        {"bos_token", "tokenizer.ggml.bos_token_id"},
        {"eos_token", "tokenizer.ggml.eos_token_id"},
        {"unk_token", "tokenizer.ggml.unknown_token_id"},
        {"pad_token", "tokenizer.ggml.padding_token_id"},
    }};
    for (const auto& [name, key] : kTokens) {
        auto token = config[name].text();
        if (!token) token = config[name]["content"].text();
        const int64_t id = token ? idOf(*token) : -1;
        if (id >= 0) table.add(key, id);
    }
    if (const auto value = config["add_bos_token"].boolean())
        table.add("tokenizer.ggml.add_bos_token", *value);
    if (const auto value = config["add_eos_token"].boolean())
        table.add("tokenizer.ggml.add_eos_token", *value);
}

/// Source: gguf-py constants.py, Keys.General.SAMPLING_*, and metadata.py for the names on the
/// other side.
void addGeneration(const JsonValue& config, MetaTable& table) {
    static constexpr std::array<std::array<const char*, 2>, 4> kNumbers{{
        {"temperature", "general.sampling.temp"},
        {"top_p", "general.sampling.top_p"},
        {"min_p", "general.sampling.min_p"},
        {"repetition_penalty", "general.sampling.penalty_repeat"},
    }};
    for (const auto& [name, key] : kNumbers) {
        if (const auto value = config[name].number()) table.addFloat(key, *value);
    }
    if (const auto value = config["top_k"].integer()) table.add("general.sampling.top_k", *value);
    const JsonValue eos = config["eos_token_id"];
    std::vector<int64_t> ids;
    if (const auto id = eos.integer()) ids.push_back(*id);
    for (size_t i = 0; eos.isArray() && i < std::min<size_t>(eos.size(), 64); ++i) {
        if (const auto id = eos.at(i).integer()) ids.push_back(*id);
    }
    if (ids.empty()) return;
    table.add("tokenizer.ggml.eos_token_id", ids.front());
    table.add("tokenizer.ggml.eos_token_ids", std::move(ids));
}

}  // namespace

Result<void> addFolderKeys(const std::string& folder, MetaTable& table) {
    std::vector<std::string> names;
    if (auto r = addTemplateFiles(folder, names, table); !r) return r;
    auto processor = readIfThere(folder + "/chat_template.json");
    if (!processor) return std::move(processor).error();
    addTemplates((*processor)["chat_template"], names, table);
    auto tokenizer = readIfThere(folder + "/tokenizer_config.json");
    if (!tokenizer) return std::move(tokenizer).error();
    addTemplates((*tokenizer)["chat_template"], names, table);
    if (!names.empty()) table.add("tokenizer.chat_templates", names);
    addSpecialTokens(*tokenizer, table);
    auto generation = readIfThere(folder + "/generation_config.json");
    if (!generation) return std::move(generation).error();
    addGeneration(*generation, table);
    return {};
}

std::string findTokenizer(const std::string& folder) {
    const std::string model = folder + "/tokenizer.model", json = folder + "/tokenizer.json";
    if (isThere(model)) {
        // Other programs' vocabularies have that name too; SentencePiece's begins with its first
        // field, the pieces.
        std::byte first{};
        auto file = RandomAccessFile::open(model);
        const bool isSentencePiece = file && file->sizeBytes() > 0 &&
                                     file->readAt(0, std::span(&first, 1)) &&
                                     first == std::byte{0x0a};
        if (isSentencePiece || !isThere(json)) return model;
    }
    return isThere(json) ? json : "";
}

Error describeForeignFolder(const std::string& folder) {
    if (isThere(folder + "/adapter_config.json"))
        return makeError(Errc::Unsupported,
                         "This folder holds an adapter (LoRA), not a model; open its base model.");
    if (isThere(folder + "/model_index.json"))
        return makeError(Errc::Unsupported,
                         "This folder holds an image model (diffusers), not a language model; "
                         "choose the folder of a language model.");
    if (isThere(folder + "/params.json"))
        return makeError(Errc::Unsupported,
                         "This folder holds a model in its maker's own format (params.json); take "
                         "the version with config.json and model.safetensors, or a GGUF.");
    std::string gguf;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error)) {
        const std::string name = entry.path().filename().string();
        if (name.ends_with(".gguf") && (gguf.empty() || name < gguf)) gguf = name;
    }
    if (!gguf.empty())
        return makeError(Errc::Unsupported,
                         "This is a folder with GGUF files; choose one of them, "
                         "for example " +
                             quotedName(gguf) + ".");
    return makeError(Errc::Io,
                     "This folder has no config.json, so it is not a Hugging Face model; choose a "
                     "model's folder, or a .gguf file.");
}

}  // namespace vitrine::engine
