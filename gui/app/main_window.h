#pragma once
// The main window: top bar, chat in the middle, views in docks around it, menus and shortcuts,
// model opening. Owns session, store and settings. Thread: GUI thread.

#include <map>
#include <memory>

#include <QMainWindow>

#include "engine/plan/shape_reader.h"
#include "gui/app/settings.h"
#include "gui/session/chat_session.h"
#include "gui/session/chat_store.h"
#include "gui/session/selection.h"
#include "gui/session/session_controller.h"

class QAction;
class QMenu;

namespace vitrine::gui {

class ChatPane;
class LibraryWindow;
class ModelLibrary;
class PlannerWindow;
class TopBar;
class ViewDock;

class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    struct Setup {
        EngineLinkFactory makeLink;
        QString chatsFolder, modelsFolder;
        bool restoresLayout = true;
    };

    explicit MainWindow(const Setup& setup, QWidget* parent = nullptr);
    ~MainWindow() override;

    SessionController& controller() { return *controller_; }

    ChatSession& session() { return *session_; }

    ChatPane& chat() { return *chat_; }

    Settings& settings() { return settings_; }

    Selection& selection() { return selection_; }

    ViewDock* dock(const QString& id) const;

    /// A file, or a name of the catalogue. Problems are shown in the window.
    void openModel(const QString& nameOrFile);
    /// The same after a look at what it takes, with the context and cache type to choose.
    void openWithOptions(const QString& nameOrFile);
    /// What models and their caches would take.
    PlannerWindow* showPlanner();
    /// Files to open; a folder that is no model is added to the library.
    void openDropped(const QList<QUrl>& urls);
    /// The models on this machine, in a window of its own.
    LibraryWindow* showLibrary();
    /// At the start: what to open, or why nothing is opened.
    void begin(const QString& modelArgument, bool lastEndWasClean);
    void bringToFront();
    /// Shows a view and puts it on top of its tabs. False = no such view.
    bool showView(const QString& id);
    void resetLayout();
    void setLanguage(const QString& language);
    void setTheme(const QString& theme);

protected:
    void closeEvent(QCloseEvent* event) override;
    void changeEvent(QEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void buildDocks();
    void buildMenus();
    void buildChatMenus();
    void buildViewMenus();
    void connectModel();
    void connectChat();
    QAction* add(QMenu* menu, const char* text, const QKeySequence& key, std::function<void()> run);
    void retranslate();
    void fillModelMenu();
    void updateActions();
    void arrangeDefault();
    void arrangeLarge();
    void arrangeCompact();
    void updateTaps();
    void refreshTitles();
    void onSnapshot(const SnapshotPtr& snapshot);
    QString resolveOrComplain(const QString& nameOrFile);
    engine::LoadOptions loadOptions() const;
    void startLoading(const QString& path, const engine::LoadOptions& options);
    bool isLarge(const QString& path) const;
    void askForOptions(const QString& path, const engine::PlannedModel& model);
    void updatePlanner();
    void onLoadFailed(const QString& path, const QString& message, bool isCancelled);
    void openFileDialog();
    void openCatalogue();
    void markLoaded();
    void openSettings();
    void showMachine();
    void showAbout();
    void showShortcuts();
    void changeFontSize(double delta);
    void applyTargets();
    bool isCompact() const;

    Setup setup_;
    Settings settings_;
    Selection selection_;
    std::unique_ptr<SessionController> controller_;
    std::unique_ptr<ChatStore> store_;
    std::unique_ptr<ChatSession> session_;
    std::unique_ptr<ModelLibrary> library_;
    ChatPane* chat_ = nullptr;
    TopBar* top_ = nullptr;
    LibraryWindow* libraryWindow_ = nullptr;  ///< made when it is first asked for
    PlannerWindow* planner_ = nullptr;        ///< the same
    std::vector<ViewDock*> docks_;
    QMenu *modelMenu_ = nullptr, *recentMenu_ = nullptr, *viewMenu_ = nullptr;
    std::vector<std::pair<QAction*, const char*>> texts_;
    std::vector<std::pair<QMenu*, const char*>> menus_;
    std::map<QString, QAction*> actions_;
    QString lastProblem_;
    bool isArranging_ = false, isArrangedCompact_ = false, isLayoutOwn_ = false,
         isArranged_ = false;
    bool isChatOpened_ = false;
};

}  // namespace vitrine::gui
