// A trial program, not shipped: draws every view with made-up data into PNG files, in both themes,
// for people to look at. Usage: view_gallery FOLDER [--scale via QT_SCALE_FACTOR].

#include <QApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QSettings>

#include "gui/widgets/theme.h"
#include "tests/gui/snapshot_fixture.h"

using namespace vitrine::gui;

namespace {

void wait(int ms) {
    QElapsedTimer timer;
    timer.start();
    while (timer.elapsed() < ms) QCoreApplication::processEvents(QEventLoop::AllEvents, 20);
}

struct Shot {
    QString name;
    SnapshotPtr snapshot;
    QSize size;
    bool isCellChosen = false;
};

void shoot(const QString& folder, const ViewSpec& spec, const Shot& shot) {
    fixture::Source source;
    source.nTokens = shot.snapshot->frame.contextUsed;
    if (shot.snapshot->model) {
        source.nLayers = shot.snapshot->model->nLayers;
        source.nHeads = shot.snapshot->model->nHeads;
    }
    Selection selection;
    selection.setLayerHead(14, 3);
    if (shot.isCellChosen && shot.snapshot->run)
        selection.setCell(shot.snapshot->run->promptTokens + 12,
                          shot.snapshot->run->promptTokens - 9);
    View* view = spec.create({&selection, &source}, nullptr);
    view->resize(spec.id == QByteArray("timeline") ? QSize(shot.size.width(), 130) : shot.size);
    view->show();
    view->setSnapshot(shot.snapshot);
    wait(450);
    view->grab().save(QStringLiteral("%1/%2-%3-%4.png")
                          .arg(folder, QLatin1String(spec.id), Theme::current().id, shot.name));
    delete view;
}

}  // namespace

int main(int argc, char** argv) {
    QApplication app(argc, argv);
    QCoreApplication::setOrganizationName(QStringLiteral("vitrine-gallery"));
    const QString folder = argc > 1 ? QString::fromLocal8Bit(argv[1]) : QStringLiteral(".");
    const QString only = argc > 2 ? QString::fromLocal8Bit(argv[2]) : QString();
    const QString onlyShot = argc > 3 ? QString::fromLocal8Bit(argv[3]) : QString();
    QDir().mkpath(folder);
    fixture::Spec normal;
    normal.promptTokens = 24;
    normal.generated = 20;
    normal.isRunning = true;
    fixture::Spec longer;
    longer.promptTokens = 300;
    longer.cachedTokens = 120;
    longer.generated = 400;
    fixture::Spec prefill;
    prefill.promptTokens = 1500;
    prefill.isPrefilling = true;
    prefill.generated = 0;
    fixture::Spec chinese = normal;
    chinese.isChinese = true;
    fixture::Spec recorded = longer;
    recorded.isRecorded = true;
    recorded.droppedEvents = 12;
    const std::vector<Shot> shots{
        {QStringLiteral("normal"), fixture::make(normal), {980, 560}, true},
        {QStringLiteral("long"), fixture::make(longer), {980, 560}, true},
        {QStringLiteral("prefill"), fixture::make(prefill), {980, 560}},
        {QStringLiteral("narrow"), fixture::make(longer), {360, 320}, true},
        {QStringLiteral("card"), fixture::make(longer), {350, 215}, true},
        {QStringLiteral("chinese"), fixture::make(chinese), {700, 480}, true},
        {QStringLiteral("recorded"), fixture::make(recorded), {700, 420}},
        {QStringLiteral("model"), fixture::modelOnly(), {700, 420}},
        {QStringLiteral("nothing"), fixture::nothing(), {480, 300}},
    };
    for (const QString& theme : {QStringLiteral("dark"), QStringLiteral("light")}) {
        Theme::apply(theme);
        for (const ViewSpec* spec : viewSpecs()) {
            if (!only.isEmpty() && only != QLatin1String("all") && only != QLatin1String(spec->id))
                continue;
            for (const Shot& shot : shots)
                if (onlyShot.isEmpty() || onlyShot == shot.name) shoot(folder, *spec, shot);
        }
    }
    return 0;
}
