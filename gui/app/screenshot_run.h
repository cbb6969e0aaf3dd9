#pragma once
// `vitrine --screenshot`: drives the real window through one question and saves a picture of it at
// the asked moment, for packaging and the README. Thread: GUI thread.

#include <QObject>

#include "gui/app/command_line.h"

namespace vitrine::gui {

class MainWindow;

class ScreenshotRun : public QObject {
    Q_OBJECT
public:
    ScreenshotRun(MainWindow& window, const CommandLine& line, QObject* parent = nullptr);
    /// Quits the application: 0 with the picture written, 1 with a sentence on stderr.
    void start();

private:
    void ask();
    void check();
    void save();
    void fail(const QString& why);

    MainWindow& window_;
    CommandLine line_;
    bool isAsked_ = false, isSaving_ = false;
};

}  // namespace vitrine::gui
