// Clicks and keys in views set exactly the selection that they point at, and views ask the engine
// for no more than they need.

#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QSpinBox>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QToolTip>
#include <QtTest>

#include "gui/views/kv_page_map.h"
#include "gui/views/latency_plot.h"
#include "gui/views/timeline_strip.h"
#include "gui/widgets/atlas_widget.h"
#include "gui/widgets/heat_map_plot.h"
#include "gui/widgets/theme.h"
#include "gui/widgets/token_flow.h"
#include "tests/gui/snapshot_fixture.h"

using namespace vitrine::gui;

namespace {

struct Stage {
    explicit Stage(const char* id, const QSize& size = {900, 600}) {
        for (const ViewSpec* spec : viewSpecs())
            if (qstrcmp(spec->id, id) == 0)
                view.reset(spec->create({&selection, &source}, nullptr));
        view->resize(size);
        view->show();
        (void)QTest::qWaitForWindowExposed(view.get());
    }

    void set(const SnapshotPtr& snapshot) {
        source.nTokens = snapshot->frame.contextUsed;
        view->setSnapshot(snapshot);
        QTest::qWait(30);
    }

    template <class T>
    T* find() const {
        return view->findChild<T*>();
    }

    Selection selection;
    fixture::Source source;
    std::unique_ptr<View> view;
};

}  // namespace

class TestViewLinks : public QObject {
    Q_OBJECT
private slots:

    void initTestCase() {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName(QStringLiteral("vitrine-test"));
        QSettings().clear();
        Theme::apply("dark");
    }

    void heatMapClick() {
        Stage stage("attention");
        stage.set(fixture::make({}));
        auto* plot = stage.find<HeatMapPlot>();
        for (const HeatMapPlot::Cell cell :
             {HeatMapPlot::Cell{0, 0}, {23, 4}, {107, 107}, {60, 1}}) {
            QTest::mouseClick(plot, Qt::LeftButton, {}, plot->pixelOf(cell));
            QCOMPARE(stage.selection.pos(), std::optional<int32_t>(cell.pos));
            QCOMPARE(stage.selection.keyPos(), std::optional<int32_t>(cell.keyPos));
        }
        // A masked cell chooses the row only.
        QTest::mouseClick(plot, Qt::LeftButton, {}, plot->pixelOf({10, 90}));
        QCOMPARE(stage.selection.pos(), std::optional<int32_t>(10));
        QVERIFY(!stage.selection.keyPos());
    }

    void heatMapKeys() {
        Stage stage("attention");
        stage.set(fixture::make({}));
        auto* plot = stage.find<HeatMapPlot>();
        stage.selection.setCell(20, 5);
        QTest::keyClick(plot, Qt::Key_Down);
        QTest::keyClick(plot, Qt::Key_Left);
        QCOMPARE(*stage.selection.pos(), 21);
        QCOMPARE(*stage.selection.keyPos(), 4);
        QTest::keyClick(plot, Qt::Key_PageDown);
        QCOMPARE(stage.selection.layer(), 1);
        QTest::keyClick(plot, Qt::Key_Right, Qt::ShiftModifier);
        QCOMPARE(stage.selection.head(), 1);
    }

    void heatMapZoomKeepsToTheSequence() {
        Stage stage("attention");
        stage.set(fixture::make({}));
        auto* plot = stage.find<HeatMapPlot>();
        for (int i = 0; i < 40; ++i) plot->zoomBy(0.7);
        CellRange seen = plot->visibleRange();
        QVERIFY(seen.endRow - seen.firstRow >= 4 && seen.endRow - seen.firstRow <= 6);
        QVERIFY(!plot->isWholeShown());
        for (int i = 0; i < 40; ++i) plot->zoomBy(1.5);
        QCOMPARE(plot->visibleRange(), (CellRange{0, 108, 0, 108}));
        QVERIFY(plot->isWholeShown());
    }

    void hoverSaysTheValue() {
        Stage stage("attention");
        stage.set(fixture::make({}));
        auto* plot = stage.find<HeatMapPlot>();
        QSignalSpy spy(plot, &HeatMapPlot::cellHovered);
        QTest::mouseMove(plot, plot->pixelOf({fixture::kPlantedRow, fixture::kPlantedKey}));
        QTRY_VERIFY(!spy.isEmpty());
        QCOMPARE(spy.last().at(0).toInt(), fixture::kPlantedRow);
        QCOMPARE(spy.last().at(1).toInt(), fixture::kPlantedKey);
        QVERIFY2(QToolTip::text().contains(QStringLiteral("0.900")), qPrintable(QToolTip::text()));
        QToolTip::hideText();
    }

    void figuresAreExported() {
        Stage stage("attention");
        stage.set(fixture::make({}));
        auto* plot = stage.find<HeatMapPlot>();
        QTemporaryDir folder;
        const QString svg = folder.filePath(QStringLiteral("a.svg"));
        QVERIFY(plot->exportSvg(svg));
        QFile file(svg);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray text = file.readAll();
        // The figure says what it shows, and holds its cells.
        QVERIFY(text.contains("layer 0") && text.contains("log scale") && text.contains("<image"));
        QVERIFY(!plot->exportSvg(folder.filePath(QStringLiteral("missing/a.svg"))));
        const QString png = folder.filePath(QStringLiteral("a.png"));
        QVERIFY(plot->savePng(png, plot->width(), plot->height(), 2));
        QCOMPARE(QImage(png).size(), plot->size() * 2);
    }

    void choiceFitsAnotherModel() {
        Stage stage("attention");
        stage.set(fixture::make({}));
        stage.selection.setLayerHead(29, 8);
        fixture::Spec smaller;
        smaller.nLayers = 6;
        smaller.nHeads = 4;
        smaller.nKvHeads = 2;
        stage.set(fixture::make(smaller));
        QCOMPARE(stage.selection.layer(), 5);
        QCOMPARE(stage.selection.head(), 3);
    }

    void meanOverHeads() {
        Stage stage("attention");
        stage.set(fixture::make({}));
        stage.selection.setLayerHead(3, -1);
        stage.selection.setCell(30, 4);
        QTRY_VERIFY(
            std::any_of(stage.source.tiles.begin(), stage.source.tiles.end(), [](const auto& tile) {
                return tile.head == -1 && tile.layer.value == 3 && tile.nRows == 1 &&
                       tile.nKeys == 1;
            }));
    }

    void atlasClick() {
        Stage stage("attention");
        stage.set(fixture::make({}));
        auto* atlas = stage.find<AtlasWidget>();
        for (const AtlasWidget::Hit hit : {AtlasWidget::Hit{0, 0}, {29, 8}, {14, 3}}) {
            QTest::mouseClick(atlas, Qt::LeftButton, {},
                              atlas->thumbRect(hit.layer, hit.head).center().toPoint());
            QCOMPARE(stage.selection.layer(), hit.layer);
            QCOMPARE(stage.selection.head(), hit.head);
        }
        QTest::keyClick(atlas, Qt::Key_Up);
        QCOMPARE(stage.selection.layer(), 13);
    }

    /// The whole picture is asked for once; a decode step asks for its row only.
    void requestsAreIncremental() {
        Stage stage("attention");
        fixture::Spec spec;
        spec.isRunning = true;
        SnapshotPtr snapshot = fixture::make(spec);
        stage.set(snapshot);
        QTRY_VERIFY(!stage.source.tiles.empty());
        QTest::qWait(250);
        stage.source.tiles.clear();
        QTest::qWait(300);
        QVERIFY(stage.source.tiles.empty());
        snapshot = fixture::grown(snapshot, 1);
        stage.set(snapshot);
        QTRY_VERIFY(!stage.source.tiles.empty());
        for (const auto& request : stage.source.tiles) QVERIFY(request.nRows <= 1);
        // Hidden views ask for nothing.
        stage.view->hide();
        stage.source.tiles.clear();
        stage.view->setSnapshot(fixture::grown(snapshot, 5));
        QTest::qWait(250);
        QVERIFY(stage.source.tiles.empty());
    }

    void requestsStayRare() {
        Stage stage("attention");
        fixture::Spec spec;
        spec.isRunning = true;
        SnapshotPtr snapshot = fixture::make(spec);
        stage.set(snapshot);
        QTest::qWait(200);
        stage.source.tiles.clear();
        QElapsedTimer timer;
        timer.start();
        while (timer.elapsed() < 1000) {
            snapshot = fixture::grown(snapshot, 1);
            stage.set(snapshot);
        }
        // Cells and lane: ten a second each, with some grace.
        QVERIFY2(stage.source.tiles.size() <= 26,
                 qPrintable(QString::number(stage.source.tiles.size())));
    }

    void notAvailableIsSaid() {
        Stage stage("attention");
        stage.source.notAvailable = "this model has a term that is not modelled";
        stage.set(fixture::make({}));
        QTRY_VERIFY(!stage.find<HeatMapPlot>()->isVisible());
        QTest::qWait(1500);
        QVERIFY(stage.source.tiles.size() < 30);  // it does not go on asking
    }

    void recordedRunsOfferToRecompute() {
        Stage stage("attention");
        fixture::Spec spec;
        spec.isRecorded = true;
        const SnapshotPtr recorded = fixture::make(spec);
        stage.set(recorded);
        auto* button = stage.view->findChild<QPushButton*>();
        QVERIFY(button && button->isVisible());
        QVERIFY(!stage.find<HeatMapPlot>()->isVisible());
        QVERIFY(stage.source.tiles.empty());
        QTest::mouseClick(button, Qt::LeftButton);
        QCOMPARE(stage.source.recomputes, 1);
        auto going = std::make_shared<Snapshot>(*recorded);
        going->isAttentionBeingRecomputed = true;
        stage.set(going);
        QVERIFY(!button->isVisible());
        auto done = std::make_shared<Snapshot>(*recorded);
        done->isAttentionLive = done->isAttentionRecomputed = true;
        stage.set(done);
        QVERIFY(stage.find<HeatMapPlot>()->isVisible());
        QTRY_VERIFY(!stage.source.tiles.empty());
    }

    void probeIsExact() {
        Stage stage("attention");
        stage.set(fixture::make({}));
        stage.selection.setCell(fixture::kPlantedRow, fixture::kPlantedKey);
        QTRY_VERIFY(
            std::any_of(stage.source.tiles.begin(), stage.source.tiles.end(), [](const auto& tile) {
                return tile.firstRow == fixture::kPlantedRow && tile.nRows == 1 &&
                       tile.firstKey == fixture::kPlantedKey && tile.nKeys == 1 &&
                       tile.rowStep == 1;
            }));
    }

    void tokenClick() {
        Stage stage("tokens");
        stage.set(fixture::make({}));
        auto* flow = stage.find<TokenFlow>();
        QCOMPARE(flow->count(), 108);
        for (const int32_t pos : {0, 7, 60}) {
            QTest::mouseClick(flow->viewport(), Qt::LeftButton, {}, flow->pieceRect(pos).center());
            QCOMPARE(stage.selection.pos(), std::optional<int32_t>(pos));
        }
        QTest::keyClick(flow, Qt::Key_Right);
        QCOMPARE(*stage.selection.pos(), 61);
    }

    void tokenFlowAppends() {
        Stage stage("tokens");
        const SnapshotPtr snapshot = fixture::make({});
        stage.set(snapshot);
        auto* flow = stage.find<TokenFlow>();
        const QRect before = flow->pieceRect(50);
        stage.set(fixture::grown(snapshot, 4));
        QCOMPARE(flow->count(), 112);
        QCOMPARE(flow->pieceRect(50), before);
    }

    void pageClick() {
        Stage stage("kv_cache");
        stage.set(fixture::make({}));
        auto* map = stage.find<KvPageMap>();
        for (const int32_t page : {0, 3, 5}) {
            const QRectF column = map->columnRect(page);
            const QPoint point(static_cast<int>(column.left() + 2),
                               static_cast<int>(column.center().y()));
            const auto hit = map->hitAt(point);
            QVERIFY(hit);
            QCOMPARE(hit->page, page);
            QTest::mouseClick(map, Qt::LeftButton, {}, point);
            QCOMPARE(*stage.selection.pos() / 16, page);
        }
    }

    void layersFillOneByOneInPrefill() {
        fixture::Spec spec;
        spec.promptTokens = 100;
        spec.isPrefilling = true;
        const SnapshotPtr snapshot = fixture::make(spec);
        QCOMPARE(KvPageMap::filledTokens(snapshot->frame, 11), 100);
        QCOMPARE(KvPageMap::filledTokens(snapshot->frame, 12), 50);
    }

    void latencyClick() {
        Stage stage("latency");
        stage.set(fixture::make({}));
        auto* plot = stage.find<LatencyPlot>();
        for (const int32_t index : {0, 17, 59}) {
            QTest::mouseClick(plot, Qt::LeftButton, {}, plot->pixelOf(index));
            QCOMPARE(stage.selection.pos(), std::optional<int32_t>(48 + index));
        }
    }

    void scrubber() {
        Stage stage("timeline", {900, 130});
        stage.set(fixture::make({}));
        auto* strip = stage.find<TimelineStrip>();
        for (const int32_t pos : {48, 70, 107}) {
            const QPoint point(static_cast<int>(strip->xOf(pos)), strip->height() / 2);
            QTest::mouseClick(strip, Qt::LeftButton, {}, point);
            QCOMPARE(stage.selection.pos(), std::optional<int32_t>(pos));
        }
        QTest::keyClick(strip, Qt::Key_Left);
        QCOMPARE(*stage.selection.pos(), 106);
        QTest::keyClick(strip, Qt::Key_End);
        QVERIFY(!stage.selection.pos());
        // A bar of the prefill chooses its layer.
        QPoint bar;
        for (int x = 0; x < 300 && bar.isNull(); ++x)
            if (strip->layerAt({x, 20}) == std::optional<int32_t>(7)) bar = QPoint(x, 20);
        QVERIFY(!bar.isNull());
        QTest::mouseClick(strip, Qt::LeftButton, {}, bar);
        QCOMPARE(stage.selection.layer(), 7);
    }

    void scrubberByDragging() {
        Stage stage("timeline", {900, 130});
        stage.set(fixture::make({}));
        auto* strip = stage.find<TimelineStrip>();
        const int y = strip->height() / 2;
        QTest::mousePress(strip, Qt::LeftButton, {}, {static_cast<int>(strip->xOf(50)), y});
        for (const int32_t pos : {55, 63, 61})
            QTest::mouseMove(strip, {static_cast<int>(strip->xOf(pos)), y});
        QTest::mouseRelease(strip, Qt::LeftButton, {}, {static_cast<int>(strip->xOf(61)), y});
        QCOMPARE(stage.selection.pos(), std::optional<int32_t>(61));
    }
};

QTEST_MAIN(TestViewLinks)
#include "tst_view_links.moc"
