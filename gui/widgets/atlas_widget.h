#pragma once
// Layers × heads as one picture: a thumbnail of each head's attention (block maxima), layers
// downwards, heads to the right, heads that share a KV head bracketed. One image, hit-tested.
// Thread: GUI thread.

#include <memory>
#include <optional>

#include <QImage>
#include <QWidget>

#include "engine/runtime/messages.h"
#include "gui/models/color_map.h"

namespace vitrine::gui {

class AtlasWidget : public QWidget {
    Q_OBJECT
public:
    explicit AtlasWidget(QWidget* parent = nullptr);

    /// Shape of the model: drawn empty until a reply comes. 0 layers clears.
    void setShape(int32_t nLayers, int32_t nHeads, int32_t nKvHeads);
    /// null clears the thumbnails. A reply of another shape is ignored.
    void setReply(std::shared_ptr<const engine::AtlasReply> reply);
    void setColorMap(ColorMap map);
    void setChosen(int32_t layer, int32_t head);  ///< head −1 = all heads of the layer
    void applyTheme();
    void retranslate();

    struct Hit {
        int32_t layer = 0, head = 0;

        bool operator==(const Hit&) const = default;
    };

    std::optional<Hit> hitAt(const QPoint& point) const;
    QRectF thumbRect(int32_t layer, int32_t head) const;

    QSize sizeHint() const override { return {240, 420}; }

    QSize minimumSizeHint() const override { return {130, 120}; }

signals:
    void chosen(int32_t layer, int32_t head);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    void rebuild();
    void paintThumb(int32_t layer, int32_t head);
    void paintFrame(QPainter& painter) const;
    QRectF gridRect() const;
    QRect pixelRect(int32_t layer, int32_t head) const;

    int32_t nLayers_ = 0, nHeads_ = 0, nKvHeads_ = 0;
    std::shared_ptr<const engine::AtlasReply> reply_;
    ColorMap map_ = ColorMap::Viridis;
    int32_t layer_ = 0, head_ = 0;
    std::optional<Hit> hovered_;
    QImage image_;  ///< the thumbnails, device pixels of gridRect()
    bool isStale_ = true;
};

}  // namespace vitrine::gui
