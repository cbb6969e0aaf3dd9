#include "gui/app/single_instance.h"

#include <unistd.h>

#include <QCryptographicHash>
#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QLocalSocket>

#include "gui/app/settings.h"

namespace vitrine::gui {
namespace {

constexpr int kWaitMs = 1000;
constexpr qint64 kMaxMessage = 64 << 10;

}  // namespace

SingleInstance::SingleInstance(QString name, QObject* parent)
    : QObject(parent), name_(std::move(name)) {}

QString SingleInstance::defaultName() {
    // Different data folders are different Vitrines: tests and trials do not reach the user's
    // window.
    const QByteArray hash =
        QCryptographicHash::hash(paths::dataFolder().toUtf8(), QCryptographicHash::Sha1)
            .toHex()
            .left(10);
    return QStringLiteral("vitrine-%1-%2").arg(getuid()).arg(QString::fromLatin1(hash));
}

bool SingleInstance::handOver(const QStringList& message) {
    QLocalSocket socket;
    socket.connectToServer(name_);
    if (!socket.waitForConnected(kWaitMs)) return false;
    socket.write(QJsonDocument(QJsonArray::fromStringList(message)).toJson(QJsonDocument::Compact) +
                 '\n');
    if (!socket.waitForBytesWritten(kWaitMs)) return false;
    // The answer proves that someone lives behind the socket.
    return socket.waitForReadyRead(kWaitMs) && socket.readAll().startsWith("ok");
}

bool SingleInstance::listen() {
    server_ = std::make_unique<QLocalServer>();
    server_->setSocketOptions(QLocalServer::UserAccessOption);
    connect(server_.get(), &QLocalServer::newConnection, this, &SingleInstance::onConnection);
    if (server_->listen(name_)) return true;
    // Left over from a killed start: handOver() found nobody there.
    QLocalServer::removeServer(name_);
    return server_->listen(name_);
}

void SingleInstance::onConnection() {
    while (QLocalSocket* socket = server_->nextPendingConnection()) {
        connect(socket, &QLocalSocket::disconnected, socket, &QObject::deleteLater);
        connect(socket, &QLocalSocket::readyRead, this, [this, socket] {
            if (socket->bytesAvailable() > kMaxMessage) {
                socket->abort();
                return;
            }
            if (!socket->canReadLine()) return;
            const QJsonDocument document = QJsonDocument::fromJson(socket->readLine(kMaxMessage));
            if (!document.isArray()) {
                socket->abort();
                return;
            }
            QStringList message;
            for (const QJsonValue& value : document.array()) message << value.toString();
            socket->write("ok\n");
            socket->flush();
            socket->disconnectFromServer();
            emit messageReceived(message);
        });
    }
}

}  // namespace vitrine::gui
