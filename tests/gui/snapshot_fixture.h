#pragma once
// Made-up snapshots and a made-up attention source for tests of views: clearly test data,
// repeatable, of any size. Nothing here is measured. Thread: GUI thread.

#include <QTimer>

#include "gui/views/view.h"

namespace vitrine::gui::fixture {

struct Spec {
    int32_t nLayers = 30, nHeads = 9, nKvHeads = 3, headDim = 64;
    int32_t promptTokens = 48, cachedTokens = 0, generated = 60;
    int32_t contextSize = 2048;
    bool isRunning = false;
    bool isPrefilling = false;  ///< in the middle of the prompt's last chunk
    bool isRecorded = false;
    uint64_t droppedEvents = 0;
    bool isChinese = false;
    uint32_t runId = 1;
    int32_t earlierRuns = 1;
};

/// No model, no run.
SnapshotPtr nothing();
/// A model, no run.
SnapshotPtr modelOnly();
SnapshotPtr make(const Spec& spec);
/// The same run one token longer (shares the earlier records).
SnapshotPtr grown(const SnapshotPtr& from, int32_t tokens);
/// NaN probabilities, absurd times and sizes, missing records, shapes that do not fit.
SnapshotPtr absurd();

/// The made-up attention value that the source answers with: a sink, a diagonal band, and 0.9 at
/// (plantedRow, plantedKey).
float attentionValue(int32_t layer, int32_t head, int32_t row, int32_t key);
inline constexpr int32_t kPlantedRow = 40, kPlantedKey = 17;

/// Answers at once or, with `isQueued`, from the event loop.
class Source : public AttentionSource {
    Q_OBJECT
public:
    explicit Source(QObject* parent = nullptr);
    uint64_t requestTile(engine::RequestTile request) override;
    uint64_t requestAtlas(int32_t cells) override;

    void recompute() override { ++recomputes; }

    int32_t nLayers = 30, nHeads = 9, nTokens = 108;
    bool isSilent = false;                   ///< never answers
    std::string notAvailable;                ///< answers only this
    int32_t firstKeptRow = 0;                ///< rows before it are NaN
    std::vector<engine::RequestTile> tiles;  ///< all that were asked for
    int atlases = 0, recomputes = 0;

private:
    uint64_t nextId_ = 1;
};

}  // namespace vitrine::gui::fixture
