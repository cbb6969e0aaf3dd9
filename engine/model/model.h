#pragma once
// A loaded model: configuration, weights in the backend's memory, tokenizer and chat template.
// Thread: loaded and used on the engine thread; config, tokenizer and template are immutable.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/model/architecture.h"
#include "engine/model/config.h"
#include "engine/model/layer_weights.h"
#include "engine/text/chat_template.h"
#include "engine/text/tokenizer.h"
#include "kernels/api/backend.h"

namespace vitrine::engine {

class ModelFile;

/// Done bytes of total bytes of the weights; called on the loading thread at most every few MiB.
using ProgressFn = std::function<void(uint64_t doneBytes, uint64_t totalBytes)>;

class Model {
public:
    /// Reads everything; `backend`/`context` must outlive the model. `cancel` may be null and is
    /// read every few MiB. Fails: Io, Format, Unsupported, OutOfMemory, Cancelled.
    static Result<std::unique_ptr<Model>> load(std::shared_ptr<const ModelFile> file,
                                               const kernels::Backend* backend,
                                               kernels::Context* context,
                                               const ProgressFn& progress,
                                               const std::atomic<bool>* cancel);
    ~Model();
    Model(const Model&) = delete;
    Model& operator=(const Model&) = delete;

    const ModelConfig& config() const { return config_; }

    const Tokenizer& tokenizer() const { return *tokenizer_; }

    const ChatTemplate& chatTemplate() const { return chatTemplate_; }

    const ModelFile& file() const { return *file_; }

    const kernels::Matrix* tokenEmbedding() const { return tokenEmbedding_; }  // [vocab, dim]

    const kernels::Matrix* positions() const { return positions_; }  // [context, dim] or null

    const kernels::Matrix* output() const {
        return output_ ? output_ : tokenEmbedding_;
    }  // [vocab, dim]

    const float* outputNorm() const { return outputNorm_; }  // [dim]

    const float* outputNormBias() const { return outputNormBias_; }  // [dim] or null

    const LayerWeights& layer(int32_t index) const { return layers_[static_cast<size_t>(index)]; }

    uint64_t weightBytes() const { return weightBytes_; }

    uint64_t nParameters() const { return nParameters_; }

    /// Stored bytes of a layer's weights by use, for derived byte counts: attention projections,
    /// output projection, feed-forward (with the router), all experts.
    struct LayerBytes {
        uint64_t qkv = 0, out = 0, ffn = 0, experts = 0;
    };

    const LayerBytes& layerBytes(int32_t index) const {
        return layerBytes_[static_cast<size_t>(index)];
    }

    uint64_t headBytes() const { return headBytes_; }

private:
    Model() = default;
    friend class ModelLoader;

    const kernels::Backend* backend_ = nullptr;
    kernels::Context* context_ = nullptr;
    std::shared_ptr<const ModelFile> file_;
    ModelConfig config_;
    std::unique_ptr<Tokenizer> tokenizer_;
    ChatTemplate chatTemplate_;
    kernels::Matrix* tokenEmbedding_ = nullptr;
    kernels::Matrix* positions_ = nullptr;
    kernels::Matrix* output_ = nullptr;
    float* outputNorm_ = nullptr;
    float* outputNormBias_ = nullptr;
    std::vector<LayerWeights> layers_;
    std::vector<LayerBytes> layerBytes_;
    std::vector<kernels::Matrix*> matrices_;          // all, owned
    std::vector<std::pair<float*, size_t>> vectors_;  // all with their bytes, owned
    uint64_t weightBytes_ = 0, nParameters_ = 0, headBytes_ = 0;
};

/// The most frequent matrix type by bytes, as people name files ("Q4_1", "Q4_K mix"). Never fails.
std::string describeQuantisation(const ModelFile& file);

}  // namespace vitrine::engine
