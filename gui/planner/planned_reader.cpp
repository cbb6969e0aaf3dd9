#include "gui/planner/planned_reader.h"

#include <QCoreApplication>
#include <QPointer>
#include <QThreadPool>

namespace vitrine::gui {

void readPlanned(const QString& path, QObject* context, std::function<void(PlannedAnswer)> done) {
    QThreadPool::globalInstance()->start(
        [path = path.toStdString(), guard = QPointer<QObject>(context), done = std::move(done)] {
            auto answer = std::make_shared<const engine::Result<engine::PlannedModel>>(
                engine::readPlannedModel(path));
            QMetaObject::invokeMethod(
                QCoreApplication::instance(),
                [guard, done, answer = std::move(answer)] {
                    if (guard) done(answer);
                },
                Qt::QueuedConnection);
        });
}

}  // namespace vitrine::gui
