#pragma once
// What the small files of a Hugging Face folder add to the weights: chat templates, special tokens,
// recommended sampling; as GGUF keys. Thread: pure functions.

#include <string>

#include "engine/base/result.h"
#include "engine/io/meta_table.h"

namespace vitrine::engine {

/// Reads chat_template.jinja, additional_chat_templates/, chat_template.json,
/// tokenizer_config.json and generation_config.json where they are there. Fails: Io, Format (a
/// file that is there and damaged, named).
Result<void> addFolderKeys(const std::string& folder, MetaTable& table);

/// The tokenizer file to use: tokenizer.model where it is SentencePiece's, else tokenizer.json;
/// empty when there is neither. Never fails.
std::string findTokenizer(const std::string& folder);

/// Why a folder without config.json is not a model, with the next step. Never fails.
Error describeForeignFolder(const std::string& folder);

}  // namespace vitrine::engine
