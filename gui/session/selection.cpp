#include "gui/session/selection.h"

namespace vitrine::gui {

void Selection::setPos(std::optional<int32_t> pos) {
    setCell(pos, std::nullopt);
}

void Selection::setCell(std::optional<int32_t> pos, std::optional<int32_t> keyPos) {
    if (pos == pos_ && keyPos == keyPos_) return;
    pos_ = pos;
    keyPos_ = keyPos;
    emit changed();
}

void Selection::setLayerHead(int32_t layer, int32_t head) {
    if (layer == layer_ && head == head_) return;
    layer_ = layer;
    head_ = head;
    emit changed();
}

void Selection::reset() {
    setCell(std::nullopt, std::nullopt);
}

}  // namespace vitrine::gui
