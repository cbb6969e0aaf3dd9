// vitrine: the window. One instance per user; see --help.

#include <csignal>
#include <cstdio>
#include <unistd.h>

#include <QApplication>
#include <QDir>
#include <QFileInfo>
#include <QIcon>
#include <QSocketNotifier>
#include <QTemporaryDir>

#include "gui/app/command_line.h"
#include "gui/app/language.h"
#include "gui/app/main_window.h"
#include "gui/app/screenshot_run.h"
#include "gui/app/settings.h"
#include "gui/app/single_instance.h"
#include "gui/app/start_marker.h"
#include "gui/session/engine_thread_link.h"
#include "gui/widgets/theme.h"

namespace {

using namespace vitrine::gui;  // main alone

int signalPipe[2] = {-1, -1};

void onSignal(int) {
    const char byte = 1;
    [[maybe_unused]] const ssize_t n = ::write(signalPipe[1], &byte, 1);
}

/// Ctrl+C and a session's end close the window like its close button.
void closeOnSignals(MainWindow& window) {
    if (::pipe(signalPipe) != 0) return;
    auto* notifier = new QSocketNotifier(signalPipe[0], QSocketNotifier::Read, &window);
    QObject::connect(notifier, &QSocketNotifier::activated, &window, [&window] { window.close(); });
    std::signal(SIGINT, onSignal);
    std::signal(SIGTERM, onSignal);
    std::signal(SIGHUP, onSignal);
}

void applyLooks(const CommandLine& line) {
    const Settings settings;
    Theme::setBasePointSize(settings.fontSize());
    Theme::apply(line.theme.isEmpty() ? settings.theme() : line.theme);
    applyLanguage(line.language.isEmpty() ? settings.language() : line.language);
}

int takePicture(QApplication& app, const CommandLine& line) {
    // Nothing of the user's settings and chats shows, and nothing is written among them.
    const QTemporaryDir scratch;
    Settings::useFolder(scratch.path());
    const MainWindow::Setup setup{makeEngineThreadLink, scratch.filePath(QStringLiteral("chats")),
                                  paths::modelsFolder(), false};
    applyLooks(line);
    MainWindow window(setup);
    window.resize(line.size.isValid() ? line.size : QSize(1440, 900));
    window.show();
    window.begin(line.model, true);
    ScreenshotRun run(window, line);
    QMetaObject::invokeMethod(&run, &ScreenshotRun::start, Qt::QueuedConnection);
    return app.exec();
}

int runWindow(QApplication& app, const CommandLine& line) {
    SingleInstance instance(SingleInstance::defaultName());
    const QString model =
        QFileInfo::exists(line.model) ? QFileInfo(line.model).absoluteFilePath() : line.model;
    if (instance.handOver({QStringLiteral("open"), model})) {
        std::fprintf(stderr, "vitrine: another window is open; it was brought to the front.\n");
        return 0;
    }
    instance.listen();
    Settings::useFolder(paths::configFolder());
    const StartMarker marker(paths::dataFolder() + QStringLiteral("/running"));
    const MainWindow::Setup setup{makeEngineThreadLink, paths::chatsFolder(), paths::modelsFolder(),
                                  true};
    applyLooks(line);
    MainWindow window(setup);
    closeOnSignals(window);
    QObject::connect(
        &instance, &SingleInstance::messageReceived, &window,
        [&window](const QStringList& message) {
            window.bringToFront();
            if (message.value(0) == QLatin1String("open") && !message.value(1).isEmpty())
                window.openModel(message.value(1));
        });
    if (line.size.isValid()) window.resize(line.size);
    window.show();
    if (!line.view.isEmpty()) window.showView(line.view);
    window.begin(model, marker.lastEndWasClean());
    return app.exec();
}

}  // namespace

int main(int argc, char** argv) {
    QStringList arguments;
    for (int i = 0; i < argc; ++i) arguments << QString::fromLocal8Bit(argv[i]);
    QCoreApplication::setApplicationName(QStringLiteral("vitrine"));
    QCoreApplication::setApplicationVersion(QStringLiteral(VITRINE_VERSION));
    const CommandLine line = parseCommandLine(arguments);
    if (line.isFinished) return 0;
    if (!line.problem.isEmpty()) {
        std::fprintf(stderr, "vitrine: %s See vitrine --help.\n", qPrintable(line.problem));
        return 2;
    }
    QApplication app(argc, argv);
    QApplication::setDesktopFileName(QStringLiteral("vitrine"));
    QApplication::setWindowIcon(QIcon(QStringLiteral(":/vitrine/vitrine.svg")));
    return line.screenshot.isEmpty() ? runWindow(app, line) : takePicture(app, line);
}
