#pragma once
// Which folders the model library looks through: a list to add to and take from, and whether the
// stores of other programs count. Writes the settings at once. Thread: GUI thread.

#include <QWidget>

class QListWidget;
class QPushButton;

namespace vitrine::gui {

class Settings;

class FoldersEditor : public QWidget {
    Q_OBJECT
public:
    explicit FoldersEditor(Settings& settings, QWidget* parent = nullptr);

    /// Adds what the user chooses in a dialog.
    void addByDialog();

signals:
    void changed();

private:
    void refill();
    void removeCurrent();

    Settings& settings_;
    QListWidget* list_ = nullptr;
    QPushButton* remove_ = nullptr;
};

/// The editor in a dialog of its own; true when something was changed.
bool editLibraryFolders(Settings& settings, QWidget* parent);

}  // namespace vitrine::gui
