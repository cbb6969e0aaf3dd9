#pragma once
// The program's options. Thread: main thread.

#include <QSize>
#include <QString>
#include <QStringList>

namespace vitrine::gui {

struct CommandLine {
    QString model;       ///< -m, or the first plain argument
    QString screenshot;  ///< --screenshot: where the picture goes; empty = a window for a user
    QString ask, at = QStringLiteral("end"), view, language, theme;
    QSize size;
    double scaleFont = 0;
    bool isFinished = false;  ///< help or version was printed
    QString problem;          ///< wrong usage, one sentence
};

/// Never fails; see `problem`.
CommandLine parseCommandLine(const QStringList& arguments);

}  // namespace vitrine::gui
