#pragma once
// Pulls attention for the attention view: tiles of the visible cells, the sink lane, the chosen
// cell exactly, and the atlas. Asks only for what is missing, at most about ten times a second, and
// so seldom that computing it stays a small share of the engine's time. Thread: GUI thread.

#include <optional>

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include "gui/models/heat_map_store.h"
#include "gui/views/view.h"

namespace vitrine::gui {

class AttentionFeed : public QObject {
    Q_OBJECT
public:
    explicit AttentionFeed(AttentionSource* source, QObject* parent = nullptr);

    /// Only an active feed asks for anything.
    void setActive(bool isActive);
    void setSnapshot(const SnapshotPtr& snapshot);
    void setLayerHead(int32_t layer, int32_t head);
    /// Visible positions and the device pixels that they get.
    void setViewport(const CellRange& view, const QSize& pixels);
    /// Leaves the first key out of the cells (it stays in the lane).
    void setHidesSink(bool hidesSink);
    /// The chosen cell; its value and log-sum-exp are asked for exactly.
    void setProbe(std::optional<int32_t> pos, std::optional<int32_t> keyPos);

    const CellGrid& cells() const { return cells_.grid(); }

    const CellGrid& lane() const { return lane_.grid(); }

    /// Rows before this position are there.
    int32_t doneRows() const { return cells_.doneRows(); }

    struct Probe {
        int32_t pos = 0, keyPos = 0;
        float value = 0;
        std::optional<float> lse;  ///< none for the mean over heads
    };

    const std::optional<Probe>& probe() const { return probe_; }

    const std::shared_ptr<const engine::AtlasReply>& atlas() const { return atlas_; }

    /// Why there are no cells; empty = fine.
    const QString& reason() const { return reason_; }

signals:
    void cellsChanged();
    void probeChanged();
    void atlasChanged();

private:
    struct Slot {
        uint64_t requestId = 0;   ///< in flight; 0 = none
        qint64 sentMs = -100000;  ///< of clock_
        qint64 notBeforeMs = 0;
        int fruitless = 0;  ///< replies in a row that brought nothing
    };

    void restart();
    void pump();
    void ask(Slot& slot, HeatMapStore& store, uint32_t number);
    void askProbe();
    void askAtlas();
    bool mayAsk(const Slot& slot) const;
    void take(const std::shared_ptr<const engine::TileReply>& reply);
    void takeAtlas(const std::shared_ptr<const engine::AtlasReply>& reply);
    int64_t expectedAtlasNs() const;

    AttentionSource* source_;
    SnapshotPtr snapshot_;
    bool isActive_ = false;
    bool hidesSink_ = false;
    bool isLive_ = false;
    uint32_t runId_ = 0;
    int32_t layer_ = 0, head_ = 0;
    int32_t ready_ = 0;
    HeatMapStore cells_, lane_;
    CellRange view_;
    QSize pixels_;
    Slot cellSlot_, laneSlot_, probeSlot_, atlasSlot_;
    std::optional<int32_t> probePos_, probeKey_;
    std::optional<Probe> probe_;
    std::shared_ptr<const engine::AtlasReply> atlas_;
    int32_t atlasTokens_ = 0;  ///< tokens of the newest atlas asked for
    QString reason_;
    QTimer timer_;
    QElapsedTimer clock_;
};

}  // namespace vitrine::gui
