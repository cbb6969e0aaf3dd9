#pragma once
// Chats on disk: one JSON file per chat in one folder. Reading, parsing and writing happen on one
// worker thread; files are replaced atomically, so that a kill loses at most what came after the
// last save. Damaged files are moved to "damaged/" and named, deleted ones wait in "trash/".
// Thread: GUI thread; results come as queued signals.

#include <memory>
#include <optional>

#include <QHash>
#include <QMutex>
#include <QObject>
#include <QSet>
#include <QThreadPool>

#include "gui/session/chat.h"

namespace vitrine::gui {

struct ChatSummary {
    QString id, title;
    qint64 changedMs = 0;
    QString searchText;  ///< lower case: title and texts of all turns
};

/// What the list shows of a chat. Never fails.
ChatSummary summaryOf(const Chat& chat);

class ChatStore : public QObject {
    Q_OBJECT
public:
    /// The folder is made with the first save.
    explicit ChatStore(QString folder, QObject* parent = nullptr);
    /// Waits for what is being written.
    ~ChatStore() override;

    const QString& folder() const { return folder_; }

    void list();                      ///< → listed()
    void load(const QString& id);     ///< → loaded() or loadFailed()
    void save(const Chat& chat);      ///< → saved() or saveFailed(); the newest of several wins
    void remove(const QString& id);   ///< to the trash
    void restore(const QString& id);  ///< back from the trash
    /// Waits until everything given to save() is on disk or has failed.
    void flush();

    /// True for a name that save() can have made: nothing from outside becomes a path. Never fails.
    static bool isValidId(const QString& id);

signals:
    void listed(const QVector<vitrine::gui::ChatSummary>& chats);
    void loaded(const std::shared_ptr<vitrine::gui::Chat>& chat);
    void loadFailed(const QString& id, const QString& message);
    void saved(const QString& id);
    void saveFailed(const QString& id, const QString& message);
    void damagedFound(const QStringList& files, const QString& movedTo);

private:
    void listOnWorker();
    void loadOnWorker(const QString& id);
    void saveOnWorker(const QString& id);
    QString pathOf(const QString& id) const;

    const QString folder_;
    QThreadPool pool_;
    QMutex mutex_;
    QHash<QString, Chat> waiting_;  ///< guarded by mutex_: newest state of chats to write
    QSet<QString> removed_;         ///< guarded by mutex_
};

}  // namespace vitrine::gui

Q_DECLARE_METATYPE(vitrine::gui::ChatSummary)
