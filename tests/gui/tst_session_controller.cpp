// Controller and chat session against a scripted engine: states, snapshots, what is sent, what is
// kept of every way a run can end.

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "gui/session/answer_line.h"
#include "gui/session/chat_session.h"
#include "gui/session/run_figures.h"
#include "tests/gui/scripted_link.h"

using namespace vitrine;
using namespace vitrine::gui;
using State = SessionController::State;

class TestSessionController : public QObject {
    Q_OBJECT

    struct World {
        QTemporaryDir dir;
        std::shared_ptr<test::Script> script = std::make_shared<test::Script>();
        SessionController controller{test::scripted(script)};
        ChatStore store{dir.path()};
        ChatSession session{controller, store};

        void load(int32_t context = 2048) {
            controller.loadModel(QStringLiteral("/models/x.gguf"), {});
            script->loadModel(context);
            QTRY_COMPARE(controller.state(), State::Ready);
        }

        uint32_t runId() const { return script->last<engine::GenerationRequest>()->runId; }

        void answer(const std::vector<std::string>& words,
                    engine::Outcome outcome = engine::Outcome::Eos, int32_t nPrompt = 12) {
            script->startRun(runId(), nPrompt);
            script->endPrefill(runId());
            script->speak(runId(), words);
            script->finish(runId(), outcome);
            QTRY_COMPARE(controller.state(), State::Ready);
        }

        const Turn& lastTurn() const { return session.chat().turns.back(); }
    };

private slots:

    void loadCancelAndFail() {
        World w;
        QCOMPARE(w.controller.state(), State::NoModel);
        QCOMPARE(w.controller.generate({}), 0u);
        QSignalSpy failed(&w.controller, &SessionController::loadFailed);
        w.controller.loadModel(QStringLiteral("/models/x.gguf"), {});
        QCOMPARE(w.controller.state(), State::Loading);
        w.controller.cancelLoad();
        QCOMPARE(w.script->nStops, 1);
        w.script->say(engine::LoadFailed{"/models/x.gguf",
                                         engine::makeError(engine::Errc::Cancelled, "Stopped.")});
        QTRY_COMPARE(w.controller.state(), State::NoModel);
        QVERIFY(failed[0][2].toBool());
        w.load();
        // A second load that fails leaves the first model in place.
        w.controller.loadModel(QStringLiteral("/models/y.gguf"), {});
        w.script->say(engine::LoadFailed{
            "/models/y.gguf", engine::makeError(engine::Errc::Format, "It is damaged.")});
        QTRY_COMPARE(w.controller.state(), State::Ready);
        QVERIFY(w.controller.model());
    }

    void newestOfTwoLoadsCounts() {
        World w;
        w.controller.loadModel(QStringLiteral("/models/x.gguf"), {});
        w.controller.loadModel(QStringLiteral("/models/y.gguf"), {});
        w.script->say(engine::LoadFailed{"/models/x.gguf",
                                         engine::makeError(engine::Errc::Cancelled, "Stopped.")});
        QTest::qWait(60);
        QCOMPARE(w.controller.state(), State::Loading);
        w.script->loadModel();
        QTRY_COMPARE(w.controller.state(), State::Ready);
    }

    void oneRunFromSendToEnd() {
        World w;
        w.load();
        SnapshotPtr snapshot;
        connect(&w.controller, &SessionController::snapshotReady, this,
                [&](const SnapshotPtr& s) { snapshot = s; });
        QVERIFY(w.session.send(QStringLiteral("Why?")));
        QCOMPARE(w.controller.state(), State::Waiting);
        const auto* request = w.script->last<engine::GenerationRequest>();
        QVERIFY(request);
        QVERIFY(request->submittedNs > 0);
        QCOMPARE(request->messages.back().content, std::string("Why?"));
        w.script->startRun(w.runId(), 12, 4);
        QTRY_COMPARE(w.controller.state(), State::Prefill);
        w.script->endPrefill(w.runId());
        w.script->speak(w.runId(), {"Be", "cause"});
        QTRY_COMPARE(w.controller.state(), State::Decode);
        QCOMPARE(w.lastTurn().text, QStringLiteral("Because"));
        QCOMPARE(w.lastTurn().tokenEnds, (QVector<int32_t>{2, 7}));
        const auto firstTokens = snapshot->run->tokens;
        QCOMPARE(firstTokens.size(), static_cast<size_t>(14));
        QVERIFY(firstTokens[3]->isReused && !firstTokens[4]->isReused);
        w.script->speak(w.runId(), {" so"}, 2);
        w.script->finish(w.runId());
        QTRY_COMPARE(w.controller.state(), State::Ready);
        // Records are shared between snapshots, not copied.
        for (size_t i = 0; i < firstTokens.size(); ++i)
            QCOMPARE(snapshot->run->tokens[i].get(), firstTokens[i].get());
        QCOMPARE(w.lastTurn().run->outcome, engine::Outcome::Eos);
        QCOMPARE(*w.lastTurn().run->sampling.seed, 18'446'744'073'709'551'615u);
        QVERIFY(snapshot->isAttentionLive);
        const RunFigures f = runFigures(*w.lastTurn().run);
        QCOMPARE(*f.ttftNs, 59'000'000);
        QCOMPARE(*f.tpotNs, 10'000'000);
        QCOMPARE(f.cachedTokens, 4);
        QVERIFY(answerLine(*w.lastTurn().run).contains(QStringLiteral("end of text")));
    }

    void eventsReachTheRecord() {
        World w;
        w.load();
        w.session.send(QStringLiteral("Why?"));
        observe::Event event;
        event.runId = w.runId();
        event.phase = observe::Phase::Prefill;
        event.layer = 2;
        event.op = observe::OpClass::Layer;
        event.durationNs = 500;
        event.flops = 70;
        w.script->hub->events.push(event);
        event.op = observe::OpClass::Attention;
        event.durationNs = 200;
        w.script->hub->events.push(event);
        w.script->startRun(w.runId(), 12);
        // The step of token 1 is told before the token itself.
        observe::Event step;
        step.runId = w.runId();
        step.phase = observe::Phase::Decode;
        step.op = observe::OpClass::Step;
        step.step = 1;
        step.flops = 1000;
        step.bytes = 2000;
        w.script->hub->events.push(step);
        QTRY_COMPARE(w.controller.state(), State::Prefill);
        w.script->speak(w.runId(), {"a", "b"});
        QTRY_COMPARE(w.controller.state(), State::Decode);
        const auto run = w.controller.snapshot()->run;
        QCOMPARE(run->prefillLayers.size(), static_cast<size_t>(3));
        QCOMPARE(run->prefillLayers[2].totalNs, 500);
        QCOMPARE(run->prefillLayers[2].flops, 70u);
        QCOMPARE(run->prefillLayers[2].opNs[static_cast<size_t>(observe::OpClass::Attention)], 200);
        QCOMPARE(run->tokens.back()->stepBytes, 2000u);
        w.script->finish(w.runId());
        QTRY_COMPARE(w.controller.state(), State::Ready);
    }

    void stopIsSeen() {
        World w;
        w.load();
        w.session.send(QStringLiteral("Why?"));
        w.script->startRun(w.runId(), 12);
        QTRY_COMPARE(w.controller.state(), State::Prefill);
        w.session.stop();
        w.session.stop();
        QCOMPARE(w.controller.state(), State::Stopping);
        QCOMPARE(w.script->nStops, 1);
        w.script->endPrefill(w.runId());
        QTest::qWait(50);
        QCOMPARE(w.controller.state(), State::Stopping);
        w.script->finish(w.runId(), engine::Outcome::User);
        QTRY_COMPARE(w.controller.state(), State::Ready);
        QCOMPARE(w.lastTurn().run->outcome, engine::Outcome::User);
        QVERIFY(w.session.send(QStringLiteral("Again?")));
    }

    void everyOutcomeIsKept() {
        World w;
        w.load();
        for (const auto outcome :
             {engine::Outcome::Eos, engine::Outcome::Length, engine::Outcome::Stop,
              engine::Outcome::User, engine::Outcome::TimeoutFirst, engine::Outcome::Timeout,
              engine::Outcome::ContextFull, engine::Outcome::OutOfMemory, engine::Outcome::Error}) {
            QVERIFY(w.session.send(QStringLiteral("Why?")));
            w.answer({"x"}, outcome);
            QCOMPARE(w.lastTurn().run->outcome, outcome);
            QVERIFY(!answerLine(*w.lastTurn().run).isEmpty());
        }
    }

    void editAndRegenerateKeepVersions() {
        World w;
        w.load();
        w.session.send(QStringLiteral("one"));
        w.answer({"first"});
        QVERIFY(w.session.regenerate(1));
        w.answer({"second"});
        QCOMPARE(w.session.chat().path(), (std::vector<int32_t>{0, 2}));
        QVERIFY(w.session.edit(0, QStringLiteral("two")));
        QCOMPARE(w.script->last<engine::GenerationRequest>()->messages.size(),
                 static_cast<size_t>(1));
        w.answer({"third"});
        QCOMPARE(w.session.chat().versions(0).size(), static_cast<size_t>(2));
        w.session.selectVersion(0);
        QCOMPARE(w.session.chat().path(), (std::vector<int32_t>{0, 2}));
        // The run on show follows the version.
        QCOMPARE(w.controller.snapshot()->run->runId, w.session.chat().turns[2].run->runId);
        QVERIFY(!w.controller.snapshot()->isAttentionLive);
        w.session.removeTurn(0);
        w.session.undoRemove();
        QCOMPARE(w.session.chat().turns.size(), static_cast<size_t>(5));
    }

    void fullContextDropsOldestWhenAsked() {
        World w;
        w.load(100);
        for (int i = 0; i < 4; ++i) {
            w.session.send(QStringLiteral("question number %1, a long one").arg(i));
            w.answer({"answer"}, i == 3 ? engine::Outcome::ContextFull : engine::Outcome::Eos,
                     20 + 25 * i);
        }
        QVERIFY(w.session.isContextFull());
        const std::vector<int32_t> dropped = w.session.turnsToDrop();
        QVERIFY(!dropped.empty());
        QCOMPARE(dropped.size() % 2, static_cast<size_t>(0));
        QVERIFY(w.session.dropOldestAndContinue());
        for (const int32_t turn : dropped)
            QVERIFY(w.session.chat().turns[static_cast<size_t>(turn)].isDropped);
        const auto& messages = w.script->last<engine::GenerationRequest>()->messages;
        QCOMPARE(messages.size(), 7 - dropped.size());
        QCOMPARE(messages.back().content, std::string("question number 3, a long one"));
        w.answer({"now"});
        QVERIFY(!w.session.isContextFull());
    }

    void anotherChatMeanwhile() {
        World w;
        w.load();
        w.session.send(QStringLiteral("one"));
        const QString first = w.session.chat().id;
        w.session.newChat();
        QVERIFY(w.session.isBusyElsewhere());
        QVERIFY(!w.session.send(QStringLiteral("two")));
        w.answer({"done"});
        QVERIFY(!w.session.isBusyElsewhere());
        w.session.openChat(first);
        QTRY_COMPARE(w.session.chat().id, first);
        QCOMPARE(w.lastTurn().text, QStringLiteral("done"));
        QCOMPARE(w.lastTurn().run->outcome, engine::Outcome::Eos);
    }

    void killedInMidAnswer() {
        World w;
        w.load();
        w.session.send(QStringLiteral("one"));
        const QString id = w.session.chat().id;
        w.script->startRun(w.runId(), 12);
        w.script->endPrefill(w.runId());
        w.script->speak(w.runId(), {"so", " far"});
        QTRY_COMPARE(w.lastTurn().text, QStringLiteral("so far"));
        QTest::qWait(2300);  // saved while it grows
        w.store.flush();
        // Another start reads what is on disk now.
        World second;
        ChatStore store(w.dir.path());
        std::shared_ptr<Chat> chat;
        connect(&store, &ChatStore::loaded, this,
                [&](const std::shared_ptr<Chat>& c) { chat = c; });
        store.load(id);
        QTRY_VERIFY(chat);
        QCOMPARE(chat->turns.back().text, QStringLiteral("so far"));
        const RunRecord& run = *chat->turns.back().run;
        QCOMPARE(run.provenance, Provenance::Recorded);
        QVERIFY(!run.outcome);
        QCOMPARE(run.tokens.back()->candidates.size(), static_cast<size_t>(2));
        QVERIFY(answerLine(run).contains(QStringLiteral("interrupted")));
        w.script->finish(w.runId());
        QTRY_COMPARE(w.controller.state(), State::Ready);
    }

    void recordedRunIsRecomputedOnRequest() {
        World w;
        w.load();
        w.session.send(QStringLiteral("one"));
        w.answer({"a", "b"});
        w.session.send(QStringLiteral("two"));
        w.answer({"c"});
        w.session.showRunOf(1);
        QVERIFY(!w.controller.snapshot()->isAttentionLive);
        w.controller.attention()->recompute();
        const auto* replay = w.script->last<engine::ReplaySequence>();
        QVERIFY(replay);
        QCOMPARE(replay->ids.size(), static_cast<size_t>(14));
        QVERIFY(w.controller.snapshot()->isAttentionBeingRecomputed);
        w.script->say(engine::SequenceReplayed{replay->runId, -1, {}});
        QTRY_VERIFY(w.controller.snapshot()->isAttentionRecomputed);
        QVERIFY(w.controller.snapshot()->isAttentionLive);
    }

    void requestsCarryTheirIds() {
        World w;
        QCOMPARE(w.controller.countTokens(QStringLiteral("x")), 0u);
        w.load();
        const uint64_t id = w.controller.countTokens(QStringLiteral("hello"));
        QSignalSpy counted(&w.controller, &SessionController::tokensCounted);
        engine::TokensReply five;
        five.requestId = id;
        five.count = 5;
        w.script->say(five);
        QTRY_COMPARE(counted.size(), 1);
        QCOMPARE(counted[0][0].toULongLong(), id);
        const uint64_t tile = w.controller.attention()->requestTile({});
        std::shared_ptr<const engine::TileReply> reply;
        connect(w.controller.attention(), &AttentionSource::tileReady, this,
                [&](const auto& r) { reply = r; });
        engine::TileReply answer;
        answer.requestId = tile;
        w.script->say(std::move(answer));
        QTRY_VERIFY(reply);
        QCOMPARE(reply->requestId, tile);
    }

    void tickIsCheapAtEightThousandTokens() {
        World w;
        w.load(16384);
        w.session.send(QStringLiteral("long"));
        w.script->startRun(w.runId(), 4000);
        w.script->endPrefill(w.runId());
        for (int i = 0; i < 40; ++i)
            w.script->speak(w.runId(), std::vector<std::string>(100, " w"), i * 100);
        QTRY_COMPARE(w.controller.liveRun()->tokens.size(), static_cast<size_t>(8000));
        std::vector<qint64> times;
        for (int i = 0; i < 50; ++i) {
            timespec a{}, b{};
            w.script->speak(w.runId(), {" x"}, 4000 + i);
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &a);
            QTest::qWait(0);
            QTRY_COMPARE(w.controller.liveRun()->tokens.size(), static_cast<size_t>(8001 + i));
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &b);
            times.push_back((b.tv_sec - a.tv_sec) * 1'000'000'000 + b.tv_nsec - a.tv_nsec);
        }
        std::sort(times.begin(), times.end());
        QVERIFY2(times[25] < 4'000'000, qPrintable(QString::number(times[25])));
        w.script->finish(w.runId());
        QTRY_COMPARE(w.controller.state(), State::Ready);
    }
};

QTEST_GUILESS_MAIN(TestSessionController)
#include "tst_session_controller.moc"
