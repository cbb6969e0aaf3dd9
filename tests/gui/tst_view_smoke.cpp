// Every view × every kind of snapshot × both themes: it must not crash, must draw something, and
// must stay within its share of the GUI thread.

#include <QSettings>
#include <QStandardPaths>
#include <QtTest>

#include "gui/widgets/theme.h"
#include "tests/gui/slowness.h"
#include "tests/gui/snapshot_fixture.h"

using namespace vitrine::gui;

namespace {

double cpuMs() {
    return static_cast<double>(vitrine::test::threadCpuNs()) / 1e6;
}

/// Pixels that differ from the most common colour.
int inkPixels(const QImage& image) {
    QHash<QRgb, int> counts;
    for (int y = 0; y < image.height(); y += 2)
        for (int x = 0; x < image.width(); x += 2) ++counts[image.pixel(x, y)];
    int most = 0, all = 0;
    for (const int n : counts) {
        most = std::max(most, n);
        all += n;
    }
    return all - most;
}

SnapshotPtr snapshotNamed(const QString& name) {
    fixture::Spec spec;
    if (name == "null") return fixture::nothing();
    if (name == "empty") return fixture::modelOnly();
    if (name == "tiny") {
        spec.promptTokens = 1;
        spec.generated = 1;
    } else if (name == "prefill") {
        spec.isPrefilling = true;
        spec.generated = 0;
    } else if (name == "huge") {
        spec.promptTokens = 20000;
        spec.generated = 30000;
        spec.contextSize = 131072;
    } else if (name == "dropped") {
        spec.droppedEvents = 4711;
    } else if (name == "recorded") {
        spec.isRecorded = true;
    } else if (name == "absurd") {
        return fixture::absurd();
    }
    return fixture::make(spec);
}

}  // namespace

class TestViewSmoke : public QObject {
    Q_OBJECT
private slots:

    void initTestCase() {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName(QStringLiteral("vitrine-test"));
        QSettings().clear();
    }

    void tableIsComplete() {
        QSet<QByteArray> ids;
        for (const ViewSpec* spec : viewSpecs()) {
            ids.insert(spec->id);
            QVERIFY(qstrlen(spec->title) > 0);
        }
        QCOMPARE(ids, (QSet<QByteArray>{"attention", "kv_cache", "latency", "memory", "next_token",
                                        "tokens", "timeline"}));
    }

    void draws_data() {
        QTest::addColumn<int>("view");
        QTest::addColumn<QString>("kind");
        QTest::addColumn<QString>("theme");
        for (int i = 0; i < static_cast<int>(viewSpecs().size()); ++i)
            for (const char* kind : {"null", "empty", "tiny", "normal", "prefill", "huge",
                                     "dropped", "recorded", "absurd"})
                for (const char* theme : {"dark", "light"})
                    QTest::addRow("%s-%s-%s", viewSpecs()[static_cast<size_t>(i)]->id, kind, theme)
                        << i << kind << theme;
    }

    void draws() {
        QFETCH(int, view);
        QFETCH(QString, kind);
        QFETCH(QString, theme);
        Theme::apply(theme);
        Selection selection;
        fixture::Source source;
        const ViewSpec* spec = viewSpecs()[static_cast<size_t>(view)];
        std::unique_ptr<View> widget(spec->create({&selection, &source}, nullptr));
        const SnapshotPtr snapshot = snapshotNamed(kind);
        source.nTokens = std::clamp(snapshot->frame.contextUsed, 0, 4000);
        widget->resize(640, spec->id == QByteArray("timeline") ? 130 : 420);
        widget->setSnapshot(snapshot);
        widget->show();
        QVERIFY(QTest::qWaitForWindowExposed(widget.get()));
        QTest::qWait(20);
        QVERIFY(inkPixels(widget->grab().toImage()) > 150);
        // Selections that fit, do not fit, and go away.
        for (const int32_t pos : {0, 5, 1'000'000, -3}) {
            selection.setCell(pos, pos / 2);
            selection.setLayerHead(pos, pos % 4);
            QCoreApplication::processEvents();
        }
        selection.setLayerHead(0, -1);
        selection.reset();
        // A change of run, of size, of theme and of language while it is visible.
        widget->setSnapshot(fixture::modelOnly());
        widget->setSnapshot(snapshot);
        widget->resize(180, 120);
        Theme::apply(theme == "dark" ? "light" : "dark");
        QEvent change(QEvent::LanguageChange);
        QCoreApplication::sendEvent(widget.get(), &change);
        QCoreApplication::processEvents();
        QVERIFY(!widget->grab().isNull());
    }

    void staysCheap_data() {
        QTest::addColumn<int>("view");
        for (int i = 0; i < static_cast<int>(viewSpecs().size()); ++i)
            QTest::addRow("%s", viewSpecs()[static_cast<size_t>(i)]->id) << i;
    }

    /// setSnapshot at 8,000 tokens with one new token: under 4 ms of CPU (median of 21).
    void staysCheap() {
        QFETCH(int, view);
        Theme::apply("dark");
        fixture::Spec spec;
        spec.promptTokens = 4000;
        spec.generated = 4000;
        spec.contextSize = 16384;
        spec.isRunning = true;
        Selection selection;
        fixture::Source source;
        source.isSilent = true;
        const ViewSpec* view_ = viewSpecs()[static_cast<size_t>(view)];
        std::unique_ptr<View> widget(view_->create({&selection, &source}, nullptr));
        widget->resize(900, 500);
        widget->show();
        QVERIFY(QTest::qWaitForWindowExposed(widget.get()));
        SnapshotPtr snapshot = fixture::make(spec);
        widget->setSnapshot(snapshot);
        QTest::qWait(10);
        std::vector<double> times, frames;
        for (int i = 0; i < 21; ++i) {
            snapshot = fixture::grown(snapshot, 1);
            const double before = cpuMs();
            widget->setSnapshot(snapshot);
            times.push_back(cpuMs() - before);
            QCoreApplication::processEvents();
            frames.push_back(cpuMs() - before);
        }
        std::sort(times.begin(), times.end());
        std::sort(frames.begin(), frames.end());
        qInfo("%s: setSnapshot median %.2f ms, worst %.2f ms; with painting %.2f ms", view_->id,
              times[10], times[20], frames[10]);
        QVERIFY2(times[10] < 4.0 * vitrine::test::slowness(),
                 qPrintable(QStringLiteral("%1 ms").arg(times[10])));
#ifndef __SANITIZE_ADDRESS__
        QVERIFY2(frames[10] < 8.0 * vitrine::test::slowness(),
                 qPrintable(QStringLiteral("%1 ms a frame").arg(frames[10])));
#endif
    }
};

QTEST_MAIN(TestViewSmoke)
#include "tst_view_smoke.moc"
