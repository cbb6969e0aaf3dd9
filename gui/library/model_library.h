#pragma once
// The models on this machine, as the window knows them: scans on the engine's scanner thread,
// watches the folders that were looked through, reads a model's details on request. Nothing is read
// before start(). Thread: GUI thread.

#include <functional>
#include <memory>

#include <QFileSystemWatcher>
#include <QObject>
#include <QTimer>

#include "engine/library/library_scanner.h"
#include "engine/library/model_details.h"
#include "gui/models/library_model.h"

namespace vitrine::gui {

class ModelLibrary : public QObject {
    Q_OBJECT
public:
    /// Folders to look through, asked for at each scan.
    using RootsFn = std::function<std::vector<engine::LibraryRoot>()>;

    /// cacheFile: empty = headers are read anew at each start.
    ModelLibrary(RootsFn roots, const QString& cacheFile, QObject* parent = nullptr);
    ~ModelLibrary() override;

    LibraryModel& model() { return model_; }

    /// The first look, and from then on the folders are watched.
    void start();
    void rescan();

    bool isScanning() const { return isScanning_; }

    size_t nFolders() const { return nFolders_; }

    /// Folders that could not be looked through: "path: why".
    const QStringList& problems() const { return problems_; }

    /// → detailsRead, of the newest request only.
    void readDetails(const QString& path);

signals:
    void changed();  ///< rows, counts or the state of the scan
    void detailsRead(const std::shared_ptr<const vitrine::engine::ModelDetails>& details);

private:
    void takeUpdate();
    void putSome();
    void finishScan();
    void takeDetails();
    void watchSome();

    RootsFn roots_;
    LibraryModel model_;
    QFileSystemWatcher watcher_;
    QTimer drain_, again_, watchTimer_, putTimer_;
    std::vector<engine::ModelEntry> toPut_;  ///< came, and not in the table yet; last ones first
    bool isEndTaken_ = false;                ///< the scan is over once toPut_ is empty
    QStringList toWatch_, problems_;
    QSet<QString> watched_, seen_;
    size_t nFolders_ = 0;
    bool isStarted_ = false, isScanning_ = false, isRescanWanted_ = false;
    uint64_t scanId_ = 0;
    // Last: their threads end before what their pokes use.
    std::unique_ptr<engine::LibraryScanner> scanner_;
    std::unique_ptr<engine::DetailsReader> details_;
};

}  // namespace vitrine::gui
