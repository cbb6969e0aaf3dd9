#pragma once
// The whole window in a folder of its own, dark and English, with a scripted engine or the real
// one. Thread: the test's.

#include <memory>

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include "gui/app/language.h"
#include "gui/app/main_window.h"
#include "gui/app/settings.h"
#include "gui/session/engine_thread_link.h"
#include "gui/widgets/theme.h"
#include "tests/gui/scripted_link.h"

namespace vitrine::test {

struct TestWindow {
    QTemporaryDir dir;
    std::shared_ptr<Script> script = std::make_shared<Script>();
    std::unique_ptr<gui::MainWindow> window;

    explicit TestWindow(bool isReal = false) : isReal_(isReal) {
        gui::Settings::useFolder(dir.filePath(QStringLiteral("config")));
        gui::Theme::setBasePointSize(10);
        gui::Theme::apply(QStringLiteral("dark"));
        gui::applyLanguage(QStringLiteral("en"));
        open();
    }

    /// A window in place of the one before.
    void open() {
        window = std::make_unique<gui::MainWindow>(gui::MainWindow::Setup{
            isReal_ ? gui::EngineLinkFactory(gui::makeEngineThreadLink) : scripted(script),
            dir.filePath(QStringLiteral("chats")), dir.filePath(QStringLiteral("models")), true});
        window->resize(1440, 900);
        window->show();
        QVERIFY(QTest::qWaitForWindowActive(window.get()));
    }

    /// Opens a model that the script then answers for.
    void load(int32_t context = 2048) {
        QFile model(dir.filePath(QStringLiteral("made-up.gguf")));
        QVERIFY(model.open(QIODevice::WriteOnly));
        window->openModel(model.fileName());
        script->loadModel(context);
        QTRY_COMPARE(window->controller().state(), gui::SessionController::State::Ready);
    }

    /// Opens a model of the real engine.
    void load(const QString& file) {
        window->openModel(file);
        QTRY_COMPARE_WITH_TIMEOUT(window->controller().state(),
                                  gui::SessionController::State::Ready, 120'000);
    }

private:
    bool isReal_;
};

}  // namespace vitrine::test
