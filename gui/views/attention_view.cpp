#include "gui/views/attention_view.h"

#include <algorithm>
#include <cmath>

#include <QAction>
#include <QActionGroup>
#include <QLabel>
#include <QMenu>
#include <QSettings>
#include <QSpinBox>
#include <QSplitter>
#include <QToolButton>
#include <QToolTip>
#include <QVBoxLayout>

#include "gui/models/format.h"
#include "gui/models/moment.h"
#include "gui/views/attention_feed.h"
#include "gui/widgets/atlas_widget.h"
#include "gui/widgets/heat_map_plot.h"
#include "gui/widgets/plot_style.h"
#include "gui/widgets/theme.h"

namespace vitrine::gui {
namespace {

View* create(const ViewContext& context, QWidget* parent) {
    return new AttentionView(context, parent);
}

}  // namespace

extern const ViewSpec attentionSpec{"attention", QT_TRANSLATE_NOOP("ViewSpec", "Attention"),
                                    observe::TapSet{true, true, true, -1}, &create};

AttentionView::AttentionView(const ViewContext& context, QWidget* parent)
    : ViewBase(context, parent), feed_(new AttentionFeed(context.attention, this)) {
    header_ = new ViewHeader;
    plot_ = new HeatMapPlot;
    formula_ = new QLabel;
    formula_->setTextFormat(Qt::RichText);
    formula_->setWordWrap(true);
    formula_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    formula_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    buildControls();
    buildMenu();

    auto* left = new QWidget;
    auto* leftLayout = new QVBoxLayout(left);
    leftLayout->setContentsMargins(0, 0, 4, 0);
    leftLayout->setSpacing(4);
    leftLayout->addWidget(plot_, 1);
    leftLayout->addWidget(formula_);

    atlasCard_ = new QWidget;
    atlasHeader_ = new ViewHeader;
    atlas_ = new AtlasWidget;
    auto* atlasLayout = new QVBoxLayout(atlasCard_);
    atlasLayout->setContentsMargins(4, 0, 0, 0);
    atlasLayout->setSpacing(4);
    atlasLayout->addWidget(atlasHeader_);
    atlasLayout->addWidget(atlas_, 1);

    splitter_ = new QSplitter(Qt::Horizontal);
    splitter_->addWidget(left);
    splitter_->addWidget(atlasCard_);
    splitter_->setStretchFactor(0, 1);
    splitter_->setStretchFactor(1, 0);
    splitter_->setSizes({700, 240});
    splitter_->setChildrenCollapsible(false);

    auto* layout = new QVBoxLayout(content());
    layout->setSizeConstraint(QLayout::SetNoConstraint);
    layout->setContentsMargins(10, 6, 10, 8);
    layout->setSpacing(4);
    layout->addWidget(header_);
    layout->addWidget(splitter_, 1);

    plot_->setGrids(&feed_->cells(), &feed_->lane());
    plot_->setLabelFunction([this](int32_t pos) { return pieceLabel(pos, 16); });
    connectParts();
    start();
    applyPainting();
}

void AttentionView::buildControls() {
    layerLabel_ = new QLabel;
    headLabel_ = new QLabel;
    layerSpin_ = new QSpinBox;
    headSpin_ = new QSpinBox;
    layerLabel_->setBuddy(layerSpin_);
    headLabel_->setBuddy(headSpin_);
    headSpin_->setMinimum(-1);
    headSpin_->setKeyboardTracking(false);
    layerSpin_->setKeyboardTracking(false);
    const auto button = [] {
        auto* b = new QToolButton;
        b->setAutoRaise(true);
        b->setToolButtonStyle(Qt::ToolButtonTextOnly);
        return b;
    };
    logButton_ = button();
    sinkButton_ = button();
    fitButton_ = button();
    menuButton_ = button();
    menuButton_->setPopupMode(QToolButton::InstantPopup);
    for (QWidget* widget :
         std::initializer_list<QWidget*>{layerLabel_, layerSpin_, headLabel_, headSpin_, logButton_,
                                         sinkButton_, fitButton_, menuButton_})
        header_->addControl(widget);
}

void AttentionView::buildMenu() {
    const QSettings settings;
    auto* menu = new QMenu(this);
    const auto toggle = [&](const char* key, bool byDefault) {
        auto* action = new QAction(this);
        action->setCheckable(true);
        action->setChecked(settings.value(QLatin1String(key), byDefault).toBool());
        connect(action, &QAction::toggled, this, [this, key](bool isOn) {
            QSettings().setValue(QLatin1String(key), isOn);
            applyPainting();
        });
        return action;
    };
    logAction_ = toggle("attention/logScale", true);
    sinkAction_ = toggle("attention/hideSink", false);
    meanAction_ = new QAction(this);
    meanAction_->setCheckable(true);
    fitAction_ = new QAction(this);
    atlasAction_ = toggle("attention/showAtlas", true);
    menu->addActions({logAction_, sinkAction_, meanAction_, atlasAction_});
    mapMenu_ = menu->addMenu(QString());
    mapGroup_ = new QActionGroup(this);
    const QString wanted =
        settings.value(QStringLiteral("attention/colorMap"), "viridis").toString();
    for (int i = 0; i < kColorMapCount; ++i) {
        QAction* action =
            mapGroup_->addAction(QLatin1String(colorMapName(static_cast<ColorMap>(i))));
        action->setCheckable(true);
        action->setData(i);
        action->setChecked(action->text() == wanted);
        mapMenu_->addAction(action);
    }
    if (!mapGroup_->checkedAction()) mapGroup_->actions().constFirst()->setChecked(true);
    menu->addSeparator();
    menu->addAction(fitAction_);
    exportMenu_ = menu->addMenu(QString());
    const char* const kinds[] = {"png", "svg", "csv", "npy"};
    for (int i = 0; i < 4; ++i) {
        const QString kind = QLatin1String(kinds[i]);
        exportActions_[i] = exportMenu_->addAction(kind.toUpper() + QChar(0x2026));
        connect(exportActions_[i], &QAction::triggered, this, [this, kind] { exportAs(kind); });
    }
    logButton_->setDefaultAction(logAction_);
    sinkButton_->setDefaultAction(sinkAction_);
    fitButton_->setDefaultAction(fitAction_);
    menuButton_->setMenu(menu);
}

void AttentionView::connectParts() {
    connect(layerSpin_, qOverload<int>(&QSpinBox::valueChanged), this,
            [this](int layer) { choose(layer, selection().head()); });
    connect(headSpin_, qOverload<int>(&QSpinBox::valueChanged), this,
            [this](int head) { choose(selection().layer(), head); });
    connect(meanAction_, &QAction::triggered, this, [this](bool isOn) {
        if (isOn && selection().head() >= 0) lastHead_ = selection().head();
        choose(selection().layer(), isOn ? -1 : lastHead_);
    });
    connect(fitAction_, &QAction::triggered, plot_, &HeatMapPlot::showWhole);
    connect(mapGroup_, &QActionGroup::triggered, this, [this](const QAction* action) {
        QSettings().setValue(QStringLiteral("attention/colorMap"), action->text());
        applyPainting();
    });
    connect(plot_, &HeatMapPlot::viewportChanged, this,
            [this] { feed_->setViewport(plot_->visibleRange(), plot_->cellPixels()); });
    connect(plot_, &HeatMapPlot::cellChosen, this, [this](int32_t pos, int32_t keyPos) {
        selection().setCell(pos, keyPos <= pos ? std::optional<int32_t>(keyPos) : std::nullopt);
    });
    connect(plot_, &HeatMapPlot::cellHovered, this, &AttentionView::showHover);
    connect(plot_, &HeatMapPlot::hoverLeft, this, [] { QToolTip::hideText(); });
    connect(plot_, &HeatMapPlot::layerStepped, this, &AttentionView::stepLayer);
    connect(plot_, &HeatMapPlot::headStepped, this, &AttentionView::stepHead);
    connect(atlas_, &AtlasWidget::chosen, this, &AttentionView::choose);
    connect(feed_, &AttentionFeed::cellsChanged, this, [this] {
        plot_->cellsChanged();
        if (!selection().pos()) refreshSelection();
        showCaptions();
        showNoticeForState();
    });
    connect(feed_, &AttentionFeed::probeChanged, this, &AttentionView::showFormula);
    connect(feed_, &AttentionFeed::atlasChanged, this, [this] {
        atlas_->setReply(feed_->atlas());
        showCaptions();
    });
}

void AttentionView::retranslate() {
    layerLabel_->setText(tr("Layer"));
    headLabel_->setText(tr("Head"));
    layerSpin_->setAccessibleName(tr("Layer"));
    headSpin_->setAccessibleName(tr("Head"));
    headSpin_->setSpecialValueText(tr("mean"));
    logAction_->setText(tr("log colour"));
    logAction_->setToolTip(tr("Colours on a logarithmic scale from 1e-4 to 1"));
    sinkAction_->setText(tr("hide sink"));
    sinkAction_->setToolTip(
        tr("Leave the first token out of the map; its mass stays in the lane at the left"));
    meanAction_->setText(tr("Mean over heads"));
    atlasAction_->setText(tr("Show all layers and heads"));
    fitAction_->setText(tr("fit"));
    fitAction_->setToolTip(tr("Show the whole sequence (0, or double click)"));
    menuButton_->setText(QStringLiteral("⋯"));
    menuButton_->setToolTip(tr("Colours and export"));
    menuButton_->setAccessibleName(tr("Colours and export"));
    mapMenu_->setTitle(tr("Colour map"));
    exportMenu_->setTitle(tr("Export"));
    plot_->retranslate();
    atlas_->retranslate();
    formula_->setAccessibleName(tr("Formula with the numbers of the chosen cell"));
    formula_->setToolTip(tr("Recomputed by the engine from the kept Q, K and log-sum-exp (lse)"));
}

void AttentionView::applyTheme() {
    plot_->applyTheme();
    atlas_->applyTheme();
    applyPainting();
    formula_->setFont(Theme::uiFont(-0.5));
}

void AttentionView::applyPainting() {
    HeatMapPainting painting;
    const QAction* mapAction = mapGroup_->checkedAction();
    painting.map = static_cast<ColorMap>(mapAction ? mapAction->data().toInt() : 0);
    painting.scale.isLog = logAction_->isChecked();
    painting.firstKeyShown = sinkAction_->isChecked() ? 1 : 0;
    painting.unknown = Theme::current().kvEmpty.rgb();
    feed_->setHidesSink(sinkAction_->isChecked());
    plot_->setPainting(painting);
    atlas_->setColorMap(painting.map);
    atlasCard_->setVisible(atlasAction_->isChecked() && width() >= 520);
    showCaptions();
}

bool AttentionView::showNoticeForState() {
    if (showNoticeWithoutRun()) return true;
    if (!snapshot().isAttentionLive) {
        if (snapshot().isAttentionBeingRecomputed)
            showNotice(tr("Recomputing attention…"),
                       tr("The model reads the tokens of this run again."));
        else
            showNotice(tr("Attention is not available until it is recomputed"),
                       run()->provenance == Provenance::Recorded
                           ? tr("This run was recorded in an earlier start. To see its attention, "
                                "the model has to read its tokens again.")
                           : tr("The keys of this run are no longer in the cache. To see its "
                                "attention, the model has to read its tokens again."),
                       snapshot().model && attention() ? tr("Recompute") : QString());
        return true;
    }
    if (!feed_->reason().isEmpty() && feed_->cells().rows == 0) {
        showNotice(tr("Not available"), feed_->reason());
        return true;
    }
    hideNotice();
    return false;
}

void AttentionView::noticeAction() {
    if (attention()) attention()->recompute();
}

void AttentionView::refresh() {
    showNoticeForState();
    const auto& model = snapshot().model;
    // Another model may have fewer layers or heads than the one that the choice was made for.
    if (model && model->nLayers > 0 && model->nHeads > 0 && isVisible())
        choose(std::clamp(selection().layer(), 0, model->nLayers - 1),
               std::clamp(selection().head(), -1, model->nHeads - 1));
    atlas_->setShape(model ? model->nLayers : 0, model ? model->nHeads : 0,
                     model ? model->nKvHeads : 0);
    atlas_->setReply(feed_->atlas());
    showControls();
    feed_->setLayerHead(selection().layer(), selection().head());
    plot_->setPositions(run() ? static_cast<int32_t>(run()->tokens.size()) : 0);
    feed_->setSnapshot(snapshotPtr());
    feed_->setViewport(plot_->visibleRange(), plot_->cellPixels());
    refreshSelection();
}

void AttentionView::refreshSelection() {
    showControls();
    feed_->setLayerHead(selection().layer(), selection().head());
    atlas_->setChosen(selection().layer(), selection().head());
    std::optional<int32_t> pos = selection().pos();
    if (run() && !run()->tokens.empty()) {
        pos = momentPos(*run(), selection());
        // Following the newest: the last row that is there.
        if (!selection().pos()) pos = std::min(*pos, feed_->doneRows() - 1);
    }
    plot_->setSelected(pos && *pos >= 0 ? pos : std::nullopt, selection().keyPos());
    feed_->setProbe(selection().pos(), selection().keyPos());
    showFormula();
    showCaptions();
}

void AttentionView::showControls() {
    const auto& model = snapshot().model;
    const QSignalBlocker blockLayer(layerSpin_), blockHead(headSpin_);
    layerSpin_->setRange(0, model ? std::max(0, model->nLayers - 1) : 0);
    headSpin_->setRange(-1, model ? std::max(0, model->nHeads - 1) : 0);
    layerSpin_->setValue(selection().layer());
    headSpin_->setValue(selection().head());
    meanAction_->setChecked(selection().head() < 0);
}

void AttentionView::choose(int32_t layer, int32_t head) {
    selection().setLayerHead(layer, head);
}

void AttentionView::stepLayer(int delta) {
    const auto& model = snapshot().model;
    if (!model) return;
    choose(std::clamp(selection().layer() + delta, 0, std::max(0, model->nLayers - 1)),
           selection().head());
}

void AttentionView::stepHead(int delta) {
    const auto& model = snapshot().model;
    if (!model) return;
    choose(selection().layer(),
           std::clamp(selection().head() + delta, -1, std::max(0, model->nHeads - 1)));
}

void AttentionView::showEvent(QShowEvent* event) {
    feed_->setActive(true);
    ViewBase::showEvent(event);
}

void AttentionView::hideEvent(QHideEvent* event) {
    feed_->setActive(false);
    ViewBase::hideEvent(event);
}

void AttentionView::resizeEvent(QResizeEvent* event) {
    ViewBase::resizeEvent(event);
    const bool isWide = width() >= 640;
    logButton_->setVisible(isWide);
    sinkButton_->setVisible(isWide);
    fitButton_->setVisible(isWide);
    formula_->setVisible(height() >= 300);
    layerLabel_->setVisible(width() >= 440);
    headLabel_->setVisible(width() >= 440);
    atlasCard_->setVisible(atlasAction_->isChecked() && width() >= 520);
}

}  // namespace vitrine::gui
