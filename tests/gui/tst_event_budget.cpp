// The window stays quick: during the prefill of a 1,500-token prompt and the decode after it, no
// event takes more than 8 ms of the GUI thread's CPU time. Runs the real engine, with the default
// model where it is installed, else with a made-up one. The same holds for the preview of a prompt
// of 30,000 characters. Prints the wall-clock p99 of the event loop. The 8 ms are those of a
// processor of 2024; an older one, which takes longer for a fixed picture too, has as much more.

#include <algorithm>
#include <cstdio>

#include <QApplication>
#include <QElapsedTimer>
#include <QFileInfo>
#include <QTest>
#include <QTimer>
#include <QToolButton>

#include "gui/app/chat_pane.h"
#include "gui/prompt/prompt_flow.h"
#include "gui/prompt/prompt_window.h"
#include "gui/widgets/composer.h"
#include "tests/gui/slowness.h"
#include "tests/gui/test_window.h"
#include "tests/support/tiny_model.h"

using namespace vitrine;
using namespace vitrine::gui;

namespace {

struct Slow {
    int64_t cpuNs = 0;
    QString what;
};

/// Measures every outermost event.
class MeasuredApplication : public QApplication {
public:
    using QApplication::QApplication;

    bool notify(QObject* receiver, QEvent* event) override {
        if (depth_ > 0 || !isMeasuring) return QApplication::notify(receiver, event);
        const QString what = QStringLiteral("%1 of type %2")
                                 .arg(QLatin1String(receiver->metaObject()->className()))
                                 .arg(event->type());
        ++depth_;
        QElapsedTimer wall;
        wall.start();
        const int64_t begin = test::threadCpuNs();
        const bool result = QApplication::notify(receiver, event);
        const int64_t spent = test::threadCpuNs() - begin;
        --depth_;
        cpu.push_back({spent, what});
        wallNs.push_back(wall.nsecsElapsed());
        return result;
    }

    bool isMeasuring = false;
    std::vector<Slow> cpu;
    std::vector<qint64> wallNs;

private:
    int depth_ = 0;
};

MeasuredApplication* application = nullptr;

constexpr int64_t kBudgetNs = 8'000'000;

/// The budget of an event, for this processor.
int64_t budgetNs() {
    return static_cast<int64_t>(test::slowness() * static_cast<double>(kBudgetNs));
}

}  // namespace

class TestEventBudget : public QObject {
    Q_OBJECT
private slots:

    void prefillOfALongPrompt() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
        QSKIP("a sanitizer slows everything: the budget holds for the program itself");
#endif
        test::TestWindow world(true);
        MainWindow& window = *world.window;
        QString model = paths::modelsFolder() + QStringLiteral("/SmolLM2-135M-Instruct.Q4_1.gguf");
        const bool isTiny = !QFileInfo::exists(model);
        if (isTiny) {
            test::TinyModelOptions options;
            options.nLayers = 8;
            options.contextLength = 4096;
            model = world.dir.filePath(QStringLiteral("tiny.gguf"));
            QVERIFY(test::makeTinyModel(options).write(model.toStdString()));
        }
        world.load(model);
        if (QTest::currentTestFailed()) return;
        SamplingSettings sampling;
        sampling.maxTokens = 60;
        window.session().setSampling(sampling);
        // What is made once (fonts, first paint) is not the run's.
        QTest::qWait(300);

        // About 1,500 tokens either way: the made-up vocabulary has a token per byte. What the
        // window does is the same each time; what another program costs it (caches, stolen time)
        // is not, so the best of three counts.
        const int wanted = isTiny ? 1800 : 4650;
        Slow worst;
        for (int attempt = 0; attempt < 3; ++attempt) {
            window.session().newChat();
            QString question;
            for (int i = 1000 * attempt; question.size() < wanted; ++i)
                question +=
                    QStringLiteral("Item %1 is blue or green, and nobody knows why.\n").arg(i);
            worst = {};
            measure(window, question, worst);
            if (QTest::currentTestFailed() || worst.cpuNs <= budgetNs()) break;
        }
        QVERIFY2(worst.cpuNs <= budgetNs(), qPrintable(worst.what));
    }

    void previewOfAHugePrompt() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
        QSKIP("a sanitizer slows everything: the budget holds for the program itself");
#endif
        test::TestWindow world(true);
        MainWindow& window = *world.window;
        // Some twenty thousand tokens, more than the context holds, which a preview must bear.
        const QString model = world.dir.filePath(QStringLiteral("tiny.gguf"));
        QVERIFY(test::makeTinyModel({}).write(model.toStdString()));
        world.load(model);
        if (QTest::currentTestFailed()) return;
        PromptWindow* preview = window.chat().showPrompt();
        QTest::qWait(500);
        QString text;
        for (int i = 0; text.size() < 30'000; ++i)
            text +=
                i % 40 == 39 ? QStringLiteral("\n你好，世界。") : QStringLiteral("word%1 ").arg(i);
        window.session().setSystemPrompt(text);
        QTRY_VERIFY_WITH_TIMEOUT(!preview->feed().isLate() && preview->flow().isSettled(), 20'000);

        Slow worst;
        for (int attempt = 0; attempt < 3; ++attempt) {
            application->cpu.clear();
            application->isMeasuring = true;
            window.chat().composer().setText(QStringLiteral("draft %1").arg(attempt));
            const auto isShown = [&] {
                const PromptTextPtr& prompt = preview->feed().prompt();
                return prompt && prompt->text.contains(QStringLiteral("draft %1").arg(attempt)) &&
                       preview->flow().isSettled();
            };
            QTRY_VERIFY_WITH_TIMEOUT(isShown(), 20'000);
            QVERIFY2(preview->feed().prompt()->reply->count >= 15'000,
                     qPrintable(QString::number(preview->feed().prompt()->reply->count)));
            for (const QToolButton* button : preview->findChildren<QToolButton*>()) {
                if (!button->isCheckable()) continue;
                QTimer::singleShot(0, button, &QToolButton::click);
                QTest::qWait(120);
                QTRY_VERIFY(preview->flow().isSettled());
            }
            for (const int key : {Qt::Key_Home, Qt::Key_PageDown, Qt::Key_End}) {
                QTest::keyClick(&preview->flow(), static_cast<Qt::Key>(key));
                QTest::qWait(60);
            }
            preview->resize(500 + 100 * attempt, 600);
            QTest::qWait(200);
            application->isMeasuring = false;
            worst =
                *std::max_element(application->cpu.begin(), application->cpu.end(),
                                  [](const Slow& a, const Slow& b) { return a.cpuNs < b.cpuNs; });
            std::printf("preview: events %zu, worst CPU %.2f ms %s\n", application->cpu.size(),
                        static_cast<double>(worst.cpuNs) / 1e6, qPrintable(worst.what));
            if (worst.cpuNs <= budgetNs()) break;
        }
        QVERIFY2(worst.cpuNs <= budgetNs(), qPrintable(worst.what));
    }

private:
    /// Asks the question, measures every event until the pictures of the finished run are there,
    /// prints the slowest and gives the worst.
    static void measure(MainWindow& window, const QString& question, Slow& worst) {
        std::vector<Slow>& cpu = application->cpu;
        std::vector<qint64>& wallNs = application->wallNs;
        cpu.clear();
        wallNs.clear();
        application->isMeasuring = true;
        QVERIFY(window.session().send(question));
        QTRY_VERIFY_WITH_TIMEOUT(window.controller().liveRun()->outcome.has_value(), 600'000);
        QTest::qWait(1500);
        application->isMeasuring = false;

        const auto run = window.controller().liveRun();
        QVERIFY2(run->promptTokens >= 1400, qPrintable(QString::number(run->promptTokens)));
        QVERIFY(cpu.size() > 100);
        std::sort(cpu.begin(), cpu.end(),
                  [](const Slow& a, const Slow& b) { return a.cpuNs > b.cpuNs; });
        std::sort(wallNs.begin(), wallNs.end());
        const auto ms = [](int64_t ns) { return static_cast<double>(ns) / 1e6; };
        std::printf(
            "events %zu, prompt tokens %d, worst CPU %.2f ms, wall p99 %.2f ms, worst wall %.2f "
            "ms\n",
            cpu.size(), run->promptTokens, ms(cpu[0].cpuNs), ms(wallNs[wallNs.size() * 99 / 100]),
            ms(wallNs.back()));
        for (size_t i = 0; i < std::min<size_t>(8, cpu.size()); ++i)
            std::printf("  %.2f ms %s\n", ms(cpu[i].cpuNs), qPrintable(cpu[i].what));
        worst = cpu[0];
    }
};

int main(int argc, char** argv) {
    MeasuredApplication app(argc, argv);
    application = &app;
    TestEventBudget test;
    budgetNs();  // before the engine's threads share the processor
    return QTest::qExec(&test, argc, argv);
}

#include "tst_event_budget.moc"
