#pragma once
// Where programs keep models on this machine. Thread: pure functions, any thread.

#include <functional>
#include <string>
#include <vector>

#include "engine/library/model_entry.h"

namespace vitrine::engine {

struct LibraryRoot {
    ModelStore store = ModelStore::Folder;
    std::string path;  ///< absolute, without a slash at the end
};

/// Reads an environment variable; empty when it is not set.
using EnvironmentFn = std::function<std::string(const char* name)>;

/// The stores of other programs that are there, in this order: Hugging Face cache (HF_HUB_CACHE,
/// HF_HOME/hub, ~/.cache/huggingface/hub), LM Studio, Ollama (OLLAMA_MODELS, ~/.ollama/models, the
/// Linux service's). Source: huggingface_hub, LM Studio and Ollama documentation. Never fails.
std::vector<LibraryRoot> knownStores(const EnvironmentFn& environment);

/// The same with this process's environment.
std::vector<LibraryRoot> knownStores();

}  // namespace vitrine::engine
