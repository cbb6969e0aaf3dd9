#include "gui/library/model_library.h"

#include <algorithm>

namespace vitrine::gui {
namespace {

constexpr int kDrainMs = 120;
/// A download touches its folder often; the headers that did not change cost nothing.
constexpr int kRescanMs = 1500;
/// inotify watches are a shared resource, and adding one reads the folder's facts.
constexpr qsizetype kMaxWatched = 2048, kWatchedAtOnce = 32;
constexpr size_t kPutAtOnce = 500;
constexpr int kMaxProblems = 50;

QString fromUtf8(const std::string& text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

}  // namespace

ModelLibrary::ModelLibrary(RootsFn roots, const QString& cacheFile, QObject* parent)
    : QObject(parent), roots_(std::move(roots)) {
    const auto single = [this](QTimer& timer, int ms, void (ModelLibrary::*slot)()) {
        timer.setSingleShot(true);
        timer.setInterval(ms);
        connect(&timer, &QTimer::timeout, this, slot);
    };
    single(drain_, kDrainMs, &ModelLibrary::takeUpdate);
    single(again_, kRescanMs, &ModelLibrary::rescan);
    single(watchTimer_, 0, &ModelLibrary::watchSome);
    single(putTimer_, 0, &ModelLibrary::putSome);
    const auto onChange = [this] {
        if (!again_.isActive()) again_.start();
    };
    connect(&watcher_, &QFileSystemWatcher::directoryChanged, this, onChange);
    connect(&watcher_, &QFileSystemWatcher::fileChanged, this, onChange);
    scanner_ = std::make_unique<engine::LibraryScanner>(cacheFile.toStdString(), [this] {
        QMetaObject::invokeMethod(
            this,
            [this] {
                if (!drain_.isActive()) drain_.start();
            },
            Qt::QueuedConnection);
    });
    details_ = std::make_unique<engine::DetailsReader>([this] {
        QMetaObject::invokeMethod(this, &ModelLibrary::takeDetails, Qt::QueuedConnection);
    });
}

ModelLibrary::~ModelLibrary() {
    scanner_->cancel();
    details_.reset();
    scanner_.reset();
}

void ModelLibrary::start() {
    if (isStarted_) return;
    isStarted_ = true;
    rescan();
}

void ModelLibrary::rescan() {
    if (!isStarted_) return;
    // A scan that runs is let finish: on a slow disk one that is begun anew again and again would
    // never end.
    if (isScanning_) {
        isRescanWanted_ = true;
        return;
    }
    isRescanWanted_ = false;
    isScanning_ = true;
    isEndTaken_ = false;
    seen_.clear();
    toPut_.clear();
    problems_.clear();
    nFolders_ = 0;
    scanId_ = scanner_->scan(roots_());
    emit changed();
}

void ModelLibrary::takeUpdate() {
    engine::LibraryUpdate update = scanner_->take();
    if (update.scanId != scanId_) return;
    for (const std::string& folder : update.folders)
        if (toWatch_.size() < kMaxWatched) toWatch_ << fromUtf8(folder);
    for (const engine::ScanProblem& problem : update.problems)
        if (problems_.size() < kMaxProblems)
            problems_ << QStringLiteral("%1: %2").arg(fromUtf8(problem.path),
                                                      fromUtf8(problem.why));
    nFolders_ = update.nFolders;
    toPut_.insert(toPut_.end(), std::make_move_iterator(update.entries.begin()),
                  std::make_move_iterator(update.entries.end()));
    isEndTaken_ = update.isFinished;
    if (!toWatch_.isEmpty()) watchTimer_.start();
    putSome();
}

/// Each event of the window is short, however many models come at once.
void ModelLibrary::putSome() {
    const size_t n = std::min(toPut_.size(), kPutAtOnce);
    std::vector<engine::ModelEntry> some(
        std::make_move_iterator(toPut_.end() - static_cast<long>(n)),
        std::make_move_iterator(toPut_.end()));
    toPut_.resize(toPut_.size() - n);
    for (const engine::ModelEntry& entry : some) {
        const QString path = fromUtf8(entry.path);
        seen_.insert(path);
        // Written without a rename, an unfinished file grows and its folder does not change.
        if (entry.kind == engine::ModelKind::Partial && toWatch_.size() < kMaxWatched)
            toWatch_ << path;
    }
    model_.put(std::move(some));
    if (!toPut_.empty()) {
        putTimer_.start();
        return;
    }
    if (isEndTaken_) finishScan();
    model_.refresh();
    emit changed();
}

void ModelLibrary::finishScan() {
    isEndTaken_ = isScanning_ = false;
    model_.keepOnly(seen_);
    if (isRescanWanted_) again_.start();
}

/// A few at a time, so that ten thousand folders do not hold up the window.
void ModelLibrary::watchSome() {
    QStringList some;
    while (!toWatch_.isEmpty() && some.size() < kWatchedAtOnce) {
        const QString path = toWatch_.takeFirst();
        if (watched_.size() >= kMaxWatched) {
            toWatch_.clear();
        } else if (!watched_.contains(path)) {
            watched_.insert(path);
            some << path;
        }
    }
    if (!some.isEmpty()) watcher_.addPaths(some);
    if (!toWatch_.isEmpty()) watchTimer_.start();
}

void ModelLibrary::readDetails(const QString& path) {
    details_->read(path.toStdString());
}

void ModelLibrary::takeDetails() {
    if (const auto details = details_->take()) emit detailsRead(details);
}

}  // namespace vitrine::gui
