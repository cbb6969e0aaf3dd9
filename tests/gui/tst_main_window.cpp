// The whole window, offscreen, with a scripted engine: it stands without a model, speaks both
// languages, obeys the keyboard, follows the output only while at the bottom, and shows every way a
// run ends.

#include <QApplication>
#include <QClipboard>
#include <QInputMethodEvent>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "gui/app/catalogue.h"
#include "gui/app/chat_list.h"
#include "gui/app/chat_pane.h"
#include "gui/app/command_line.h"
#include "gui/app/language.h"
#include "gui/app/main_window.h"
#include "gui/app/view_dock.h"
#include "gui/models/engine_text.h"
#include "gui/widgets/composer.h"
#include "gui/widgets/sampling_form.h"
#include "gui/widgets/theme.h"
#include "gui/widgets/transcript_view.h"
#include "tests/gui/test_window.h"

using namespace vitrine;
using namespace vitrine::gui;

class TestMainWindow : public QObject {
    Q_OBJECT

    struct World : test::TestWindow {
        uint32_t runId() const { return script->last<engine::GenerationRequest>()->runId; }

        void answer(const std::vector<std::string>& words,
                    engine::Outcome outcome = engine::Outcome::Eos,
                    std::optional<engine::Error> error = {}) {
            script->startRun(runId(), 12);
            script->endPrefill(runId());
            if (!words.empty()) script->speak(runId(), words);
            script->finish(runId(), outcome, std::move(error));
            QTRY_COMPARE(window->controller().state(), SessionController::State::Ready);
        }

        ComposerEdit* edit() { return window->chat().composer().edit(); }

        QAction* action(const QString& text) {
            for (QAction* a : window->actions())
                if (a->text().remove('&') == text) return a;
            return nullptr;
        }
    };

private slots:

    void standsWithoutAModel() {
        World w;
        QVERIFY(w.window->width() <= 1440 && w.window->height() <= 900);
        QCOMPARE(w.window->chat().composer().mode(), Composer::Mode::NoModel);
        for (const ViewSpec* spec : viewSpecs())
            QVERIFY(w.window->showView(QLatin1String(spec->id)));
        QVERIFY(!w.window->showView(QStringLiteral("nonsense")));
        QVERIFY(!w.window->grab().isNull());
        w.window->openModel(QStringLiteral("no-such-model"));
        QVERIFY(w.window->chat()
                    .notices()
                    .find(QStringLiteral("model"))
                    ->text()
                    .contains(QStringLiteral("no-such-model")));
        w.window->openModel(QStringLiteral("smollm2"));
        QVERIFY(w.window->chat()
                    .notices()
                    .find(QStringLiteral("model"))
                    ->text()
                    .contains(QStringLiteral("packaging/run.sh")));
    }

    void smallAndLargeFit() {
        World w;
        w.load();
        for (const QSize size : {QSize(900, 700), QSize(1440, 900), QSize(1000, 640)}) {
            w.window->resize(size);
            QTest::qWait(50);
            QVERIFY2(
                w.window->width() <= size.width() && w.window->height() <= size.height(),
                qPrintable(QStringLiteral("%1x%2").arg(w.window->width()).arg(w.window->height())));
        }
    }

    void enterSendsButNotWhileComposing() {
        World w;
        w.load();
        w.edit()->setFocus();
        QTest::keyClicks(w.edit(), QStringLiteral("hello"));
        QTest::keyClick(w.edit(), Qt::Key_Return, Qt::ShiftModifier);
        QTest::keyClicks(w.edit(), QStringLiteral("world"));
        QCOMPARE(w.edit()->toPlainText(), QStringLiteral("hello\nworld"));
        QInputMethodEvent composing(QStringLiteral("ni"), {});
        QApplication::sendEvent(w.edit(), &composing);
        QTest::keyClick(w.edit(), Qt::Key_Return);
        QVERIFY(!w.script->last<engine::GenerationRequest>());
        QInputMethodEvent committed;
        committed.setCommitString(QStringLiteral("你"));
        QApplication::sendEvent(w.edit(), &committed);
        QTest::keyClick(w.edit(), Qt::Key_Return);
        QVERIFY(w.script->last<engine::GenerationRequest>());
        QCOMPARE(w.script->last<engine::GenerationRequest>()->messages.back().content,
                 std::string("hello\nworld你"));
        QVERIFY(w.edit()->toPlainText().isEmpty());
        // Esc stops, and the button says so until the engine has.
        QTest::keyClick(w.edit(), Qt::Key_Escape);
        QCOMPARE(w.window->chat().composer().mode(), Composer::Mode::Stopping);
        w.script->finish(w.runId(), engine::Outcome::User);
        QTRY_COMPARE(w.window->chat().composer().mode(), Composer::Mode::Ready);
    }

    void followsOnlyAtTheBottom() {
        World w;
        w.load();
        QVERIFY(w.window->session().send(QStringLiteral("long")));
        w.script->startRun(w.runId(), 12);
        w.script->endPrefill(w.runId());
        w.script->speak(w.runId(), std::vector<std::string>(120, "one line of text\n\n"));
        TranscriptView& view = w.window->chat().transcript();
        QScrollBar* bar = view.verticalScrollBar();
        QTRY_VERIFY(bar->maximum() > 500);
        QCOMPARE(bar->value(), bar->maximum());
        bar->setValue(bar->maximum() / 2);
        QVERIFY(!view.isAtEnd());
        QTest::qWait(200);  // rows above are measured in idle time; the place must stay
        const int place = bar->value();
        w.script->speak(w.runId(), std::vector<std::string>(60, "more text\n\n"), 120);
        QTest::qWait(120);
        QCOMPARE(bar->value(), place);
        QTest::keyClick(&view, Qt::Key_End);
        QVERIFY(view.isAtEnd());
        w.script->speak(w.runId(), std::vector<std::string>(60, "more text\n\n"), 180);
        QTest::qWait(120);
        QCOMPARE(bar->value(), bar->maximum());
        w.script->finish(w.runId());
        QTRY_COMPARE(w.window->controller().state(), SessionController::State::Ready);
    }

    void everyTurnsErrorIsItsOwn() {
        World w;
        w.load();
        QVERIFY(w.window->session().send(QStringLiteral("one")));
        w.answer({}, engine::Outcome::Error,
                 engine::makeError(engine::Errc::Device, "The engine stopped: made up."));
        QVERIFY(w.window->session().send(QStringLiteral("two")));
        w.answer({"fine"});
        QCOMPARE(w.window->chat().transcript().messageCount(), static_cast<size_t>(4));
        // The question without an answer is not sent again.
        QCOMPARE(w.script->last<engine::GenerationRequest>()->messages.size(),
                 static_cast<size_t>(1));
    }

    void fullContextOffersToDrop() {
        World w;
        w.load(100);
        for (int i = 0; i < 3; ++i) {
            QVERIFY(w.window->session().send(QStringLiteral("question %1 of some length").arg(i)));
            w.answer({"answer"}, i == 2 ? engine::Outcome::ContextFull : engine::Outcome::Eos);
        }
        NoticeBar* bar = w.window->chat().notices().find(QStringLiteral("context"));
        QVERIFY(bar);
        QVERIFY(bar->text().contains(QStringLiteral("100")));
        auto* button = bar->findChild<QPushButton*>();
        QVERIFY(button);
        button->click();
        QVERIFY(w.window->session().chat().turns[0].isDropped);
        w.answer({"goes on"});
        QVERIFY(!w.window->chat().notices().find(QStringLiteral("context")));
    }

    void tokenClickSelectsThePosition() {
        World w;
        w.load();
        QVERIFY(w.window->session().send(QStringLiteral("one")));
        w.answer({"Word", " and", " word"});
        emit w.window->chat().transcript().tokenClicked(1, 2);
        QCOMPARE(w.window->selection().pos(), std::optional<int32_t>(14));
        // By mouse, too: the first letters of the answer are its first token.
        TranscriptView& view = w.window->chat().transcript();
        QSignalSpy clicked(&view, &TranscriptView::tokenClicked);
        for (int y = 40; y < 200 && clicked.isEmpty(); y += 4)
            QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, QPoint(20, y));
        QVERIFY(!clicked.isEmpty());
        QCOMPARE(clicked[0][1].toInt(), 0);
    }

    void languageAndThemeSwitchAtRunTime() {
        World w;
        w.load();
        QVERIFY(w.window->session().send(QStringLiteral("one")));
        w.answer({"text"});
        const QString english = w.window->menuBar()->actions().first()->text();
        w.window->setLanguage(QStringLiteral("zh_CN"));
        QTest::qWait(20);
        const QString chinese = w.window->menuBar()->actions().first()->text();
        QVERIFY(english != chinese);
        QVERIFY(chinese.contains(QStringLiteral("模型")));
        for (const QMenu* menu : w.window->menuBar()->findChildren<QMenu*>())
            for (const QAction* a : menu->actions()) {
                if (a->isSeparator() || a->text().isEmpty()) continue;
                const QString text = a->text();
                const bool hasHan = std::any_of(text.begin(), text.end(), [](QChar c) {
                    return c.script() == QChar::Script_Han;
                });
                QVERIFY2(hasHan, qPrintable(text));
            }
        for (const ViewSpec* spec : viewSpecs()) {
            const QString title = w.window->dock(QLatin1String(spec->id))->windowTitle();
            QVERIFY2(title != QLatin1String(spec->title), spec->title);
        }
        const QString full =
            engineText(std::string("The prompt has 12 tokens and the context holds 8; shorten it, "
                                   "drop old turns or choose a larger context."));
        QVERIFY2(full.contains(QStringLiteral("提示有 12 个词元")) &&
                     full.contains(QStringLiteral("8 个")),
                 qPrintable(full));
        QVERIFY(engineText(std::string("This file is empty; download the model again."))
                    .contains(QStringLiteral("文件")));
        QCOMPARE(engineText(std::string("made up")), QStringLiteral("made up"));
        w.window->setTheme(QStringLiteral("light"));
        QVERIFY(!Theme::current().isDark);
        w.window->setLanguage(QStringLiteral("en"));
        QTest::qWait(20);
        QCOMPARE(w.window->menuBar()->actions().first()->text(), english);
        const std::string sentence =
            "This model needs about 3.2 GiB and 1.0 GiB are free; close other programs or choose a "
            "smaller model.";
        QCOMPARE(engineText(sentence), QString::fromStdString(sentence));
    }

    void everythingHasAKeyAndNoneTwice() {
        World w;
        QSet<QString> seen;
        for (const QAction* a : w.window->actions())
            for (const QKeySequence& key : a->shortcuts()) {
                const QString text = key.toString();
                QVERIFY2(!seen.contains(text), qPrintable(text));
                seen.insert(text);
            }
        for (const char* key : {"Ctrl+O", "Ctrl+N", "Ctrl+L", "Ctrl+R", "Ctrl+M", "Ctrl+E",
                                "Ctrl++", "Ctrl+-", "F1", "Ctrl+1"})
            QVERIFY2(seen.contains(QLatin1String(key)), key);
        const double before = Theme::basePointSize();
        QTest::keyClick(w.window.get(), Qt::Key_Plus, Qt::ControlModifier);
        QTRY_COMPARE(Theme::basePointSize(), before + 1);
        QTest::keyClick(w.window.get(), Qt::Key_0, Qt::ControlModifier);
        QTRY_COMPARE(Theme::basePointSize(), 10.0);
        QTest::keyClick(w.window.get(), Qt::Key_L, Qt::ControlModifier);
        QTRY_VERIFY(w.window->chat().list().isVisible());
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
        QTRY_VERIFY(!w.window->chat().list().isVisible());
    }

    void samplingFormRoundTrip() {
        SamplingForm form;
        SamplingSettings s;
        s.params.temperature = 0.15f;
        s.params.topK = 0;
        s.params.seed = 18'446'744'073'709'551'615u;
        s.stopTexts = {QStringLiteral("a b"), QStringLiteral("\n\\")};
        s.maxTokens = 77;
        s.own = engine::changedFields(s.params);
        form.setSettings(s);
        QVERIFY(form.settings() == s);
    }

    void chatsSurviveAKill() {
        World w;
        w.load();
        QVERIFY(w.window->session().send(QStringLiteral("remember me")));
        w.answer({"I", " do"});
        QTRY_VERIFY(QFile::exists(
            w.dir.filePath(QStringLiteral("chats/%1.json").arg(w.window->session().chat().id))));
        QTRY_COMPARE(w.window->chat().list().count(), 1);
        w.window->close();
        w.open();
        QTRY_COMPARE(w.window->session().chat().turns.size(), static_cast<size_t>(2));
        QCOMPARE(w.window->session().chat().turns[1].text, QStringLiteral("I do"));
        QCOMPARE(w.window->controller().snapshot()->run->provenance, Provenance::Recorded);
    }

    void noModelAfterACrash() {
        World w;
        w.load();
        w.window->close();
        w.script->commands.clear();
        w.open();
        w.window->settings().addRecentModel(w.dir.filePath(QStringLiteral("made-up.gguf")));
        w.window->begin({}, false);
        QVERIFY(!w.script->last<engine::LoadModel>());
        QVERIFY(w.window->chat().notices().find(QStringLiteral("crash")));
        w.window->begin({}, true);
        QVERIFY(w.script->last<engine::LoadModel>());
    }

    void longChatStaysQuick() {
        World w;
        w.load();
        std::vector<MessageContent> messages;
        for (int i = 0; i < 600; ++i) {
            MessageContent m;
            m.turn = i;
            m.isUser = i % 2 == 0;
            m.text = QStringLiteral("Paragraph with **bold** and `code` in it. ").repeated(8) +
                     QStringLiteral("\n\n- item\n- item\n");
            for (int32_t end = 4; end <= m.text.size(); end += 4) m.tokenEnds.append(end);
            m.tokenProbs.fill(0.5f, m.tokenEnds.size());
            messages.push_back(std::move(m));
        }
        TranscriptView view;
        view.resize(500, 700);
        view.show();
        QElapsedTimer clock;
        clock.start();
        view.setMessages(std::move(messages), false);
        view.grab();
        const qint64 shown = clock.restart();
        for (int i = 0; i < 30; ++i) {
            view.verticalScrollBar()->setValue(view.verticalScrollBar()->maximum() * i / 30);
            view.grab();
        }
        const qint64 scrolled = clock.elapsed();
        QVERIFY2(shown < 3000, qPrintable(QString::number(shown)));
        QVERIFY2(scrolled < 6000, qPrintable(QString::number(scrolled)));
    }

    void commandLine() {
        const auto parse = [](const QStringList& arguments) {
            return parseCommandLine(QStringList{QStringLiteral("vitrine")} + arguments);
        };
        QCOMPARE(parse({QStringLiteral("x.gguf")}).model, QStringLiteral("x.gguf"));
        QCOMPARE(parse({QStringLiteral("--size"), QStringLiteral("900x700")}).size,
                 QSize(900, 700));
        QVERIFY(!parse({QStringLiteral("--size"), QStringLiteral("tiny")}).problem.isEmpty());
        QVERIFY(!parse({QStringLiteral("--at"), QStringLiteral("noon")}).problem.isEmpty());
        QVERIFY(!parse({QStringLiteral("--nonsense")}).problem.isEmpty());
    }
};

QTEST_MAIN(TestMainWindow)
#include "tst_main_window.moc"
