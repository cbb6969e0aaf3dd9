#pragma once
// Ollama's store: blobs without endings, named by what is in them, and manifests that name them.
// Layout: manifests/REGISTRY/NAMESPACE/MODEL/TAG (JSON) and blobs/sha256-HEX. Source: ollama/ollama
// docs/faq and manifest/paths.go. Thread: pure functions, any thread.

#include <atomic>
#include <string>
#include <vector>

#include "engine/library/model_entry.h"

namespace vitrine::engine {

/// What the store at `path` (it holds blobs/ and manifests/) names, then GGUF blobs that no
/// manifest names, then unfinished downloads. Manifests that cannot be read are left out. Never
/// fails.
std::vector<ModelCandidate> listOllamaStore(const std::string& path, size_t maxCandidates,
                                            const std::atomic<bool>& isCancelled);

}  // namespace vitrine::engine
