#pragma once
// One line of the model library: what a header says about a model, without reading its weights.
// Thread: plain values; summarize* are pure functions apart from reading files, any thread.

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

namespace vitrine::engine {

/// Where a model was found.
enum class ModelStore { Vitrine, Folder, HuggingFace, LmStudio, Ollama };

/// What a file is. Everything but Model is left out of the library's list and counted.
enum class ModelKind {
    Model,
    Projector,   ///< image part of a multimodal model (mmproj)
    Adapter,     ///< LoRA
    VocabOnly,   ///< a tokenizer without weights
    Imatrix,     ///< statistics for quantising
    Other,       ///< control vectors and the like
    Partial,     ///< a download that is not finished, or a link whose file is not there
    LaterShard,  ///< part 2 … N of a split model; the first part stands for all
};

struct ModelEntry {
    std::string path;    ///< what openModelFile takes: a file, a first shard, or a folder
    std::string name;    ///< file name without its ending, "org/name", or Ollama's "name:tag"
    std::string detail;  ///< the store's name for where it lies ("org/repository"), may be empty
    std::string title;   ///< general.name of the metadata, may be empty
    ModelStore store = ModelStore::Folder;
    ModelKind kind = ModelKind::Model;
    std::string format;        ///< "GGUF v3", "safetensors"
    uint64_t sizeBytes = 0;    ///< of all shards
    int64_t modifiedS = 0;     ///< Unix time
    std::string quantisation;  ///< as people name files ("Q4_K_M"), or the most frequent type
    std::string architecture;
    uint64_t nParameters = 0;    ///< 0 = not known
    int64_t trainedContext = 0;  ///< tokens; 0 = not known
    int32_t nShards = 1;         ///< files that the model is split into
    std::string missingShards;   ///< "2, 5": those that are not there
    bool isSupported = false;    ///< by what the header says; the weights were not read
    std::string problem;         ///< why not, one sentence; empty when it is
};

/// A file or folder that looks like a model from its name and neighbours.
struct ModelCandidate {
    enum class Type { Gguf, Folder, AdapterFolder, Imatrix, Partial, LaterShard };
    Type type = Type::Gguf;
    std::string path;
    std::string name, detail;         ///< as in ModelEntry; empty: from the file
    std::vector<std::string> shards;  ///< all that are there, the first included; empty = one file
    int32_t nShards = 1;
    std::string missingShards;
    ModelStore store = ModelStore::Folder;
};

/// Reads the header(s) of a candidate. Never fails: what cannot be read has isSupported false and
/// the reason. sizeBytes and modifiedS are the caller's to fill in.
ModelEntry summarizeModel(const ModelCandidate& candidate);

/// "mmproj-x-f16" of "/a/mmproj-x-f16.gguf". Never fails.
std::string fileStem(const std::string& path);

}  // namespace vitrine::engine
