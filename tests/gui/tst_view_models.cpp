// Statistics, formats, colour scales, the cell store and the item models behind the views.

#include <cmath>

#include <QAbstractItemModelTester>
#include <QtTest>

#include "gui/models/candidate_model.h"
#include "gui/models/color_map.h"
#include "gui/models/format.h"
#include "gui/models/heat_map_store.h"
#include "gui/models/latency_stats.h"
#include "gui/models/memory_model.h"
#include "gui/models/moment.h"
#include "gui/models/run_series.h"
#include "gui/widgets/heat_map_export.h"
#include "gui/widgets/heat_map_image.h"
#include "tests/gui/snapshot_fixture.h"

using namespace vitrine;
using namespace vitrine::gui;

namespace {

constexpr int64_t kMs = 1'000'000;

LatencySeries tokensAt(std::initializer_list<int> ms) {
    LatencySeries series;
    for (const int t : ms) series.steps.push_back({t * kMs, 1});
    return series;
}

/// The reply of a source that knows `value(row, key)` for rows < nTokens.
engine::TileReply answer(const engine::RequestTile& request, int32_t nTokens) {
    engine::TileReply reply;
    reply.layer = request.layer;
    reply.head = request.head;
    reply.firstRow = request.firstRow;
    reply.firstKey = request.firstKey;
    reply.rowStep = request.rowStep;
    reply.keyStep = request.keyStep;
    reply.nRows = std::clamp(nTokens - request.firstRow, 0, request.nRows);
    reply.nKeys = request.nKeys;
    reply.cellRows = (reply.nRows + request.rowStep - 1) / request.rowStep;
    reply.cellCols = (reply.nKeys + request.keyStep - 1) / request.keyStep;
    for (int32_t r = 0; r < reply.cellRows; ++r)
        for (int32_t c = 0; c < reply.cellCols; ++c) {
            float best = NAN;
            for (int32_t i = 0; i < request.rowStep; ++i)
                for (int32_t j = 0; j < request.keyStep; ++j) {
                    const int32_t row = request.firstRow + r * request.rowStep + i;
                    if (row >= request.firstRow + reply.nRows) continue;
                    const float v = fixture::attentionValue(
                        0, 0, row, request.firstKey + c * request.keyStep + j);
                    if (!std::isnan(v) && !(v <= best)) best = v;
                }
            reply.cells.push_back(best);
        }
    return reply;
}

}  // namespace

class TestViewModels : public QObject {
    Q_OBJECT
private slots:

    // ---- statistics: the vectors of the metrics notes ----

    void vllmExample() {
        // e2e 180 ms, TTFT 100 ms, 5 tokens in chunks of 1 + 1 + 3.
        LatencySeries series;
        series.steps = {{100 * kMs, 1}, {140 * kMs, 1}, {180 * kMs, 3}};
        QCOMPARE(*ttftNs(series), 100 * kMs);
        QCOMPARE(*e2eNs(series), 180 * kMs);
        QCOMPARE(*tpotMs(series, LatencyConvention::Vllm), 20.0);
        QCOMPARE(*tpotMs(series, LatencyConvention::Vitrine), 20.0);
        QCOMPARE(stepGapsNs(series), (std::vector<int64_t>{40 * kMs, 40 * kMs}));
    }

    void conventionsDiffer() {
        const LatencySeries series = tokensAt({1000, 1100, 1200, 1300, 1400});
        QCOMPARE(*tpotMs(series, LatencyConvention::Vitrine), 100.0);
        QCOMPARE(*tpotMs(series, LatencyConvention::MlPerf), 100.0);
        QCOMPARE(*tpotMs(series, LatencyConvention::GuideLlm), 280.0);
        QCOMPARE(*tpotMs(series, LatencyConvention::LlamaCpp), 80.0);
    }

    void percentiles() {
        const double values[] = {1, 2, 3, 4};
        QCOMPARE(*percentile(values, 0.75), 3.25);
        QCOMPARE(*percentile(values, 0.75, LatencyConvention::MlPerf), 4.0);
        QCOMPARE(*percentile(values, 0.75, LatencyConvention::GuideLlm), 3.0);
        QCOMPARE(*percentile(values, 0), 1.0);
        QCOMPARE(*percentile(values, 1), 4.0);
        QVERIFY(!percentile({}, 0.5));
    }

    void timesSaturate() {
        QCOMPARE(addNs(INT64_MAX, 5), INT64_MAX);
        QCOMPARE(addNs(INT64_MIN, -5), INT64_MIN);
        QCOMPARE(addNs(3, 4), int64_t(7));
        QCOMPARE(spanNs(INT64_MIN, 5), INT64_MAX);
        QCOMPARE(spanNs(INT64_MAX, -5), INT64_MIN);
        QCOMPARE(spanNs(3, 10), int64_t(7));
    }

    void tpotNeedsTwoTokens() {
        QVERIFY(!tpotMs(tokensAt({}), LatencyConvention::Vitrine));
        QVERIFY(!tpotMs(tokensAt({10}), LatencyConvention::Vitrine));
        QVERIFY(!ttftNs(tokensAt({})));
    }

    void runningSeriesEqualsSorting() {
        RunningSeries one, bulk;
        std::vector<double> values;
        for (int i = 0; i < 1000; ++i) values.push_back((i * 7919) % 1009 + 0.25);
        for (const double v : values) one.add(v);
        bulk.add(values);
        bulk.add(NAN);
        QCOMPARE(bulk.skipped(), size_t(1));
        std::sort(values.begin(), values.end());
        QVERIFY(std::equal(values.begin(), values.end(), one.ascending().begin()));
        QVERIFY(std::equal(values.begin(), values.end(), bulk.ascending().begin()));
        const SeriesSummary s = one.summary();
        QCOMPARE(*s.p50, (values[499] + values[500]) / 2);
        double mean = 0, squares = 0;
        for (const double v : values) mean += v / 1000;
        for (const double v : values) squares += (v - mean) * (v - mean);
        QVERIFY(std::abs(*s.sigma - std::sqrt(squares / 999)) < 1e-9);
        QVERIFY(s.p999.has_value());
        QCOMPARE(*one.shareWithin(values[249]), 0.25);
    }

    void p99NeedsHundred() {
        RunningSeries series;
        for (int i = 0; i < 99; ++i) series.add(i);
        QVERIFY(!series.summary().p99);
        series.add(99);
        QVERIFY(series.summary().p99);
        QVERIFY(!series.summary().p999);
    }

    /// E2E = TTFT + (N−1)·TPOT = TTFT + Σ ITL, from the records of a run.
    void invariantHolds() {
        const SnapshotPtr snapshot = fixture::make({});
        RunSeries series;
        QCOMPARE(series.update(*snapshot->run), 60);
        const TtftParts ttft = ttftParts(*snapshot->run);
        QVERIFY(ttft.isComplete);
        int64_t sum = 0;
        for (const int64_t ns : ttft.ns) sum += ns;
        QCOMPARE(sum, ttft.totalNs);
        const int64_t e2e = *series.lastTokenNs() - snapshot->run->submittedNs;
        QCOMPARE(e2e, ttft.totalNs + series.sumItlNs());
        QVERIFY(std::abs(*series.tpotMs() * 59 * 1e6 - static_cast<double>(series.sumItlNs())) < 1);
        // The same from stamps alone, while the run is going on.
        RunRecord open = *snapshot->run;
        open.stats = {};
        QCOMPARE(ttftParts(open).totalNs, ttft.totalNs);
        // Appending takes only what is new; another run starts over.
        const SnapshotPtr longer = fixture::grown(snapshot, 3);
        QCOMPARE(series.update(*longer->run), 3);
        fixture::Spec other;
        other.runId = 9;
        QCOMPARE(series.update(*fixture::make(other)->run), 60);
    }

    // ---- formats ----

    void formats() {
        QLocale::setDefault(QLocale::c());
        QCOMPARE(formatBytes(0), QStringLiteral("0 B"));
        QCOMPARE(formatBytes(1023), QStringLiteral("1023 B"));
        QCOMPARE(formatBytes(23040), QStringLiteral("22.5 KiB"));
        QCOMPARE(formatBytes(42949672960ull), QStringLiteral("40.0 GiB"));
        QCOMPARE(formatBytes((1ull << 20) - 1), QStringLiteral("1.00 MiB"));
        QVERIFY(formatBytes(~0ull).endsWith(QStringLiteral("EiB")));
        QCOMPARE(formatDuration(12'300'000), QStringLiteral("12.3 ms"));
        QCOMPARE(formatDuration(310'000), QStringLiteral("0.31 ms"));
        QCOMPARE(formatDuration(2'310'000'000), QStringLiteral("2.31 s"));
        QCOMPARE(formatDuration(125'000'000'000), QStringLiteral("2 min 5 s"));
        QCOMPARE(formatDuration(std::optional<int64_t>()), QStringLiteral("n/a"));
        QVERIFY(!formatDuration(INT64_MIN).isEmpty());
        QCOMPARE(formatPerSecond(18.7e9, QStringLiteral("B")), QStringLiteral("18.7 GB/s"));
        QCOMPARE(formatPercent(0.71), QStringLiteral("71.0 %"));
    }

    void pieces() {
        QCOMPARE(visiblePiece(QStringLiteral(" word\n")), QStringLiteral("␣word↵"));
        QCOMPARE(axisPiece(QStringLiteral(" word"), 20), QStringLiteral("word"));
        QCOMPARE(axisPiece(QStringLiteral(" "), 20), QStringLiteral("␣"));
        QCOMPARE(visiblePiece(QString(QChar(0x202E))), QStringLiteral("‹202e›"));
        QCOMPARE(visiblePiece(QString(100, QLatin1Char('x')), 9).size(), 9);
        QCOMPARE(pieceFromUtf8("\xe4\xbd"), QStringLiteral("‹e4›‹bd›"));
        QCOMPARE(pieceFromUtf8("a\xe4\xbd\xa0"), QStringLiteral("a你"));
        QVERIFY(!visiblePiece(QString(1'000'000, QLatin1Char('x'))).isEmpty());
    }

    void samplerChain() {
        engine::SamplingParams params;
        params.seed = 42;
        QCOMPARE(samplerChainText(params),
                 QStringLiteral("top-k 40 → top-p 0.95 → min-p 0.05 → temperature 0.8 · seed 42"));
        params.temperature = 0;
        QVERIFY(samplerChainText(params).contains(QStringLiteral("greedy")));
    }

    // ---- colours ----

    void probabilityScale() {
        ProbabilityScale scale;
        QCOMPARE(int(scale.level(1.0f)), 255);
        QCOMPARE(int(scale.level(1e-4f)), 0);
        QCOMPARE(int(scale.level(0.0f)), 0);
        QCOMPARE(int(scale.level(5.0f)), 255);
        QVERIFY(std::abs(scale.position(0.01f) - 0.5f) < 1e-5f);
        scale.isLog = false;
        QCOMPARE(int(scale.level(0.5f)), 128);
        for (int map = 0; map < kColorMapCount; ++map) {
            const ColorTable& table = colorTable(static_cast<ColorMap>(map));
            double last = -1;
            for (int i = 0; i < 256; i += 15) {  // lightness rises all the way
                const QColor color = QColor::fromRgb(table[static_cast<size_t>(i)]);
                const double luma =
                    0.299 * color.red() + 0.587 * color.green() + 0.114 * color.blue();
                QVERIFY(luma > last);
                last = luma;
            }
        }
    }

    // ---- the cell store ----

    void storeFillsRowByRow() {
        HeatMapStore store;
        store.setViewport({0, 64, 0, 64}, 500, 500);
        auto request = store.nextRequest(20);
        QVERIFY(request);
        QCOMPARE(request->firstRow, 0);
        QCOMPARE(request->nRows, 20);
        QVERIFY(store.accept(answer(*request, 20)));
        QVERIFY(!store.nextRequest(20));
        request = store.nextRequest(21);  // one more decode row: one row asked for
        QCOMPARE(request->firstRow, 20);
        QCOMPARE(request->nRows, 1);
        QVERIFY(store.accept(answer(*request, 21)));
        for (int32_t row = 0; row < 21; ++row)
            for (int32_t key = 0; key <= row; ++key)
                QCOMPARE(store.grid().at(row, key), fixture::attentionValue(0, 0, row, key));
        QVERIFY(std::isnan(store.grid().at(3, 9)));
        QVERIFY(std::isnan(store.grid().at(63, 0)));
    }

    void storeGrowsWithTheSequence() {
        HeatMapStore store;
        for (int32_t n = 1; n <= 300; n += 7) {
            store.setViewport({0, n, 0, n}, 128, 128);
            while (auto request = store.nextRequest(n)) {
                QVERIFY(request->nRows > 0 && request->nKeys > 0);
                QVERIFY(store.accept(answer(*request, n)));
            }
            QCOMPARE(store.doneRows(), n);
        }
        QCOMPARE(store.grid().rowStep, 4);
        // 0.9 survives pooling, whatever the zoom.
        QCOMPARE(store.grid().at(fixture::kPlantedRow, fixture::kPlantedKey), 0.9f);
    }

    void storeRefusesWhatDoesNotFit() {
        HeatMapStore store;
        store.setViewport({0, 64, 0, 64}, 500, 500);
        engine::TileReply reply = answer(*store.nextRequest(10), 10);
        auto wrong = reply;
        wrong.rowStep = 2;
        QVERIFY(!store.accept(wrong));
        wrong = reply;
        wrong.cells.pop_back();
        QVERIFY(!store.accept(wrong));
        wrong = reply;
        wrong.firstKey = 7;
        QVERIFY(!store.accept(wrong));
        wrong = reply;
        wrong.cellRows = -3;
        QVERIFY(!store.accept(wrong));
        QVERIFY(store.accept(reply));
    }

    void requestsStaySmall() {
        HeatMapStore store;
        store.setViewport({0, 50'000, 0, 50'000}, 1 << 20, 1 << 20);
        const auto request = store.nextRequest(50'000);
        const int64_t cells = (int64_t(request->nRows) / request->rowStep + 1) *
                              (int64_t(request->nKeys) / request->keyStep + 1);
        QVERIFY(cells <= HeatMapStore::kMaxTileCells + 4096);
    }

    /// A 0.9 cell is visible at the coarsest zoom, in an image far smaller than the matrix.
    void plantedCellIsVisible() {
        HeatMapStore store;
        store.setKeyOrigin(1);  // without the sink, nothing else comes near 0.9
        const int32_t n = 3000;
        store.setViewport({0, n, 0, n}, 64, 64);
        while (auto request = store.nextRequest(n)) QVERIFY(store.accept(answer(*request, n)));
        HeatMapPainting painting;
        painting.firstKeyShown = 1;
        const QImage image =
            paintHeatMap(store.grid(), QRectF(-0.5, -0.5, n, n), {40, 30}, painting);
        const QRgb wanted = colorTable(ColorMap::Viridis)[painting.scale.level(0.9f)];
        const int x = fixture::kPlantedKey * 40 / n, y = fixture::kPlantedRow * 30 / n;
        QCOMPARE(image.pixel(x, y), wanted);
    }

    void maskedCellsAreBackground() {
        CellGrid grid{0, 0, 1, 1, 2, 2, {1.0f, NAN, 0.5f, 0.5f}};
        const HeatMapPainting painting;
        const QImage image = paintHeatMap(grid, QRectF(-0.5, -0.5, 2, 2), {4, 4}, painting);
        QCOMPARE(qAlpha(image.pixel(3, 0)), 0);
        QCOMPARE(qAlpha(image.pixel(0, 0)), 255);
        QCOMPARE(qAlpha(image.pixel(3, 3)), 255);
        QVERIFY(paintHeatMap(grid, QRectF(), {0, 0}, painting).isNull());
        // Blocks ignore masked cells and keep the largest.
        QCOMPARE(blockMax(grid.cells.data(), 2, 2, 0, 2, 0, 2), 1.0f);
        QVERIFY(std::isnan(blockMax(grid.cells.data(), 2, 2, 0, 1, 1, 2)));
    }

    void exports() {
        const CellGrid grid{3, 0, 1, 1, 1, 2, {0.25f, NAN}};
        const QByteArray csv = heatMapCsv(grid, QStringLiteral("recipe"), [](int32_t pos) {
            return QStringLiteral("t\"%1").arg(pos);
        });
        QCOMPARE(csv, QByteArray(
                          "# recipe\nquery,piece,\"0 t\"\"0\",\"1 t\"\"1\"\n3,\"t\"\"3\",0.25,\n"));
        const QByteArray npy = heatMapNpy(grid);
        QVERIFY(npy.startsWith("\x93NUMPY\x01"));
        QVERIFY(npy.contains("'shape': (1, 2)"));
        QCOMPARE((npy.size() - 8) % 64, 0);  // header padded to 64, then two floats
        float first = 0;
        memcpy(&first, npy.constData() + npy.size() - 8, 4);
        QCOMPARE(first, 0.25f);
    }

    // ---- item models ----

    void candidateModel() {
        CandidateModel model;
        QAbstractItemModelTester tester(&model,
                                        QAbstractItemModelTester::FailureReportingMode::QtTest);
        const SnapshotPtr snapshot = fixture::make({});
        const TokenRecord* token = snapshot->run->tokens[60].get();
        model.setToken(token, snapshot->run->sampling);
        QCOMPARE(model.rowCount(), 10);
        QVERIFY(model.index(0, 0).data(CandidateModel::ChosenRole).toBool());
        TokenRecord outside = *token;
        outside.id = engine::TokenId(77);
        outside.rank = 312;
        model.setToken(&outside, snapshot->run->sampling);
        QCOMPARE(model.rowCount(), 11);
        QCOMPARE(model.index(10, CandidateModel::Rank).data().toString(), QStringLiteral("313"));
        model.setToken(nullptr, {});
        QCOMPARE(model.rowCount(), 0);
        model.retranslate();
    }

    void memoryModel() {
        MemoryModel model;
        QAbstractItemModelTester tester(&model,
                                        QAbstractItemModelTester::FailureReportingMode::QtTest);
        QLocale::setDefault(QLocale::c());
        observe::MemoryLedger ledger;
        ledger.weights = 300;
        ledger.kv = 100;
        model.setLedger(ledger);
        QCOMPARE(model.index(0, MemoryModel::Share).data().toString(), QStringLiteral("75.0 %"));
        QCOMPARE(model.index(kStackedParts, MemoryModel::Bytes).data().toString(),
                 QStringLiteral("400 B"));
        model.retranslate();
    }

    // ---- moments ----

    void readyRowsDuringPrefill() {
        fixture::Spec spec;
        spec.promptTokens = 100;
        spec.isPrefilling = true;
        const SnapshotPtr snapshot = fixture::make(spec);  // 12 of 30 layers of tokens 50–99 done
        QCOMPARE(readyRows(*snapshot, 0), 100);
        QCOMPARE(readyRows(*snapshot, 11), 100);
        QCOMPARE(readyRows(*snapshot, 12), 50);
    }

    void momentFollowsTheSelection() {
        const SnapshotPtr snapshot = fixture::make({});
        Selection selection;
        QCOMPARE(momentPos(*snapshot->run, selection), 107);
        selection.setPos(50);
        QCOMPARE(momentStep(*snapshot->run, selection)->index, 2);
        selection.setPos(3);  // a prompt token: the step is the first token's
        QCOMPARE(momentStep(*snapshot->run, selection)->index, 0);
        selection.setPos(100'000);
        QCOMPARE(momentPos(*snapshot->run, selection), 107);
        QCOMPARE(momentPos(RunRecord(), selection), -1);
    }
};

QTEST_MAIN(TestViewModels)
#include "tst_view_models.moc"
