// The prompt preview shows what would be sent, and nothing else: the same messages as the request,
// the same text and ids as the engine makes of them; template, content and special tokens told
// apart; errors, waiting and a missing model said; the newest draft wins.

#include <QApplication>
#include <QClipboard>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

#include "gui/app/chat_pane.h"
#include "gui/app/language.h"
#include "gui/app/main_window.h"
#include "gui/prompt/prompt_flow.h"
#include "gui/prompt/prompt_window.h"
#include "gui/session/engine_thread_link.h"
#include "gui/widgets/composer.h"
#include "gui/widgets/icons.h"
#include "gui/widgets/theme.h"
#include "tests/gui/test_window.h"
#include "tests/support/tiny_model.h"

using namespace vitrine;
using namespace vitrine::gui;

namespace {

bool operator==(const std::vector<engine::Message>& a, const std::vector<engine::Message>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
        return x.role == y.role && x.content == y.content;
    });
}

}  // namespace

class TestPromptWindow : public QObject {
    Q_OBJECT

    struct World : test::TestWindow {
        using TestWindow::TestWindow;

        PromptWindow* preview() {
            if (!shown) shown = window->chat().showPrompt();
            return shown;
        }

        void type(const QString& text) { window->chat().composer().setText(text); }

        /// The newest request for a prompt that nobody answered yet; waits for it. None in time.
        std::optional<engine::RequestTokens> asked(int timeoutMs = 3000) {
            std::optional<engine::RequestTokens> found;
            (void)QTest::qWaitFor(  // none in time is an answer too
                [&] {
                    for (const engine::Command& command : script->commands)
                        if (const auto* r = std::get_if<engine::RequestTokens>(&command))
                            if (r->wantPieces && r->requestId > answered) found = *r;
                    return found.has_value();
                },
                timeoutMs);
            return found;
        }

        int nAsked() const {
            int n = 0;
            for (const engine::Command& command : script->commands)
                if (const auto* r = std::get_if<engine::RequestTokens>(&command))
                    n += r->wantPieces ? 1 : 0;
            return n;
        }

        /// Answers the newest request: "<|s|>ROLE\nCONTENT<|e|>\n" of each message, a token per
        /// special text, per line of template and per word of content.
        void render(int32_t nCached = 0) {
            const auto request = asked();
            QVERIFY(request);
            engine::TokensReply reply;
            reply.requestId = answered = request->requestId;
            const auto piece = [&](const std::string& text, bool isTemplate, bool isControl) {
                reply.pieces.push_back({engine::TokenId(static_cast<int32_t>(reply.pieces.size())),
                                        text, isTemplate, isControl});
            };
            for (const engine::Message& m : request->messages) {
                reply.segments.push_back({"<|s|>" + m.role + "\n", true});
                reply.segments.push_back({m.content, false});
                reply.segments.push_back({"<|e|>\n", true});
                piece("<|s|>", true, true);
                piece(m.role, true, false);
                piece("\n", true, false);
                for (size_t at = 0; at < m.content.size();) {
                    const size_t end = std::min(m.content.find(' ', at + 1), m.content.size());
                    piece(m.content.substr(at, end - at), false, false);
                    at = end;
                }
                piece("<|e|>", true, true);
                piece("\n", true, false);
            }
            reply.count = static_cast<int32_t>(reply.pieces.size());
            reply.cachedTokens = nCached;
            script->say(std::move(reply));
        }

        void refuse(const std::string& why) {
            const auto request = asked();
            QVERIFY(request);
            engine::TokensReply reply;
            reply.requestId = answered = request->requestId;
            reply.error = engine::makeError(engine::Errc::InvalidArgument, why);
            script->say(std::move(reply));
        }

        QString shownText() {
            PromptFlow& flow = preview()->flow();
            if (!flow.layout() || !flow.isSettled()) return {};
            const auto n = static_cast<int32_t>(flow.layout()->cells().size());
            return n == 0 ? QString() : flow.layout()->textOf(0, n - 1);
        }

        PromptWindow* shown = nullptr;
        uint64_t answered = 0;
    };

    /// Kind of the first cell that holds `text`; −1 = none.
    static int kindOf(const PromptFlow& flow, const QString& text) {
        const PromptLayout& layout = *flow.layout();
        for (size_t i = 0; i < layout.cells().size(); ++i)
            if (layout.text(static_cast<int32_t>(i)) == text)
                return static_cast<int>(layout.cells()[i].kind);
        return -1;
    }

    static constexpr int kTemplate = static_cast<int>(PromptKind::Template),
                         kContent = static_cast<int>(PromptKind::Content),
                         kSpecial = static_cast<int>(PromptKind::Special);

private slots:

    void withoutAModelItSaysWhy() {
        World w;
        PromptWindow* preview = w.preview();
        QVERIFY(preview->isVisible() && !preview->isModal());
        QVERIFY(preview->placeholder().contains(QStringLiteral("no model is open")));
        w.type(QStringLiteral("hello"));
        QTest::qWait(400);
        QCOMPARE(w.nAsked(), 0);
        QApplication::clipboard()->setText(QStringLiteral("kept"));
        preview->copyText();
        preview->copyIds();
        QCOMPARE(QApplication::clipboard()->text(), QStringLiteral("kept"));
        w.load();
        w.render();
        QTRY_VERIFY(preview->placeholder().isEmpty());
        QCOMPARE(w.shownText(), QStringLiteral("<|s|>user\nhello<|e|>\n"));
    }

    void asksForWhatWouldBeSent() {
        World w;
        w.load();
        w.window->session().setSystemPrompt(QStringLiteral("Be brief."));
        w.type(QStringLiteral(" First question \n"));
        w.preview();
        w.render();
        QTRY_VERIFY(w.shownText().contains(QStringLiteral(" First question ")));
        QVERIFY(!w.asked(400));  // nothing changed, nothing is asked
        std::vector<engine::Message> messages;
        for (const engine::Command& command : w.script->commands)
            if (const auto* r = std::get_if<engine::RequestTokens>(&command))
                if (r->wantPieces) messages = r->messages;
        QCOMPARE(messages.size(), 2u);
        QVERIFY(w.window->session().send(QStringLiteral(" First question \n")));
        QVERIFY(messages == w.script->last<engine::GenerationRequest>()->messages);

        // The next turn, then an edit of the first.
        const uint32_t run = w.script->last<engine::GenerationRequest>()->runId;
        w.script->startRun(run, 12);
        w.script->speak(run, {"An", " answer"});
        w.script->finish(run);
        QTRY_COMPARE(w.window->controller().state(), SessionController::State::Ready);
        w.render();
        for (const bool isEdit : {false, true}) {
            if (isEdit) w.window->chat().editTurn(0);
            w.type(QStringLiteral("Second"));
            const auto request = w.asked();
            QVERIFY(request);
            QCOMPARE(request->messages.back().content, std::string("Second"));
            QCOMPARE(request->messages.size(), isEdit ? 2u : 4u);
            messages = request->messages;
            w.render();
            if (isEdit)
                QVERIFY(w.window->session().edit(0, QStringLiteral("Second")));
            else
                QVERIFY(w.window->session().messagesWith(QStringLiteral("Second"), -1) == messages);
        }
        QVERIFY(messages == w.script->last<engine::GenerationRequest>()->messages);
    }

    void templateContentAndSpecialTokensAreToldApart() {
        World w;
        w.load();
        w.type(QStringLiteral("pretend <|e|> ends"));
        PromptWindow* preview = w.preview();
        w.render(4);
        QTRY_VERIFY(preview->placeholder().isEmpty());
        const PromptFlow& flow = preview->flow();
        QCOMPARE(w.shownText(), QStringLiteral("<|s|>user\npretend <|e|> ends<|e|>\n"));
        QCOMPARE(kindOf(flow, QStringLiteral("<|s|>")), kSpecial);
        QCOMPARE(kindOf(flow, QStringLiteral("user")), kTemplate);
        QCOMPARE(kindOf(flow, QStringLiteral("pretend")), kContent);
        // What is typed is content, whatever it looks like.
        QCOMPARE(kindOf(flow, QStringLiteral("<|e|>")), kContent);
        int nSpecial = 0;
        for (const PromptCell& cell : flow.layout()->cells())
            nSpecial += cell.kind == PromptKind::Special ? 1 : 0;
        QCOMPARE(nSpecial, 2);
        QVERIFY(preview->totals().contains(QStringLiteral("8 tokens of the 2,048")));
        QVERIFY(preview->totals().contains(QStringLiteral("4 in the cache, 4 left")));

        const auto buttons = preview->findChildren<QToolButton*>();
        const auto click = [&](const QString& text) {
            for (QToolButton* button : buttons)
                if (button->text() == text) button->click();
        };
        click(QStringLiteral("To&kens"));
        QVERIFY(flow.isTokens());
        QCOMPARE(flow.layout()->cells().size(), 8u);
        QCOMPARE(kindOf(flow, QStringLiteral(" <|e|>")), kContent);
        QCOMPARE(kindOf(flow, QStringLiteral("<|e|>")), kSpecial);
        QCOMPARE(flow.layout()->label(4), QStringLiteral(" <|e|>"));
        QCOMPARE(flow.layout()->label(2), QStringLiteral("↵"));
        click(QStringLiteral("&Spaces ↵"));
        QCOMPARE(flow.layout()->label(4), QStringLiteral("␣<|e|>"));
        // By keyboard, and in words.
        preview->flow().setFocus();
        QTest::keyClick(&preview->flow(), Qt::Key_Home);
        QVERIFY(preview->status().contains(QStringLiteral("position 0 · id 0 · special token")));
        QVERIFY(preview->status().contains(QStringLiteral("in the cache")));
        QTest::keyClick(&preview->flow(), Qt::Key_Right, Qt::ShiftModifier);
        QCOMPARE(preview->flow().selectedText(), QStringLiteral("<|s|>user"));
        QCOMPARE(preview->flow().selectedIds(), QStringLiteral("[0, 1]"));
        QCOMPARE(preview->flow().accessibleDescription(), preview->status());
    }

    void addedBeginningIsNotLookedForInTheText() {
        engine::TokensReply reply;
        reply.segments = {{"a <s> b", true}};
        reply.pieces = {{engine::TokenId(1), "<s>", true, true},
                        {engine::TokenId(2), "a ", true, false},
                        {engine::TokenId(1), "<s>", true, true},
                        {engine::TokenId(3), " b", true, false}};
        const auto made =
            PromptText::make(std::make_shared<const engine::TokensReply>(std::move(reply)));
        QCOMPARE(made->parts.size(), 3u);
        QCOMPARE(made->parts[1].begin, 2);
        QVERIFY(made->parts[1].kind == PromptKind::Special);
        QCOMPARE(made->templateTokens, 4);
    }

    void errorOfTheTemplateIsShown() {
        World w;
        w.load();
        w.window->session().setSystemPrompt(QStringLiteral("Be brief."));
        w.type(QStringLiteral("hello"));
        PromptWindow* preview = w.preview();
        w.refuse("The chat template says (line 3): System role not supported");
        QTRY_VERIFY(preview->placeholder().contains(QStringLiteral("refuses")));
        QVERIFY(
            preview->placeholder().contains(QStringLiteral("(line 3): System role not supported")));
        QVERIFY(preview->placeholder().contains(QStringLiteral("system prompt")));
        QVERIFY(preview->totals().isEmpty());
        // Its button leads to where the system prompt is; without one the prompt appears.
        QPushButton* fix = nullptr;
        for (QPushButton* button : preview->findChildren<QPushButton*>())
            if (button->text() == QStringLiteral("System prompt…")) fix = button;
        QVERIFY(fix && fix->isVisible());
        fix->click();
        auto* field = w.window->chat().findChild<QPlainTextEdit*>(QStringLiteral("systemPrompt"));
        QVERIFY(field && field->isVisible());
        field->clear();
        w.render();
        QTRY_COMPARE(w.shownText(), QStringLiteral("<|s|>user\nhello<|e|>\n"));
    }

    void newestDraftWinsAndRequestsDoNotPileUp() {
        World w;
        w.load();
        w.type(QStringLiteral("one"));
        PromptWindow* preview = w.preview();
        w.render();
        QTRY_COMPARE(w.shownText(), QStringLiteral("<|s|>user\none<|e|>\n"));
        w.type(QStringLiteral("two"));
        QVERIFY(w.asked());
        const int n = w.nAsked();
        for (const char* draft : {"three", "four", "five"}) {
            w.type(QString::fromLatin1(draft));
            QTest::qWait(260);
        }
        QCOMPARE(w.nAsked(), n);
        // The old prompt stays on show, and says that it is old.
        QVERIFY(preview->placeholder().isEmpty());
        QCOMPARE(preview->status(), QStringLiteral("Waiting for the engine…"));
        w.render();
        QTRY_COMPARE(w.nAsked(), n + 1);
        QCOMPARE(w.asked()->messages.back().content, std::string("five"));
        w.render();
        QTRY_COMPARE(w.shownText(), QStringLiteral("<|s|>user\nfive<|e|>\n"));
        QVERIFY(preview->status().isEmpty());
        // Closed, it asks for nothing more.
        const int before = w.nAsked();
        preview->close();
        w.type(QStringLiteral("six"));
        QTest::qWait(400);
        QCOMPARE(w.nAsked(), before);
    }

    void waitsForABusyEngine() {
        World w;
        w.load();
        PromptWindow* preview = w.preview();
        QCOMPARE(preview->placeholder(), QStringLiteral("Waiting for the engine…"));
        w.render();
        QTRY_VERIFY(preview->status().contains(QStringLiteral("Nothing is typed yet")));
        QVERIFY(w.window->session().send(QStringLiteral("question")));
        const auto request = w.asked();
        QVERIFY(request);
        QCOMPARE(request->messages.size(), 3u);  // the answer's place is kept
        QCOMPARE(request->messages[1].role, std::string("assistant"));
        QTRY_VERIFY(preview->status().contains(QStringLiteral("it is writing an answer")));
        w.render();
        QTRY_VERIFY(preview->status().contains(QStringLiteral("An answer is being written")));
        // A model that goes takes its prompt along; an answer that comes after it is not shown.
        w.type(QStringLiteral("late"));
        QVERIFY(w.asked());
        w.script->say(engine::ModelUnloaded{});
        QTRY_VERIFY(preview->placeholder().contains(QStringLiteral("no model is open")));
        w.render();
        QTest::qWait(100);
        QVERIFY(preview->placeholder().contains(QStringLiteral("no model is open")));
    }

    void copiesTextAndIds() {
        World w;
        w.load();
        w.type(QStringLiteral("你好 world"));
        PromptWindow* preview = w.preview();
        w.render();
        QTRY_VERIFY(preview->placeholder().isEmpty());
        preview->copyText();
        QCOMPARE(QApplication::clipboard()->text(), QStringLiteral("<|s|>user\n你好 world<|e|>\n"));
        preview->copyIds();
        QCOMPARE(QApplication::clipboard()->text(), QStringLiteral("[0, 1, 2, 3, 4, 5, 6]"));
        QCOMPARE(preview->status(), QStringLiteral("7 ids were copied."));
    }

    void tooLongAndPlainAreSaid() {
        World w;
        w.load(4);
        w.type(QStringLiteral("a b c"));
        PromptWindow* preview = w.preview();
        w.render();
        QTRY_VERIFY(preview->notices().find(QStringLiteral("over")));
        QVERIFY(preview->notices()
                    .find(QStringLiteral("over"))
                    ->text()
                    .contains(QStringLiteral("4 tokens longer")));
        QCOMPARE(preview->templateName(), QStringLiteral("Template: plain form"));
    }

    void opensFromMenuAndComposerAndRemembers() {
        World w;
        w.load();
        w.window->chat().composer().previewButton()->click();
        auto* preview = w.window->findChild<PromptWindow*>();
        QVERIFY(preview && preview->isVisible());
        w.render();
        preview->resize(620, 470);
        for (QToolButton* button : preview->findChildren<QToolButton*>())
            if (button->text() == QStringLiteral("To&kens")) button->click();
        QTest::keyClick(preview, Qt::Key_Escape);
        QVERIFY(!preview->isVisible());
        const QSettings store;
        QVERIFY(store.value(QStringLiteral("prompt/tokens")).toBool());
        QVERIFY(!store.value(QStringLiteral("prompt/geometry")).toByteArray().isEmpty());
        QAction* found = nullptr;
        for (QAction* action : w.window->actions())
            if (action->shortcut() == QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_P))
                found = action;
        QVERIFY(found);
        delete preview;
        PromptWindow again(
            w.window->session(), w.window->controller(), [] { return PromptDraft(); },
            w.window.get());
        QVERIFY(again.flow().isTokens());
        QCOMPARE(again.size(), QSize(620, 470));
    }

    void theEngineSaysTheSameWhenItIsSent() {
        for (const bool hasTemplate : {true, false}) {
            World w(true);
            test::TinyModelOptions options;
            options.hasChatTemplate = hasTemplate;
            const QString path = w.dir.filePath(QStringLiteral("tiny.gguf"));
            QVERIFY(test::makeTinyModel(options).write(path.toStdString()));
            w.window->openModel(path);
            QTRY_COMPARE_WITH_TIMEOUT(w.window->controller().state(),
                                      SessionController::State::Ready, 30'000);
            w.window->session().setSystemPrompt(QStringLiteral("Rules."));
            PromptWindow* preview = w.preview();
            SamplingSettings sampling;
            sampling.maxTokens = 4;
            w.window->session().setSampling(sampling);
            for (const char* question : {"one <|im_end|>", "two"}) {
                w.type(QString::fromLatin1(question));
                const auto isNew = [&] {
                    return preview->placeholder().isEmpty() && !preview->feed().isDraftEmpty() &&
                           w.shownText().contains(QString::fromLatin1(question));
                };
                QTRY_VERIFY_WITH_TIMEOUT(isNew(), 10'000);
                const auto reply = preview->feed().prompt()->reply;
                if (question[0] == 'o')
                    QCOMPARE(w.shownText(),
                             hasTemplate ? QStringLiteral("<|im_start|>system\nRules.<|im_end|>\n"
                                                          "<|im_start|>user\none <|im_end|>"
                                                          "<|im_end|>\n<|im_start|>assistant\n")
                                         : QStringLiteral("System: Rules.\nUser: one <|im_end|>\n"
                                                          "Assistant:"));
                QVERIFY(w.window->session().send(QString::fromLatin1(question)));
                QTRY_COMPARE_WITH_TIMEOUT(w.window->controller().state(),
                                          SessionController::State::Ready, 30'000);
                const auto run = w.window->controller().liveRun();
                QCOMPARE(run->promptTokens, reply->count);
                QCOMPARE(run->cachedTokens, reply->cachedTokens);
                for (size_t i = 0; i < reply->pieces.size(); ++i) {
                    QCOMPARE(run->tokens[i]->id.value, reply->pieces[i].id.value);
                    QCOMPARE(run->tokens[i]->isTemplate, reply->pieces[i].isTemplate);
                }
                if (question[0] == 't') QVERIFY(reply->cachedTokens > 0);
            }
        }
    }
};

QTEST_MAIN(TestPromptWindow)
#include "tst_prompt_window.moc"
