#include <QDir>
#include <QFileDialog>
#include <QFileInfo>

#include "engine/runtime/kv_pages.h"
#include "gui/app/catalogue.h"
#include "gui/app/chat_pane.h"
#include "gui/app/main_window.h"
#include "gui/app/top_bar.h"
#include "gui/models/engine_text.h"
#include "gui/models/model_name.h"
#include "gui/planner/load_dialog.h"
#include "gui/planner/planned_reader.h"
#include "gui/planner/planner_window.h"

// The main window's side of loading: what is opened, with which options, after which estimate.

namespace vitrine::gui {

QString MainWindow::resolveOrComplain(const QString& nameOrFile) {
    QString problem;
    const QString path = resolveModel(nameOrFile, setup_.modelsFolder, &problem);
    lastProblem_ = problem;
    if (path.isEmpty())
        chat_->notices().show(QStringLiteral("model"), NoticeKind::Error, problem,
                              {{tr("Catalogue…"), [this] { openCatalogue(); }},
                               {tr("Open a file…"), [this] { openFileDialog(); }}});
    return path;
}

engine::LoadOptions MainWindow::loadOptions() const {
    engine::LoadOptions options;
    options.contextSize = settings_.contextSize();
    options.nThreads = settings_.threads();
    // The window stays quick while the engine computes.
    constexpr int32_t kNiceness = 10;
    options.niceness = kNiceness;
    return options;
}

bool MainWindow::isLarge(const QString& path) const {
    const uint64_t free = engine::availableMemoryBytes();
    // An open model is given back first.
    const uint64_t given = controller_->model() ? controller_->model()->weightBytes : 0;
    qint64 size = QFileInfo(path).size();
    if (QFileInfo(path).isDir()) {
        size = 0;
        for (const QFileInfo& part :
             QDir(path).entryInfoList({QStringLiteral("*.safetensors")}, QDir::Files))
            size += part.size();
    }
    return free > 0 && static_cast<double>(size) > 0.5 * static_cast<double>(free + given);
}

void MainWindow::openModel(const QString& nameOrFile) {
    const QString path = resolveOrComplain(nameOrFile);
    if (path.isEmpty()) return;
    if (isLarge(path))
        openWithOptions(path);
    else
        startLoading(path, loadOptions());
}

void MainWindow::openWithOptions(const QString& nameOrFile) {
    const QString path = resolveOrComplain(nameOrFile);
    if (path.isEmpty()) return;
    readPlanned(path, this, [this, path](const PlannedAnswer& answer) {
        // What cannot be planned for, or not run, says why in the ordinary way.
        if (*answer && (*answer)->config)
            askForOptions(path, **answer);
        else
            startLoading(path, loadOptions());
    });
}

void MainWindow::askForOptions(const QString& path, const engine::PlannedModel& model) {
    const uint64_t given = controller_->model() ? controller_->model()->weightBytes : 0;
    auto* dialog =
        new LoadDialog(model, loadOptions(), engine::availableMemoryBytes() + given, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setModal(true);
    connect(dialog, &QDialog::accepted, this,
            [this, dialog, path] { startLoading(path, dialog->options()); });
    dialog->show();
}

void MainWindow::startLoading(const QString& path, const engine::LoadOptions& options) {
    lastProblem_.clear();
    chat_->notices().dismiss(QStringLiteral("model"));
    controller_->loadModel(path, options);
    top_->setLoading(modelName(path));
    chat_->notices()
        .show(QStringLiteral("load"), NoticeKind::Info, tr("Opening %1").arg(modelName(path)),
              {{tr("Cancel"), [this] { controller_->cancelLoad(); }}}, false)
        ->setProgress(-1);
}

PlannerWindow* MainWindow::showPlanner() {
    if (!planner_) {
        planner_ = new PlannerWindow(this);
        updatePlanner();
        if (const auto info = controller_->model())
            planner_->plan(QString::fromStdString(info->path));
    }
    updatePlanner();
    planner_->show();
    planner_->raise();
    planner_->activateWindow();
    return planner_;
}

void MainWindow::updatePlanner() {
    if (!planner_) return;
    const auto info = controller_->model();
    planner_->setModels(info ? QString::fromStdString(info->path) : QString(),
                        settings_.recentModels());
}

}  // namespace vitrine::gui
