#pragma once
// Everything that a model file says about itself, for reading: metadata, tensors, tokenizer, chat
// templates. Read without the weights. Thread: readModelDetails is a pure function apart from
// reading files; DetailsReader's functions are called on one thread, its poke comes from another.

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "engine/library/latest_job.h"

namespace vitrine::engine {

struct MetadataRow {
    std::string key;
    std::string type;   ///< "text", "integer", "number", "yes or no", "list of 49152 texts"
    std::string value;  ///< lists shortened, texts whole up to 64 KiB
};

struct TensorRow {
    std::string name, type;
    int nDims = 0;
    std::array<int64_t, 4> shape{1, 1, 1, 1};  ///< fastest axis first, as GGUF writes it
    uint64_t sizeBytes = 0;
};

struct SpecialTokenRow {
    std::string role;  ///< "BOS", "EOS", "ends an answer"
    int32_t id = 0;
    std::string text;
};

struct TokenizerFacts {
    std::string kind;     ///< "byte-level BPE (smollm)"; empty: see problem
    std::string problem;  ///< why it cannot be used, one sentence
    int32_t vocabSize = 0, nControl = 0;
    bool addsBos = false;
    std::vector<SpecialTokenRow> special;  ///< at most 64
};

struct TemplateText {
    std::string name;    ///< "default", or the template's own name
    std::string source;  ///< metadata key or file name
    std::string text;
};

struct ModelDetails {
    std::string path, title, format;
    std::string problem;  ///< the file could not be read: all else is empty
    std::string architecture, quantisation;
    uint64_t fileBytes = 0, weightBytes = 0, nParameters = 0;
    std::vector<std::string> reasons;  ///< why it cannot run, a sentence each
    // Of the configuration, 0 where it could not be read.
    int32_t nLayers = 0, nHeads = 0, nKvHeads = 0, headDim = 0, dim = 0, ffDim = 0, vocab = 0,
            trainedContext = 0;
    std::vector<MetadataRow> metadata;
    std::vector<TensorRow> tensors;
    TokenizerFacts tokenizer;
    std::vector<TemplateText> templates;
};

/// path: what openModelFile takes. Never fails: see ModelDetails::problem.
ModelDetails readModelDetails(const std::string& path, const std::atomic<bool>& isCancelled);

/// Reads details on a thread of its own; the newest request wins.
class DetailsReader {
public:
    explicit DetailsReader(std::function<void()> poke) : poke_(std::move(poke)) {}

    void read(const std::string& path);
    void cancel();
    /// What was read since the last call, or null.
    std::shared_ptr<const ModelDetails> take();

private:
    std::function<void()> poke_;
    std::mutex mutex_;
    std::shared_ptr<const ModelDetails> ready_;
    std::string wanted_;
    LatestJob job_;  ///< last: its end must come before what its job uses
};

}  // namespace vitrine::engine
