// Chats as trees, their JSON, and the store: what was saved is there again, what is damaged is put
// aside, a full disk is told.

#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRandomGenerator>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "gui/session/chat_export.h"
#include "gui/session/chat_json.h"
#include "gui/session/chat_store.h"
#include "gui/session/run_builder.h"
#include "tests/gui/scripted_link.h"

using namespace vitrine;
using namespace vitrine::gui;

namespace {

/// A finished run of `nPrompt` prompt tokens and the given answer.
std::shared_ptr<const RunRecord> makeRun(uint32_t id, int nPrompt,
                                         const std::vector<std::string>& words) {
    test::Script script;
    script.startRun(id, nPrompt, 2);
    script.endPrefill(id);
    script.speak(id, words);
    script.finish(id, engine::Outcome::Length);
    RunBuilder builder;
    builder.begin(id, QStringLiteral("Made Up"), {});
    for (const engine::OutboxItem& item : script.outbox) {
        if (const auto* started = std::get_if<engine::RunStarted>(&item)) builder.apply(*started);
        if (const auto* done = std::get_if<engine::PrefillDone>(&item)) builder.apply(*done);
        if (const auto* batch = std::get_if<engine::TokenBatch>(&item)) builder.apply(*batch);
        if (const auto* finished = std::get_if<engine::RunFinished>(&item))
            builder.apply(*finished);
    }
    return builder.record();
}

Chat makeChat() {
    Chat chat = Chat::create();
    chat.systemPrompt = QStringLiteral("Be \"brief\"\n中文 😀");
    chat.sampling.params.temperature = 0.25f;
    chat.sampling.own = engine::fieldBit(engine::SamplingField::Temperature);
    chat.sampling.params.seed = 18'446'744'073'709'551'615u;
    chat.sampling.stopTexts = {QStringLiteral("\n\n"), QStringLiteral("END")};
    chat.sampling.totalTimeoutS = 2.5;
    const int32_t q = chat.add(-1, true, QStringLiteral("Why?"));
    const int32_t a = chat.add(q, false, QStringLiteral("Because so"));
    chat.turns[static_cast<size_t>(a)].modelName = QStringLiteral("Made Up");
    chat.turns[static_cast<size_t>(a)].tokenEnds = {7, 10};
    chat.turns[static_cast<size_t>(a)].run = makeRun(1, 20, {"Because", " so"});
    const int32_t b = chat.add(q, false, QStringLiteral("Just because"));
    chat.turns[static_cast<size_t>(b)].run = makeRun(2, 20, {"Just", " because"});
    const int32_t q2 = chat.add(b, true, QStringLiteral("And then?"));
    const int32_t a2 = chat.add(q2, false, QStringLiteral("Then this"));
    chat.turns[static_cast<size_t>(a2)].run = makeRun(3, 40, {"Then", " this"});
    chat.updateTitle();
    return chat;
}

}  // namespace

class TestChatStore : public QObject {
    Q_OBJECT
private slots:

    void treeKeepsVersions() {
        Chat chat = makeChat();
        QCOMPARE(chat.path(), (std::vector<int32_t>{0, 2, 3, 4}));
        QCOMPARE(chat.versions(2), (std::vector<int32_t>{1, 2}));
        chat.select(1);
        QCOMPARE(chat.path(), (std::vector<int32_t>{0, 1}));
        chat.select(2);
        QCOMPARE(chat.path(), (std::vector<int32_t>{0, 2, 3, 4}));
        chat.remove(2);
        QCOMPARE(chat.turns.size(), static_cast<size_t>(2));
        QCOMPARE(chat.path(), (std::vector<int32_t>{0, 1}));
        chat.remove(0);
        QVERIFY(chat.turns.empty());
        QCOMPARE(chat.leaf, -1);
    }

    void messagesLeaveOutWhatIsDroppedOrEmpty() {
        Chat chat = makeChat();
        QCOMPARE(chat.messages(3).size(), static_cast<size_t>(4));  // system, user, assistant, user
        chat.turns[0].isDropped = chat.turns[2].isDropped = true;
        const auto rest = chat.messages(3);
        QCOMPARE(rest.size(), static_cast<size_t>(2));
        QCOMPARE(rest[0].role, std::string("system"));
        QCOMPARE(rest[1].content, std::string("And then?"));
        Chat failed;
        const int32_t q = failed.add(-1, true, QStringLiteral("one"));
        const int32_t a = failed.add(q, false, {});
        const int32_t q2 = failed.add(a, true, QStringLiteral("two"));
        QCOMPARE(failed.messages(q2).size(), static_cast<size_t>(1));
    }

    void jsonRoundTrip() {
        const Chat chat = makeChat();
        QString error;
        const std::optional<Chat> back = chatFromJson(chatToJson(chat, false), &error);
        QVERIFY2(back, qPrintable(error));
        QCOMPARE(back->title, chat.title);
        QCOMPARE(back->systemPrompt, chat.systemPrompt);
        QVERIFY(back->sampling == chat.sampling);
        QCOMPARE(back->leaf, chat.leaf);
        QCOMPARE(back->turns.size(), chat.turns.size());
        for (size_t i = 0; i < chat.turns.size(); ++i) {
            QCOMPARE(back->turns[i].text, chat.turns[i].text);
            QCOMPARE(back->turns[i].parent, chat.turns[i].parent);
            QCOMPARE(back->turns[i].tokenEnds, chat.turns[i].tokenEnds);
            const auto& was = chat.turns[i].run;
            const auto& is = back->turns[i].run;
            QCOMPARE(is != nullptr, was != nullptr);
            if (!was) continue;
            QCOMPARE(is->provenance, Provenance::Recorded);
            QCOMPARE(is->outcome, was->outcome);
            QCOMPARE(is->promptTokens, was->promptTokens);
            QCOMPARE(is->cachedTokens, was->cachedTokens);
            QCOMPARE(is->sampling.seed, was->sampling.seed);
            QCOMPARE(is->tokens.size(), was->tokens.size());
            QCOMPARE(is->prefillEndNs - is->prefillBeginNs,
                     was->prefillEndNs - was->prefillBeginNs);
            for (size_t t = 0; t < was->tokens.size(); ++t) {
                QCOMPARE(is->tokens[t]->id.value, was->tokens[t]->id.value);
                QCOMPARE(is->tokens[t]->text, was->tokens[t]->text);
                QCOMPARE(is->tokens[t]->itlNs, was->tokens[t]->itlNs);
                QCOMPARE(is->tokens[t]->isReused, was->tokens[t]->isReused);
                QCOMPARE(is->tokens[t]->candidates.size(), was->tokens[t]->candidates.size());
                for (size_t c = 0; c < was->tokens[t]->candidates.size(); ++c) {
                    QCOMPARE(is->tokens[t]->candidates[c].text, was->tokens[t]->candidates[c].text);
                    QCOMPARE(is->tokens[t]->candidates[c].rawProb,
                             was->tokens[t]->candidates[c].rawProb);
                    QCOMPARE(is->tokens[t]->candidates[c].cutBy,
                             was->tokens[t]->candidates[c].cutBy);
                }
            }
        }
        // Prompts of later turns are stored by what is new in them.
        const QByteArray json = chatToJson(chat, false);
        QVERIFY(json.contains("\"shared\":20"));
    }

    void hostileJson() {
        const QByteArray good = chatToJson(makeChat(), false);
        QString error;
        QVERIFY(!chatFromJson({}, &error));
        QVERIFY(!chatFromJson("[]", &error));
        QVERIFY(!chatFromJson("{\"format\":\"vitrine-chat\",\"version\":2}", &error));
        QVERIFY(!chatFromJson(QByteArray(good).replace("\"parent\":0", "\"parent\":9"), &error));
        QVERIFY(!chatFromJson(QByteArray(good).replace("\"leaf\":4", "\"leaf\":5"), &error));
        QVERIFY(!chatFromJson(QByteArray(200'000, '['), &error));
        QVERIFY(!error.isEmpty());
        // Cut and flipped files: refused or read, never worse.
        QRandomGenerator random(11);
        for (int i = 0; i < 400; ++i) {
            QByteArray bad = good;
            if (i % 2 == 0)
                bad.truncate(
                    static_cast<qsizetype>(random.bounded(static_cast<quint32>(good.size()))));
            for (int k = 0; k < 3 && !bad.isEmpty(); ++k)
                bad[static_cast<qsizetype>(random.bounded(static_cast<quint32>(bad.size())))] =
                    static_cast<char>(random.bounded(256));
            if (const auto chat = chatFromJson(bad, &error))
                for (const int32_t turn : chat->path())
                    QVERIFY(turn < static_cast<int32_t>(chat->turns.size()));
        }
    }

    void savesListsAndLoads() {
        const QTemporaryDir dir;
        const Chat chat = makeChat();
        {
            ChatStore store(dir.filePath(QStringLiteral("chats")));
            QSignalSpy saved(&store, &ChatStore::saved);
            store.save(chat);
            store.flush();
            QTRY_COMPARE(saved.size(), 1);
        }
        ChatStore store(dir.filePath(QStringLiteral("chats")));
        QVector<ChatSummary> chats;
        connect(&store, &ChatStore::listed, this,
                [&](const QVector<ChatSummary>& all) { chats = all; });
        store.list();
        QTRY_COMPARE(chats.size(), 1);
        QCOMPARE(chats[0].title, QStringLiteral("Why?"));
        QVERIFY(chats[0].searchText.contains(QStringLiteral("then this")));
        std::shared_ptr<Chat> loaded;
        connect(&store, &ChatStore::loaded, this,
                [&](const std::shared_ptr<Chat>& c) { loaded = c; });
        store.load(chat.id);
        QTRY_VERIFY(loaded);
        QCOMPARE(loaded->turns.size(), chat.turns.size());
        store.remove(chat.id);
        store.list();
        QTRY_COMPARE(chats.size(), 0);
        store.restore(chat.id);
        QTRY_COMPARE(chats.size(), 1);
    }

    void newestOfManySavesWins() {
        const QTemporaryDir dir;
        ChatStore store(dir.path());
        Chat chat = makeChat();
        for (int i = 0; i < 50; ++i) {
            chat.title = QString::number(i);
            store.save(chat);
        }
        store.flush();
        QFile file(dir.filePath(chat.id + QStringLiteral(".json")));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(QJsonDocument::fromJson(file.readAll())[QStringLiteral("title")].toString(),
                 QStringLiteral("49"));
    }

    void damagedFilesArePutAside() {
        const QTemporaryDir dir;
        for (const char* name : {"cut.json", "foreign.json"}) {
            QFile file(dir.filePath(QLatin1String(name)));
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write("{\"format\":");
        }
        ChatStore store(dir.path());
        QSignalSpy damaged(&store, &ChatStore::damagedFound);
        store.save(makeChat());
        store.list();
        QTRY_COMPARE(damaged.size(), 1);
        QCOMPARE(damaged[0][0].toStringList().size(), 2);
        QVERIFY(QFile::exists(dir.filePath(QStringLiteral("damaged/cut.json"))));
        QVERIFY(!QFile::exists(dir.filePath(QStringLiteral("cut.json"))));
    }

    void failedSaveIsTold() {
        const QTemporaryDir dir;
        // A file stands where the folder should be: nothing can be written.
        const QString blocked = dir.filePath(QStringLiteral("blocked"));
        QFile file(blocked);
        QVERIFY(file.open(QIODevice::WriteOnly));
        ChatStore store(blocked);
        QSignalSpy failed(&store, &ChatStore::saveFailed);
        store.save(makeChat());
        QTRY_COMPARE(failed.size(), 1);
        QVERIFY(!failed[0][1].toString().isEmpty());
    }

    void idsAreNoPaths() {
        QVERIFY(ChatStore::isValidId(Chat::create().id));
        for (const char* id : {"", "..", "a/b", "../../etc/passwd", "a.b", "a b"})
            QVERIFY(!ChatStore::isValidId(QLatin1String(id)));
    }

    void markdownExport() {
        const QString text = chatToMarkdown(makeChat());
        QVERIFY(text.startsWith(QStringLiteral("# Why?\n")));
        QVERIFY(text.contains(QStringLiteral("Just because")));
        QVERIFY(!text.contains(QStringLiteral("Because so")));
        QVERIFY(text.contains(QStringLiteral("seed 18446744073709551615")));
    }
};

QTEST_GUILESS_MAIN(TestChatStore)
#include "tst_chat_store.moc"
