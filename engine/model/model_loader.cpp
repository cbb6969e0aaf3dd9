// Fills a Model from a file by the plan of its tensors, which has checked them all.

#include <algorithm>
#include <atomic>
#include <cmath>

#include "engine/io/model_file.h"
#include "engine/model/model.h"
#include "engine/model/tensor_plan.h"

namespace vitrine::engine {

using kernels::Backend;
using kernels::Context;
using kernels::Matrix;

namespace {

/// Rows are read and repacked in stretches of about this size, so that a cancel is honoured within
/// milliseconds.
constexpr uint64_t kStretchBytes = 2u << 20;

}  // namespace

/// One load: plan (all checks), then read in the order of the file's specs.
class ModelLoader {
public:
    ModelLoader(Model& model, const ProgressFn& progress, const std::atomic<bool>* cancel)
        : model_(model), progress_(progress), cancel_(cancel) {}

    Result<void> run(const Architecture& arch);

private:
    Result<void> loadMatrix(const PlannedTensor& item);
    Result<void> loadVector(const PlannedTensor& item);
    void place(const PlannedTensor& item, Matrix* matrix);
    void place(const PlannedTensor& item, float* vector);
    Result<void> checkRopeDivisors() const;
    Result<void> advance(uint64_t sizeBytes);

    Model& model_;
    const ProgressFn& progress_;
    const std::atomic<bool>* cancel_;
    std::vector<std::byte> buffer_;
    uint64_t doneBytes_ = 0, totalBytes_ = 0;
};

Result<void> ModelLoader::advance(uint64_t sizeBytes) {
    doneBytes_ += sizeBytes;
    if (progress_) progress_(doneBytes_, totalBytes_);
    if (cancel_ != nullptr && cancel_->load(std::memory_order_relaxed))
        return makeError(Errc::Cancelled, "Loading was stopped.");
    return {};
}

Result<void> ModelLoader::loadMatrix(const PlannedTensor& item) {
    const TensorInfo& info = *item.info;
    Matrix* matrix =
        model_.backend_->matrixCreate(model_.context_, info.dtype, item.count, info.nCols());
    if (matrix == nullptr) {
        return makeError(Errc::OutOfMemory,
                         "There is not enough memory for the weights (at \"" + info.name +
                             "\"); close other programs or choose a smaller model.");
    }
    model_.matrices_.push_back(matrix);
    const uint64_t oneRow = kernels::rowBytes(info.dtype, info.nCols());
    int64_t stretch = static_cast<int64_t>(kStretchBytes / std::max<uint64_t>(oneRow, 1));
    stretch = std::max(kernels::kRowGroup, stretch / kernels::kRowGroup * kernels::kRowGroup);
    for (int64_t row = 0; row < item.count; row += stretch) {
        const int64_t nRows = std::min(stretch, item.count - row);
        buffer_.resize(static_cast<size_t>(nRows) * oneRow);
        auto read = model_.file_->readTensor(info, static_cast<uint64_t>(item.first + row) * oneRow,
                                             buffer_);
        if (!read) return read;
        model_.backend_->matrixFill(model_.context_, matrix, buffer_.data(), row, nRows);
        auto moved = advance(buffer_.size());
        if (!moved) return moved;
    }
    model_.weightBytes_ += model_.backend_->matrixBytes(matrix);
    place(item, matrix);
    return {};
}

Result<void> ModelLoader::loadVector(const PlannedTensor& item) {
    const TensorInfo& info = *item.info;
    buffer_.resize(info.sizeBytes);
    auto read = model_.file_->readTensor(info, 0, buffer_);
    if (!read) return read;
    std::vector<float> values(static_cast<size_t>(info.nCols()));
    kernels::decodeRow(info.dtype, buffer_.data(), values.data(), info.nCols());
    values.erase(values.begin(), values.begin() + item.first);
    values.resize(static_cast<size_t>(item.count));
    const size_t sizeBytes = values.size() * sizeof(float);
    RopeConfig& rope = model_.config_.rope;
    if (item.slot == Slot::RopeFreqs || item.slot == Slot::RopeFactorsShort ||
        item.slot == Slot::RopeFactorsLong) {
        (item.slot == Slot::RopeFreqs          ? rope.freqDivisors
         : item.slot == Slot::RopeFactorsShort ? rope.shortDivisors
                                               : rope.longDivisors) = std::move(values);
        return advance(sizeBytes);
    }
    auto* data = static_cast<float*>(model_.backend_->alloc(model_.context_, sizeBytes));
    if (data == nullptr)
        return makeError(Errc::OutOfMemory, "There is not enough memory for the weights.");
    model_.vectors_.emplace_back(data, sizeBytes);
    model_.backend_->upload(model_.context_, data, values.data(), sizeBytes);
    model_.weightBytes_ += sizeBytes;
    place(item, data);
    return advance(sizeBytes);
}

void ModelLoader::place(const PlannedTensor& item, Matrix* matrix) {
    const uint64_t sizeBytes = model_.backend_->matrixBytes(matrix);
    if (item.layer < 0) {
        if (item.slot == Slot::PositionEmbedding) {
            model_.positions_ = matrix;
        } else if (item.slot == Slot::TokenEmbedding) {
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
    const SlotInfo slot = slotInfo(model_.config_, item.slot);
    if (slot.experts != nullptr) {
        (layer.*slot.experts).push_back(matrix);  // in order, as they were planned
    } else {
        VITRINE_CHECK(slot.matrix != nullptr);
        layer.*slot.matrix = matrix;
    }
    switch (slot.use) {
        case ByteUse::None: break;
        case ByteUse::Qkv: bytes.qkv += sizeBytes; break;
        case ByteUse::Out: bytes.out += sizeBytes; break;
        case ByteUse::FeedForward: bytes.ffn += sizeBytes; break;
        case ByteUse::Experts: bytes.experts += sizeBytes; break;
    }
}

void ModelLoader::place(const PlannedTensor& item, float* vector) {
    if (item.layer < 0) {
        (item.slot == Slot::OutputNorm ? model_.outputNorm_ : model_.outputNormBias_) = vector;
        return;
    }
    const SlotInfo slot = slotInfo(model_.config_, item.slot);
    VITRINE_CHECK(slot.vector != nullptr);
    model_.layers_[static_cast<size_t>(item.layer)].*slot.vector = vector;
}

Result<void> ModelLoader::checkRopeDivisors() const {
    const RopeConfig& rope = model_.config_.rope;
    for (const auto* divisors : {&rope.freqDivisors, &rope.shortDivisors, &rope.longDivisors}) {
        for (float divisor : *divisors) {
            if (!(divisor > 0) || !std::isfinite(divisor))
                return makeError(Errc::Format,
                                 "A RoPE factor of the model file is not a positive number; the "
                                 "file is damaged.");
        }
    }
    const bool isHalf = rope.shortDivisors.empty() != rope.longDivisors.empty();
    if (isHalf || (rope.needsFactors && !rope.isLongRope()))
        return makeError(Errc::Format,
                         "This model's LongRoPE needs the tensors \"rope_factors_short.weight\" "
                         "and \"rope_factors_long.weight\", and the file lacks them; convert it "
                         "again.");
    return {};
}

Result<void> ModelLoader::run(const Architecture& arch) {
    auto planned = planTensors(*model_.file_, arch, model_.config_);
    if (!planned) return std::move(planned).error();
    const auto nLayers = static_cast<size_t>(model_.config_.nLayers);
    model_.layers_.resize(nLayers);
    model_.layerBytes_.resize(nLayers);
    for (const PlannedTensor& item : *planned) {
        const bool isMatrix = slotInfo(model_.config_, item.slot).isMatrix;
        const uint64_t one =
            isMatrix ? kernels::rowBytes(item.info->dtype, item.info->nCols()) : sizeof(float);
        totalBytes_ += static_cast<uint64_t>(item.count) * one;
        model_.nParameters_ += static_cast<uint64_t>(item.count) *
                               static_cast<uint64_t>(isMatrix ? item.info->nCols() : 1);
    }
    for (const PlannedTensor& item : *planned) {
        const bool isMatrix = slotInfo(model_.config_, item.slot).isMatrix;
        auto loaded = isMatrix ? loadMatrix(item) : loadVector(item);
        if (!loaded) return loaded;
    }
    return checkRopeDivisors();
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
