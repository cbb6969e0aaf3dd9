#include "gui/session/chat_store.h"

#include <algorithm>

#include <QDir>
#include <QFile>
#include <QMutexLocker>
#include <QSaveFile>

#include "gui/session/chat_json.h"

namespace vitrine::gui {
namespace {

constexpr qint64 kMaxFileBytes = 256ll << 20;

/// The whole file, or why not.
std::optional<Chat> readChat(const QString& path, const QString& id, QString* error) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) {
        *error = file.errorString();
        return std::nullopt;
    }
    if (file.size() > kMaxFileBytes) {
        *error = ChatStore::tr("The file is larger than 256 MiB.");
        return std::nullopt;
    }
    std::optional<Chat> chat = chatFromJson(file.readAll(), error);
    // The name counts: a copied file is a chat of its own.
    if (chat) chat->id = id;
    return chat;
}

}  // namespace

ChatSummary summaryOf(const Chat& chat) {
    ChatSummary summary{chat.id, chat.title, chat.changedMs, chat.title.toLower()};
    constexpr qsizetype kMaxSearchText = 1 << 20;
    for (const Turn& turn : chat.turns) {
        if (summary.searchText.size() > kMaxSearchText) break;
        summary.searchText += QChar('\n') + turn.text.toLower();
    }
    return summary;
}

ChatStore::ChatStore(QString folder, QObject* parent)
    : QObject(parent), folder_(std::move(folder)) {
    qRegisterMetaType<QVector<ChatSummary>>();
    qRegisterMetaType<std::shared_ptr<Chat>>();
    pool_.setMaxThreadCount(1);
    pool_.setExpiryTimeout(-1);
}

ChatStore::~ChatStore() {
    flush();
}

bool ChatStore::isValidId(const QString& id) {
    return !id.isEmpty() && id.size() <= 64 && std::all_of(id.begin(), id.end(), [](QChar c) {
        return (c >= u'a' && c <= u'z') || (c >= u'A' && c <= u'Z') || (c >= u'0' && c <= u'9') ||
               c == u'-' || c == u'_';
    });
}

QString ChatStore::pathOf(const QString& id) const {
    return folder_ + QChar('/') + id + QStringLiteral(".json");
}

void ChatStore::list() {
    pool_.start([this] { listOnWorker(); });
}

void ChatStore::load(const QString& id) {
    pool_.start([this, id] { loadOnWorker(id); });
}

void ChatStore::save(const Chat& chat) {
    if (!isValidId(chat.id)) return;
    QMutexLocker lock(&mutex_);
    const bool isQueued = waiting_.contains(chat.id);
    waiting_.insert(chat.id, chat);
    removed_.remove(chat.id);
    if (!isQueued) pool_.start([this, id = chat.id] { saveOnWorker(id); });
}

void ChatStore::remove(const QString& id) {
    if (!isValidId(id)) return;
    {
        QMutexLocker lock(&mutex_);
        waiting_.remove(id);
        removed_.insert(id);
    }
    pool_.start([this, id] {
        QDir(folder_).mkpath(QStringLiteral("trash"));
        const QString target = folder_ + QStringLiteral("/trash/") + id + QStringLiteral(".json");
        QFile::remove(target);
        QFile::rename(pathOf(id), target);
    });
}

void ChatStore::restore(const QString& id) {
    if (!isValidId(id)) return;
    {
        QMutexLocker lock(&mutex_);
        removed_.remove(id);
    }
    pool_.start([this, id] {
        QFile::rename(folder_ + QStringLiteral("/trash/") + id + QStringLiteral(".json"),
                      pathOf(id));
        listOnWorker();
    });
}

void ChatStore::flush() {
    pool_.waitForDone();
}

void ChatStore::listOnWorker() {
    QVector<ChatSummary> chats;
    QStringList damaged;
    const QDir dir(folder_);
    const QFileInfoList files =
        dir.entryInfoList({QStringLiteral("*.json")}, QDir::Files | QDir::Readable);
    for (const QFileInfo& info : files) {
        const QString id = info.completeBaseName();
        QString error;
        std::optional<Chat> chat;
        if (isValidId(id)) chat = readChat(info.filePath(), id, &error);
        if (chat) {
            chats.append(summaryOf(*chat));
            continue;
        }
        dir.mkpath(QStringLiteral("damaged"));
        QString target = folder_ + QStringLiteral("/damaged/") + info.fileName();
        for (int i = 1; QFile::exists(target) && i < 1000; ++i)
            target = folder_ + QStringLiteral("/damaged/%1.%2").arg(info.fileName()).arg(i);
        QFile::rename(info.filePath(), target);
        damaged.append(info.fileName());
    }
    std::sort(chats.begin(), chats.end(), [](const ChatSummary& a, const ChatSummary& b) {
        return a.changedMs != b.changedMs ? a.changedMs > b.changedMs : a.id > b.id;
    });
    emit listed(chats);
    if (!damaged.isEmpty()) emit damagedFound(damaged, folder_ + QStringLiteral("/damaged"));
}

void ChatStore::loadOnWorker(const QString& id) {
    QString error;
    std::optional<Chat> chat;
    if (isValidId(id)) chat = readChat(pathOf(id), id, &error);
    if (chat)
        emit loaded(std::make_shared<Chat>(std::move(*chat)));
    else
        emit loadFailed(id, error);
}

void ChatStore::saveOnWorker(const QString& id) {
    Chat chat;
    {
        QMutexLocker lock(&mutex_);
        const auto it = waiting_.constFind(id);
        if (it == waiting_.constEnd()) return;
        chat = *it;
        waiting_.erase(it);
        if (removed_.contains(id)) return;
    }
    QDir().mkpath(folder_);
    QSaveFile file(pathOf(id));
    if (file.open(QIODevice::WriteOnly)) {
        file.setPermissions(QFile::ReadOwner | QFile::WriteOwner);
        const QByteArray json = chatToJson(chat, false);
        if (file.write(json) == json.size() && file.commit()) {
            emit saved(id);
            return;
        }
    }
    emit saveFailed(id, file.errorString());
}

}  // namespace vitrine::gui
