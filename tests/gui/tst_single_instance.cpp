// A second start hands its file to the first; garbage on the socket does no harm; the start marker
// tells an unclean end.

#include <thread>

#include <QFile>
#include <QLocalSocket>
#include <QProcess>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "gui/app/single_instance.h"
#include "gui/app/start_marker.h"

using namespace vitrine::gui;

class TestSingleInstance : public QObject {
    Q_OBJECT
    const QString name_ = QStringLiteral("vitrine-test-%1").arg(QCoreApplication::applicationPid());

private slots:

    void nobodyThere() {
        SingleInstance alone(name_);
        QVERIFY(!alone.handOver({QStringLiteral("open")}));
    }

    void fileIsHandedOver() {
        SingleInstance first(name_);
        QVERIFY(first.listen());
        QSignalSpy received(&first, &SingleInstance::messageReceived);
        bool taken = false;
        std::thread second([&] {
            taken = SingleInstance(name_).handOver(
                {QStringLiteral("open"), QStringLiteral("/models/模型.gguf")});
        });
        QTRY_COMPARE(received.size(), 1);
        second.join();
        QVERIFY(taken);
        QCOMPARE(received[0][0].toStringList(),
                 (QStringList{QStringLiteral("open"), QStringLiteral("/models/模型.gguf")}));
    }

    void garbageIsDropped() {
        SingleInstance first(name_);
        QVERIFY(first.listen());
        QSignalSpy received(&first, &SingleInstance::messageReceived);
        QLocalSocket socket;
        socket.connectToServer(name_);
        QVERIFY(socket.waitForConnected());
        socket.write("not json\n");
        QTRY_COMPARE(socket.state(), QLocalSocket::UnconnectedState);
        QLocalSocket flood;
        flood.connectToServer(name_);
        QVERIFY(flood.waitForConnected());
        flood.write(QByteArray(1 << 20, 'x'));
        QTRY_COMPARE(flood.state(), QLocalSocket::UnconnectedState);
        QCOMPARE(received.size(), 0);
    }

    void markerTellsAnUncleanEnd() {
        const QTemporaryDir dir;
        const QString file = dir.filePath(QStringLiteral("a/running"));
        {
            const StartMarker first(file);
            QVERIFY(first.lastEndWasClean());
            const StartMarker crashed(file);  // the first is "still running": as after kill -9
            QVERIFY(!crashed.lastEndWasClean());
        }
        const StartMarker clean(file);
        QVERIFY(clean.lastEndWasClean());
    }
};

QTEST_GUILESS_MAIN(TestSingleInstance)
#include "tst_single_instance.moc"
