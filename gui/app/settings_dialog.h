#pragma once
// Settings: appearance, targets, models. Changes apply at once. Thread: GUI thread.

#include <QDialog>

namespace vitrine::gui {

class Settings;

class SettingsDialog : public QDialog {
    Q_OBJECT
public:
    SettingsDialog(Settings& settings, QWidget* parent);

    /// Context size or threads were changed: they apply to the next load.
    bool needsReload() const { return needsReload_; }

signals:
    void languageChosen(const QString& language);
    void themeChosen(const QString& theme);
    void fontSizeChosen(double points);
    void targetsChosen();
    void layoutResetChosen();
    void foldersChosen();  ///< of the model library

private:
    class QWidget* appearance(Settings& settings);
    class QWidget* targets(Settings& settings);
    class QWidget* models(Settings& settings);
    class QWidget* folders(Settings& settings);
    bool needsReload_ = false;
};

}  // namespace vitrine::gui
