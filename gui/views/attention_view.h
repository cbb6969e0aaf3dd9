#pragma once
// Attention of one layer and head as a heat map, the formula with the numbers of the chosen cell,
// and the atlas of all layers and heads. Thread: GUI thread.

#include "gui/models/color_map.h"
#include "gui/views/view_base.h"

class QAction;
class QActionGroup;
class QComboBox;
class QLabel;
class QSpinBox;
class QSplitter;
class QToolButton;

namespace vitrine::gui {

class AtlasWidget;
class AttentionFeed;
class HeatMapPlot;

class AttentionView : public ViewBase {
    Q_OBJECT
public:
    explicit AttentionView(const ViewContext& context, QWidget* parent = nullptr);

protected:
    void retranslate() override;
    void applyTheme() override;
    void refresh() override;
    void refreshSelection() override;
    void noticeAction() override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void buildControls();
    void buildMenu();
    void connectParts();
    void applyPainting();
    bool showNoticeForState();
    void showControls();
    void showFormula();
    void showCaptions();
    void showHover(int32_t pos, int32_t keyPos, const QPoint& globalPos);
    void stepLayer(int delta);
    void stepHead(int delta);
    void choose(int32_t layer, int32_t head);
    QString pieceLabel(int32_t pos, int maxChars) const;
    QString recipe() const;
    void exportAs(const QString& kind);

    AttentionFeed* feed_;
    ViewHeader* header_;
    QLabel* layerLabel_;
    QLabel* headLabel_;
    QSpinBox* layerSpin_;
    QSpinBox* headSpin_;  ///< −1 = mean over heads
    QToolButton* logButton_;
    QToolButton* sinkButton_;
    QToolButton* fitButton_;
    QToolButton* menuButton_;
    QAction* logAction_;
    QAction* sinkAction_;
    QAction* meanAction_;
    QAction* fitAction_;
    QAction* atlasAction_;
    QAction* exportActions_[4];
    QActionGroup* mapGroup_;
    QMenu* mapMenu_;
    QMenu* exportMenu_;
    QSplitter* splitter_;
    HeatMapPlot* plot_;
    QLabel* formula_;
    QWidget* atlasCard_;
    ViewHeader* atlasHeader_;
    AtlasWidget* atlas_;
    int lastHead_ = 0;
};

}  // namespace vitrine::gui
