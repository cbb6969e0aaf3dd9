#pragma once
// One window per user: a second start hands its arguments to the first and ends. A local socket
// with a per-user name; messages are small JSON arrays of strings. Thread: GUI thread.

#include <memory>

#include <QLocalServer>
#include <QObject>
#include <QStringList>

namespace vitrine::gui {

class SingleInstance : public QObject {
    Q_OBJECT
public:
    /// name: of the socket; defaultName() for the program.
    explicit SingleInstance(QString name, QObject* parent = nullptr);

    static QString defaultName();

    /// True when another instance took the message: this one should end. Waits at most a second.
    bool handOver(const QStringList& message);
    /// Becomes the first instance. False when the socket cannot be made (then none is raised).
    bool listen();

signals:
    void messageReceived(const QStringList& message);

private:
    void onConnection();

    QString name_;
    std::unique_ptr<QLocalServer> server_;
};

}  // namespace vitrine::gui
