// Fills a Model from a file: every tensor's shape is checked against the configuration before a
// byte is allocated.

#include <algorithm>
#include <atomic>
#include <cstring>

#include "engine/io/model_file.h"
#include "engine/model/model.h"

namespace vitrine::engine {

using kernels::Backend;
using kernels::Context;
using kernels::Matrix;

namespace {

/// Rows are read and repacked in stretches of about this size, so that a cancel is honoured within
/// milliseconds.
constexpr uint64_t kStretchBytes = 2u << 20;

struct Shape {
    int64_t nRows = 0, nCols = 0;
};

Shape expectedShape(const ModelConfig& c, Slot slot) {
    const int64_t qRows = int64_t{c.nHeads} * c.headDim;
    const int64_t kvRows = int64_t{c.nKvHeads} * c.headDim;
    switch (slot) {
        case Slot::TokenEmbedding:
        case Slot::Output: return {c.vocab, c.dim};
        case Slot::OutputNorm:
        case Slot::AttnNorm:
        case Slot::FfnNorm: return {1, c.dim};
        case Slot::RopeFreqs: return {1, c.rope.dim / 2};
        case Slot::AttnQ: return {qRows, c.dim};
        case Slot::AttnK:
        case Slot::AttnV: return {kvRows, c.dim};
        case Slot::AttnQBias: return {1, qRows};
        case Slot::AttnKBias:
        case Slot::AttnVBias: return {1, kvRows};
        case Slot::AttnOut: return {c.dim, qRows};
        case Slot::FfnGate:
        case Slot::FfnUp: return {c.ffDim, c.dim};
        case Slot::FfnDown: return {c.dim, c.ffDim};
    }
    return {};
}

std::string shapeText(int64_t nRows, int64_t nCols) {
    return std::to_string(nRows) + " × " + std::to_string(nCols);
}

}  // namespace

/// One load: plan (all checks), then read in the order of the file's specs.
class ModelLoader {
public:
    ModelLoader(Model& model, const ProgressFn& progress, const std::atomic<bool>* cancel)
        : model_(model), progress_(progress), cancel_(cancel) {}

    Result<void> run(const Architecture& arch);

private:
    struct Item {
        const TensorInfo* info;
        TensorSpec spec;
        int32_t layer;  // −1 = not in a layer
    };

    Result<void> plan(const Architecture& arch);
    Result<void> check(const TensorInfo& info, const TensorSpec& spec) const;
    Result<void> loadMatrix(const Item& item);
    Result<void> loadVector(const Item& item);
    void place(const Item& item, Matrix* matrix);
    void place(const Item& item, float* vector);
    Result<void> advance(uint64_t sizeBytes);

    Model& model_;
    const ProgressFn& progress_;
    const std::atomic<bool>* cancel_;
    std::vector<Item> items_;
    std::vector<std::byte> buffer_;
    uint64_t doneBytes_ = 0, totalBytes_ = 0;
};

Result<void> ModelLoader::check(const TensorInfo& info, const TensorSpec& spec) const {
    const Shape want = expectedShape(model_.config_, spec.slot);
    if (info.nCols() != want.nCols || info.nRows() != want.nRows) {
        return makeError(Errc::Format, "The tensor \"" + info.name + "\" is " +
                                           shapeText(info.nRows(), info.nCols()) + " where " +
                                           shapeText(want.nRows, want.nCols) +
                                           " is due; the file is damaged or not for this program.");
    }
    return {};
}

Result<void> ModelLoader::plan(const Architecture& arch) {
    const ModelFile& file = *model_.file_;
    for (const TensorSpec& spec : arch.tensors()) {
        const int32_t count = spec.perLayer ? model_.config_.nLayers : 1;
        for (int32_t i = 0; i < count; ++i) {
            const std::string name =
                spec.perLayer ? "blk." + std::to_string(i) + "." + spec.name : spec.name;
            const TensorInfo* info = file.tensor(name);
            if (info == nullptr) {
                if (!spec.required) continue;
                return makeError(Errc::Format, "The tensor \"" + name +
                                                   "\" is missing; the file is incomplete or of "
                                                   "another architecture.");
            }
            auto checked = check(*info, spec);
            if (!checked) return checked;
            items_.push_back({info, spec, spec.perLayer ? i : -1});
            totalBytes_ += info->sizeBytes;
            model_.nParameters_ += static_cast<uint64_t>(info->nRows() * info->nCols());
        }
    }
    return {};
}

Result<void> ModelLoader::advance(uint64_t sizeBytes) {
    doneBytes_ += sizeBytes;
    if (progress_) progress_(doneBytes_, totalBytes_);
    if (cancel_ != nullptr && cancel_->load(std::memory_order_relaxed))
        return makeError(Errc::Cancelled, "Loading was stopped.");
    return {};
}

Result<void> ModelLoader::loadMatrix(const Item& item) {
    const TensorInfo& info = *item.info;
    Matrix* matrix =
        model_.backend_->matrixCreate(model_.context_, info.dtype, info.nRows(), info.nCols());
    if (matrix == nullptr) {
        return makeError(Errc::OutOfMemory,
                         "There is not enough memory for the weights (at \"" + info.name +
                             "\"); close other programs or choose a smaller model.");
    }
    model_.matrices_.push_back(matrix);
    const uint64_t oneRow = kernels::rowBytes(info.dtype, info.nCols());
    int64_t stretch = static_cast<int64_t>(kStretchBytes / std::max<uint64_t>(oneRow, 1));
    stretch = std::max(kernels::kRowGroup, stretch / kernels::kRowGroup * kernels::kRowGroup);
    for (int64_t row = 0; row < info.nRows(); row += stretch) {
        const int64_t nRows = std::min(stretch, info.nRows() - row);
        buffer_.resize(static_cast<size_t>(nRows) * oneRow);
        auto read = model_.file_->readTensor(info, static_cast<uint64_t>(row) * oneRow, buffer_);
        if (!read) return read;
        model_.backend_->matrixFill(model_.context_, matrix, buffer_.data(), row, nRows);
        auto moved = advance(buffer_.size());
        if (!moved) return moved;
    }
    model_.weightBytes_ += model_.backend_->matrixBytes(matrix);
    place(item, matrix);
    return {};
}

Result<void> ModelLoader::loadVector(const Item& item) {
    const TensorInfo& info = *item.info;
    const int64_t n = info.nCols();
    buffer_.resize(info.sizeBytes);
    auto read = model_.file_->readTensor(info, 0, buffer_);
    if (!read) return read;
    std::vector<float> values(static_cast<size_t>(n));
    kernels::decodeRow(info.dtype, buffer_.data(), values.data(), n);
    if (item.spec.slot == Slot::RopeFreqs) {
        model_.config_.rope.freqDivisors = std::move(values);
        return advance(info.sizeBytes);
    }
    const size_t sizeBytes = static_cast<size_t>(n) * sizeof(float);
    auto* data = static_cast<float*>(model_.backend_->alloc(model_.context_, sizeBytes));
    if (data == nullptr)
        return makeError(Errc::OutOfMemory, "There is not enough memory for the weights.");
    model_.vectors_.emplace_back(data, sizeBytes);
    model_.backend_->upload(model_.context_, data, values.data(), sizeBytes);
    model_.weightBytes_ += sizeBytes;
    place(item, data);
    return advance(info.sizeBytes);
}

void ModelLoader::place(const Item& item, Matrix* matrix) {
    const uint64_t sizeBytes = model_.backend_->matrixBytes(matrix);
    if (item.layer < 0) {
        if (item.spec.slot == Slot::TokenEmbedding) {
            model_.tokenEmbedding_ = matrix;
            if (model_.headBytes_ == 0) model_.headBytes_ = sizeBytes;
        } else {
            model_.output_ = matrix;
            model_.headBytes_ = sizeBytes;
        }
        return;
    }
    LayerWeights& layer = model_.layers_[static_cast<size_t>(item.layer)];
    Model::LayerBytes& bytes = model_.layerBytes_[static_cast<size_t>(item.layer)];
    switch (item.spec.slot) {
        case Slot::AttnQ: layer.q = matrix, bytes.qkv += sizeBytes; break;
        case Slot::AttnK: layer.k = matrix, bytes.qkv += sizeBytes; break;
        case Slot::AttnV: layer.v = matrix, bytes.qkv += sizeBytes; break;
        case Slot::AttnOut: layer.out = matrix, bytes.out += sizeBytes; break;
        case Slot::FfnGate: layer.gate = matrix, bytes.ffn += sizeBytes; break;
        case Slot::FfnUp: layer.up = matrix, bytes.ffn += sizeBytes; break;
        case Slot::FfnDown: layer.down = matrix, bytes.ffn += sizeBytes; break;
        default: VITRINE_CHECK(false);
    }
}

void ModelLoader::place(const Item& item, float* vector) {
    if (item.layer < 0) {
        model_.outputNorm_ = vector;
        return;
    }
    LayerWeights& layer = model_.layers_[static_cast<size_t>(item.layer)];
    switch (item.spec.slot) {
        case Slot::AttnNorm: layer.attnNorm = vector; break;
        case Slot::FfnNorm: layer.ffnNorm = vector; break;
        case Slot::AttnQBias: layer.qBias = vector; break;
        case Slot::AttnKBias: layer.kBias = vector; break;
        case Slot::AttnVBias: layer.vBias = vector; break;
        default: VITRINE_CHECK(false);
    }
}

Result<void> ModelLoader::run(const Architecture& arch) {
    auto planned = plan(arch);
    if (!planned) return planned;
    const auto nLayers = static_cast<size_t>(model_.config_.nLayers);
    model_.layers_.resize(nLayers);
    model_.layerBytes_.resize(nLayers);
    for (const Item& item : items_) {
        auto loaded = item.spec.isMatrix ? loadMatrix(item) : loadVector(item);
        if (!loaded) return loaded;
    }
    for (float divisor : model_.config_.rope.freqDivisors) {
        if (!(divisor > 0))
            return makeError(Errc::Format,
                             "The tensor \"rope_freqs.weight\" holds a factor that is not "
                             "positive; the file is damaged.");
    }
    return {};
}

Result<std::unique_ptr<Model>> Model::load(std::shared_ptr<const ModelFile> file,
                                           const Backend* backend, Context* context,
                                           const ProgressFn& progress,
                                           const std::atomic<bool>* cancel) {
    auto arch = findArchitecture(*file);
    if (!arch) return std::move(arch).error();
    auto config = (*arch)->readConfig(*file);
    if (!config) return std::move(config).error();
    auto tokenizer = makeTokenizer(*file);
    if (!tokenizer) return std::move(tokenizer).error();
    // A vocabulary may be padded in the embedding, never the other way round: its ids index the
    // embedding's rows.
    if ((*tokenizer)->vocabSize() > config->vocab)
        return makeError(Errc::Format,
                         "The tokenizer has more tokens than the embedding has rows; the file is "
                         "damaged.");

    std::unique_ptr<Model> model(new Model);
    model->backend_ = backend;
    model->context_ = context;
    model->file_ = std::move(file);
    model->config_ = std::move(*config);
    model->tokenizer_ = std::move(*tokenizer);
    model->chatTemplate_ = ChatTemplate::choose(*model->file_, *model->tokenizer_);
    auto loaded = ModelLoader(*model, progress, cancel).run(**arch);
    if (!loaded) return std::move(loaded).error();
    return model;
}

}  // namespace vitrine::engine
