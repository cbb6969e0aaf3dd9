#include "gui/app/screenshot_run.h"

#include <cstdio>

#include <QCoreApplication>
#include <QPixmap>
#include <QTimer>

#include "gui/app/main_window.h"

namespace vitrine::gui {
namespace {

constexpr int kLimitMs = 280'000;
/// Views ask for attention tiles and get them some ticks later.
constexpr int kSettleMs = 2500, kSettleWhileRunningMs = 120;
constexpr int kDecodeTokens = 24;
constexpr uint64_t kSeed = 42;
constexpr int kMaxTokens = 200;

}  // namespace

ScreenshotRun::ScreenshotRun(MainWindow& window, const CommandLine& line, QObject* parent)
    : QObject(parent), window_(window), line_(line) {}

void ScreenshotRun::start() {
    SessionController& controller = window_.controller();
    QTimer::singleShot(kLimitMs, this, [this] {
        fail(QStringLiteral("the moment did not come within %1 s.").arg(kLimitMs / 1000));
    });
    connect(&controller, &SessionController::loadFailed, this,
            [this](const QString&, const QString& message) { fail(message); });
    connect(&controller, &SessionController::modelLoaded, this,
            [this] { QTimer::singleShot(0, this, &ScreenshotRun::ask); });
    connect(&controller, &SessionController::snapshotReady, this, &ScreenshotRun::check);
    if (!line_.view.isEmpty() && !window_.showView(line_.view)) {
        fail(QStringLiteral("there is no view “%1”.").arg(line_.view));
        return;
    }
    if (controller.model()) {
        ask();
    } else if (controller.state() != SessionController::State::Loading) {
        if (line_.ask.isEmpty())
            QTimer::singleShot(kSettleMs, this, &ScreenshotRun::save);
        else
            fail(QStringLiteral("no model is open; give one with -m FILE|NAME."));
    }
}

void ScreenshotRun::ask() {
    if (isAsked_) return;
    isAsked_ = true;
    if (line_.ask.isEmpty()) {
        QTimer::singleShot(kSettleMs, this, &ScreenshotRun::save);
    } else {
        // A picture, not a chat: the answer must end in time, and the same way each time.
        SamplingSettings sampling;
        sampling.params.seed = kSeed;
        sampling.maxTokens = kMaxTokens;
        window_.session().setSampling(sampling);
        if (!window_.session().send(line_.ask))
            fail(QStringLiteral("the question could not be sent."));
    }
}

void ScreenshotRun::check() {
    if (!isAsked_ || isSaving_ || line_.ask.isEmpty()) return;
    const SnapshotPtr snapshot = window_.controller().snapshot();
    const RunRecord* run = snapshot->run.get();
    if (!run) return;
    const observe::Frame& frame = snapshot->frame;
    const auto generated = static_cast<int>(run->tokens.size()) - run->promptTokens;
    const bool isEnd = run->outcome.has_value();
    const bool isMiddleOfPrefill =
        frame.phase == observe::Phase::Prefill && frame.runId == run->runId &&
        frame.chunkFirst + frame.chunkTokens / 2 >= run->promptTokens / 2 - 256 &&
        2 * frame.layersDone >= frame.nLayers;
    // A short prompt may be prefilled between two ticks: then its end is the nearest moment.
    const bool isPrefill =
        line_.at == QLatin1String("prefill") && (isMiddleOfPrefill || generated > 0);
    const bool isDecode = line_.at == QLatin1String("decode") && generated >= kDecodeTokens;
    if (!isEnd && !isPrefill && !isDecode) return;
    isSaving_ = true;
    QTimer::singleShot(isEnd      ? kSettleMs
                       : isDecode ? kSettleWhileRunningMs
                                  : 0,
                       this, &ScreenshotRun::save);
}

void ScreenshotRun::save() {
    if (!window_.grab().save(line_.screenshot, "PNG")) {
        fail(QStringLiteral("%1 cannot be written; choose another folder.").arg(line_.screenshot));
        return;
    }
    const SnapshotPtr snapshot = window_.controller().snapshot();
    const bool failed = snapshot->run && snapshot->run->outcome == engine::Outcome::Error;
    if (failed)
        fail(QString::fromStdString(snapshot->run->error ? snapshot->run->error->message
                                                         : std::string("the run failed.")));
    else
        QCoreApplication::exit(0);
}

void ScreenshotRun::fail(const QString& why) {
    std::fprintf(stderr, "vitrine: %s\n", qPrintable(why));
    // A timer, since exit() before the event loop runs is lost.
    QTimer::singleShot(0, qApp, [] { QCoreApplication::exit(1); });
}

}  // namespace vitrine::gui
