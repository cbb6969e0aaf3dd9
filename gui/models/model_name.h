#pragma once
// What people call the model behind a path: stores name files and folders by hashes. Thread: any.

#include <QString>

namespace vitrine::gui {

/// "SmolLM2-135M-Instruct.Q4_1" of a file, "org/name" of a folder in the Hugging Face cache, the
/// folder's name of other folders, "Ollama 1234abcd" of a blob. Never fails.
QString modelName(const QString& path);

/// The path itself says nothing to people: a hash.
bool isNamedByHash(const QString& path);

}  // namespace vitrine::gui
