#include "gui/views/attention_feed.h"

#include <algorithm>

#include "gui/models/engine_text.h"
#include "gui/models/moment.h"

namespace vitrine::gui {
namespace {

constexpr uint32_t kCellSlot = 1, kLaneSlot = 2, kProbeSlot = 3;
constexpr int kTickMs = 100;       // at most ten requests a second per slot
constexpr int kPatienceMs = 2000;  // an unanswered tile request is given up after this
// The engine answers an atlas in the end, but asking anew would make it begin anew.
constexpr int kAtlasPatienceMs = 30000;
constexpr int kCostFactor = 12;  // computing tiles stays under about 1/12 of the time
constexpr int kMaxFruitless = 3;
// The engine gives pictures a tenth of its time while a run goes on, a layer at a time; costlier
// atlases wait until the run is over.
constexpr int64_t kMaxAtlasNs = 400'000'000;
constexpr double kAtlasFlopsPerNs = 8;  // careful guess until one has been timed
constexpr int32_t kAtlasCells = 64;

}  // namespace

AttentionFeed::AttentionFeed(AttentionSource* source, QObject* parent)
    : QObject(parent), source_(source), snapshot_(std::make_shared<Snapshot>()) {
    clock_.start();
    timer_.setInterval(kTickMs);
    connect(&timer_, &QTimer::timeout, this, &AttentionFeed::pump);
    if (!source_) return;
    connect(source_, &AttentionSource::tileReady, this, &AttentionFeed::take);
    connect(source_, &AttentionSource::atlasReady, this, &AttentionFeed::takeAtlas);
}

void AttentionFeed::setActive(bool isActive) {
    isActive_ = isActive;
    if (isActive)
        timer_.start();
    else
        timer_.stop();
}

void AttentionFeed::restart() {
    cells_.reset();
    lane_.reset();
    if (!view_.isEmpty()) setViewport(view_, pixels_);
    probe_.reset();
    reason_.clear();
    cellSlot_ = laneSlot_ = probeSlot_ = Slot();
    emit cellsChanged();
    emit probeChanged();
}

void AttentionFeed::setSnapshot(const SnapshotPtr& snapshot) {
    const bool hadModel = snapshot_->model != snapshot->model;
    snapshot_ = snapshot;
    const uint32_t runId = snapshot->run ? snapshot->run->runId : 0;
    const int32_t ready = readyRows(*snapshot, head_ < 0 ? layer_ : layer_);
    if (hadModel || runId != runId_ || snapshot->isAttentionLive != isLive_ ||
        ready < cells_.doneRows()) {
        runId_ = runId;
        isLive_ = snapshot->isAttentionLive;
        ready_ = ready;
        atlas_.reset();
        atlasTokens_ = 0;
        atlasSlot_ = Slot();
        emit atlasChanged();
        restart();
    }
    ready_ = ready;
    pump();
}

void AttentionFeed::setLayerHead(int32_t layer, int32_t head) {
    if (layer == layer_ && head == head_) return;
    layer_ = layer;
    head_ = head;
    ready_ = readyRows(*snapshot_, layer_);
    restart();
    pump();
}

void AttentionFeed::setViewport(const CellRange& view, const QSize& pixels) {
    view_ = view;
    pixels_ = pixels;
    if (view.isEmpty()) return;
    // A margin around what is visible, so that a small move finds its cells there already.
    const int32_t rowMargin = (view.endRow - view.firstRow) / 4;
    const int32_t keyMargin = (view.endKey - view.firstKey) / 4;
    const int32_t end = snapshot_->run ? static_cast<int32_t>(snapshot_->run->tokens.size()) : 0;
    CellRange wide{std::max(0, view.firstRow - rowMargin), std::min(end, view.endRow + rowMargin),
                   std::max(0, view.firstKey - keyMargin), std::min(end, view.endKey + keyMargin)};
    const auto share = [](int32_t part, int32_t whole, int pixelCount) {
        return static_cast<int32_t>(static_cast<int64_t>(pixelCount) * whole / std::max(1, part));
    };
    const int32_t maxRows =
        share(view.endRow - view.firstRow, wide.endRow - wide.firstRow, pixels.height());
    const int32_t maxCols =
        share(view.endKey - view.firstKey, wide.endKey - wide.firstKey, pixels.width());
    cells_.setViewport(wide, std::min(maxRows, 1024), std::min(maxCols, 1024));
    lane_.setViewport({wide.firstRow, wide.endRow, 0, 1}, std::min(maxRows, 1024), 1);
}

void AttentionFeed::setHidesSink(bool hidesSink) {
    if (hidesSink == hidesSink_) return;
    hidesSink_ = hidesSink;
    cells_.setKeyOrigin(hidesSink ? 1 : 0);
    restart();
    pump();
}

void AttentionFeed::setProbe(std::optional<int32_t> pos, std::optional<int32_t> keyPos) {
    if (pos == probePos_ && keyPos == probeKey_) return;
    probePos_ = pos;
    probeKey_ = keyPos;
    probe_.reset();
    probeSlot_ = Slot();
    emit probeChanged();
    askProbe();
}

bool AttentionFeed::mayAsk(const Slot& slot) const {
    if (!isActive_ || !source_ || !isLive_ || !snapshot_->model) return false;
    const qint64 now = clock_.elapsed();
    if (slot.fruitless >= kMaxFruitless && !(snapshot_->run && snapshot_->run->isRunning))
        return false;
    if (slot.requestId != 0) {
        const int patienceMs = &slot == &atlasSlot_ ? kAtlasPatienceMs : kPatienceMs;
        return now - slot.sentMs >= patienceMs;
    }
    return now >= slot.notBeforeMs;
}

void AttentionFeed::ask(Slot& slot, HeatMapStore& store, uint32_t number) {
    if (!mayAsk(slot)) return;
    auto request = store.nextRequest(ready_);
    if (!request) return;
    request->slot = number;
    request->layer = engine::LayerId(layer_);
    request->head = head_;
    slot.sentMs = clock_.elapsed();
    slot.requestId = source_->requestTile(*request);
}

void AttentionFeed::askProbe() {
    if (!probePos_ || !probeKey_ || probe_ || *probeKey_ > *probePos_ || *probePos_ >= ready_ ||
        !mayAsk(probeSlot_))
        return;
    engine::RequestTile request;
    request.slot = kProbeSlot;
    request.layer = engine::LayerId(layer_);
    request.head = head_;
    request.firstRow = *probePos_;
    request.nRows = 1;
    request.firstKey = *probeKey_;
    request.nKeys = 1;
    probeSlot_.sentMs = clock_.elapsed();
    probeSlot_.requestId = source_->requestTile(request);
}

int64_t AttentionFeed::expectedAtlasNs() const {
    const double tokens = ready_;
    if (atlas_ && atlas_->computeNs > 0 && atlas_->nTokens > 0) {
        const double growth = tokens / atlas_->nTokens;
        return static_cast<int64_t>(static_cast<double>(atlas_->computeNs) * growth * growth);
    }
    const auto& model = *snapshot_->model;
    const double flops = static_cast<double>(model.nLayers) * model.nHeads * model.headDim *
                         tokens * tokens;  // 2 per pair, half of the square
    return static_cast<int64_t>(flops / kAtlasFlopsPerNs);
}

void AttentionFeed::askAtlas() {
    if (!mayAsk(atlasSlot_) || ready_ <= 0 || ready_ == atlasTokens_) return;
    const bool isRunning = snapshot_->run && snapshot_->run->isRunning;
    if (isRunning && snapshot_->frame.phase == observe::Phase::Prefill) return;
    if (isRunning && expectedAtlasNs() > kMaxAtlasNs) return;
    atlasTokens_ = ready_;
    atlasSlot_.sentMs = clock_.elapsed();
    atlasSlot_.requestId = source_->requestAtlas(kAtlasCells);
}

void AttentionFeed::pump() {
    if (!isActive_ || !source_) return;
    ask(cellSlot_, cells_, kCellSlot);
    ask(laneSlot_, lane_, kLaneSlot);
    askProbe();
    askAtlas();
}

void AttentionFeed::take(const std::shared_ptr<const engine::TileReply>& reply) {
    if (!reply) return;
    Slot* slot = reply->slot == kCellSlot    ? &cellSlot_
                 : reply->slot == kLaneSlot  ? &laneSlot_
                 : reply->slot == kProbeSlot ? &probeSlot_
                                             : nullptr;
    if (!slot || slot->requestId == 0 || reply->requestId != slot->requestId ||
        reply->layer.value != layer_ || reply->head != head_)
        return;
    slot->requestId = 0;
    const bool isRunning = snapshot_->run && snapshot_->run->isRunning;
    const qint64 costMs = std::max<int64_t>(0, reply->computeNs) / 1'000'000 * kCostFactor;
    slot->notBeforeMs = isRunning ? slot->sentMs + std::max<qint64>(kTickMs, costMs) : 0;
    if (!reply->notAvailable.empty()) {
        ++slot->fruitless;
        // While a run is young its rows may only just not be there: a reason counts when it stays.
        const bool isFinal = !isRunning || (slot->fruitless >= kMaxFruitless &&
                                            snapshot_->frame.phase != observe::Phase::Prefill);
        slot->notBeforeMs = clock_.elapsed() + (isFinal ? 1000 : 2 * kTickMs);
        const QString reason = engineText(reply->notAvailable);
        if (isFinal && slot != &probeSlot_ && reason != reason_) {
            reason_ = reason;
            emit cellsChanged();
        }
        return;
    }
    if (slot == &probeSlot_) {
        if (reply->cells.size() == 1 && probePos_ && probeKey_ && reply->firstRow == *probePos_ &&
            reply->firstKey == *probeKey_) {
            slot->fruitless = 0;
            probe_ = Probe{*probePos_, *probeKey_, reply->cells[0], std::nullopt};
            if (head_ >= 0 && reply->lse.size() == 1) probe_->lse = reply->lse[0];
            emit probeChanged();
        } else {
            ++slot->fruitless;
        }
        return;
    }
    HeatMapStore& store = slot == &cellSlot_ ? cells_ : lane_;
    if (store.accept(*reply)) {
        slot->fruitless = 0;
        reason_.clear();
        emit cellsChanged();
        ask(*slot, store, reply->slot);  // the rest of a large area
    } else {
        ++slot->fruitless;
    }
}

void AttentionFeed::takeAtlas(const std::shared_ptr<const engine::AtlasReply>& reply) {
    if (!reply || atlasSlot_.requestId == 0 || reply->requestId != atlasSlot_.requestId) return;
    atlasSlot_.requestId = 0;
    const qint64 costMs = std::max<int64_t>(0, reply->computeNs) / 1'000'000;
    atlasSlot_.notBeforeMs = atlasSlot_.sentMs + std::max<qint64>(1000, costMs * 20);
    if (!reply->notAvailable.empty()) {
        ++atlasSlot_.fruitless;
        return;
    }
    atlasSlot_.fruitless = 0;
    atlas_ = reply;
    emit atlasChanged();
}

}  // namespace vitrine::gui
