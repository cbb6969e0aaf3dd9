#pragma once
// The one selected moment that drives every view: a token (position of the sequence), a layer and a
// head. Thread: GUI thread.

#include <optional>

#include <QObject>

namespace vitrine::gui {

class Selection : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    /// Selected position; none = follow the newest token.
    std::optional<int32_t> pos() const { return pos_; }

    std::optional<int32_t> keyPos() const {
        return keyPos_;
    }  ///< the chosen attention cell's key; none = no cell chosen

    int32_t layer() const { return layer_; }

    int32_t head() const { return head_; }  ///< −1 = mean over heads

public slots:
    void setPos(std::optional<int32_t> pos);
    void setCell(std::optional<int32_t> pos, std::optional<int32_t> keyPos);
    void setLayerHead(int32_t layer, int32_t head);
    void reset();  ///< follow the newest, no cell; layer and head stay

signals:
    void changed();

private:
    std::optional<int32_t> pos_, keyPos_;
    int32_t layer_ = 0, head_ = 0;
};

}  // namespace vitrine::gui
