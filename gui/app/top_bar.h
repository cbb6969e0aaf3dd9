#pragma once
// The bar across the top: model, machine, context and KV, TTFT and TPOT against their targets,
// language, theme, settings. Thread: GUI thread.

#include <QWidget>

#include "gui/session/session_controller.h"

class QMenu;
class QToolButton;

namespace vitrine::gui {

class Chip;
class FigureTile;
class IconButton;

class TopBar : public QWidget {
    Q_OBJECT
public:
    explicit TopBar(QWidget* parent = nullptr);

    void setModelMenu(QMenu* menu);
    void setTargets(double ttftMs, double tpotMs);
    void setDraftTokens(int tokens);
    void setLoading(const QString& name);  ///< empty = not loading
    void showSnapshot(const SnapshotPtr& snapshot);

signals:
    void machineClicked();
    void contextClicked();
    void languageClicked();
    void themeClicked();
    void settingsClicked();

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void retranslate();
    void updateAll();
    void fit();

    Chip *model_ = nullptr, *machine_ = nullptr, *context_ = nullptr;
    FigureTile *ttft_ = nullptr, *tpot_ = nullptr;
    QWidget* logo_ = nullptr;
    QToolButton* language_ = nullptr;
    IconButton *theme_ = nullptr, *settings_ = nullptr;
    QMenu* modelMenu_ = nullptr;
    SnapshotPtr snapshot_;
    QString loading_;
    double ttftTargetMs_ = 1000, tpotTargetMs_ = 50;
    int draftTokens_ = 0;
};

/// "SmolLM2-135M-Instruct" out of a model's name or file. Never fails.
QString modelTitle(const engine::ModelInfo& info);

}  // namespace vitrine::gui
