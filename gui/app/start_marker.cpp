#include "gui/app/start_marker.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

namespace vitrine::gui {

StartMarker::StartMarker(QString file) : file_(std::move(file)) {
    lastEndWasClean_ = !QFile::exists(file_);
    QDir().mkpath(QFileInfo(file_).absolutePath());
    QFile marker(file_);
    if (marker.open(QIODevice::WriteOnly)) marker.write("running\n");
}

StartMarker::~StartMarker() {
    QFile::remove(file_);
}

}  // namespace vitrine::gui
