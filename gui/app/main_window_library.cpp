#include <QDir>
#include <QFileInfo>
#include <QUrl>

#include "gui/app/chat_pane.h"
#include "gui/app/main_window.h"
#include "gui/library/library_window.h"
#include "gui/library/model_library.h"

// The main window's side of the model library: making it, its folders, what is dropped on it.

namespace vitrine::gui {

LibraryWindow* MainWindow::showLibrary() {
    if (!libraryWindow_) {
        const auto roots = [this] {
            std::vector<engine::LibraryRoot> all{
                {engine::ModelStore::Vitrine, setup_.modelsFolder.toStdString()}};
            for (const QString& folder : settings_.libraryFolders())
                all.push_back({engine::ModelStore::Folder, folder.toStdString()});
            if (settings_.searchesOtherStores() && setup_.restoresLayout)
                for (engine::LibraryRoot& root : engine::knownStores())
                    all.push_back(std::move(root));
            return all;
        };
        QDir().mkpath(setup_.modelsFolder);
        const QString cache = setup_.restoresLayout
                                  ? paths::cacheFolder() + QStringLiteral("/library.json")
                                  : QString();
        library_ = std::make_unique<ModelLibrary>(roots, cache);
        libraryWindow_ = new LibraryWindow(*library_, settings_, this);
        connect(libraryWindow_, &LibraryWindow::openRequested, this, &MainWindow::openModel);
        connect(libraryWindow_, &LibraryWindow::catalogueRequested, this, [this] {
            openCatalogue();
            library_->rescan();
        });
        connect(libraryWindow_, &LibraryWindow::filesDropped, this, &MainWindow::openDropped);
        markLoaded();
    }
    libraryWindow_->show();
    libraryWindow_->raise();
    libraryWindow_->activateWindow();
    return libraryWindow_;
}

void MainWindow::markLoaded() {
    updatePlanner();
    if (!library_) return;
    const auto info = controller_->model();
    library_->model().setLoaded(info ? QString::fromStdString(info->path) : QString());
    library_->model().setRecent(settings_.recentModels());
}

void MainWindow::openDropped(const QList<QUrl>& urls) {
    for (const QUrl& url : urls) {
        const QFileInfo info(url.toLocalFile());
        const bool isLooseFolder =
            info.isDir() && !QFileInfo::exists(info.filePath() + QStringLiteral("/config.json"));
        if (!isLooseFolder && info.exists()) {
            openModel(info.absoluteFilePath());
            return;
        }
        if (!info.isDir()) continue;
        settings_.addLibraryFolder(info.absoluteFilePath());
        showLibrary();
        library_->rescan();
        chat_->notices().show(QStringLiteral("folder"), NoticeKind::Info,
                              tr("The library now looks through %1 too.").arg(info.filePath()), {},
                              true, 8000);
        return;
    }
}

}  // namespace vitrine::gui
