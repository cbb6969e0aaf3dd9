#pragma once
// The KV cache as a map: one column per page, one row per layer, filled as far as its slots hold
// tokens, coloured by where they came from. Thread: GUI thread.

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include <QImage>
#include <QWidget>

#include "gui/session/snapshot.h"

namespace vitrine::gui {

class KvPageMap : public QWidget {
    Q_OBJECT
public:
    explicit KvPageMap(QWidget* parent = nullptr);

    /// run: for the texts of tokens; may be null.
    void setState(const observe::Frame& frame, std::shared_ptr<const RunRecord> run);
    void setSelected(std::optional<int32_t> pos);
    void applyTheme();
    void retranslate();

    /// Tokens of a layer that are in the cache: in prefill the layers of the open chunk differ.
    static int32_t filledTokens(const observe::Frame& frame, int32_t layer);

    /// Pages that have a column, and pages per column (more than one where they get too narrow).
    int32_t pagesShown() const;
    int32_t pagesPerColumn() const;
    int32_t pagesTotal() const;

    struct Hit {
        int32_t page = 0, layer = 0, pos = 0;
    };

    std::optional<Hit> hitAt(const QPoint& point) const;
    QRectF columnRect(int32_t page) const;

    QSize sizeHint() const override { return {420, 220}; }

    QSize minimumSizeHint() const override { return {150, 90}; }

signals:
    void chosen(int32_t pos);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    QRectF mapRect() const;
    void repaintCells();
    QString describe(const Hit& hit) const;

    observe::Frame frame_;
    std::shared_ptr<const RunRecord> run_;
    std::optional<int32_t> selected_;
    QImage image_;
    bool isStale_ = true;  ///< all cells are to be painted
    /// What each cell shows, [column, layer]: ends of the reused, prompt and generated parts in
    /// slots. Only cells that changed are painted again.
    std::vector<std::array<int32_t, 3>> painted_;
    bool hasNews_ = false;
};

}  // namespace vitrine::gui
