#include <QApplication>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenuBar>
#include <QMessageBox>
#include <QRegularExpression>

#include "gui/app/catalogue.h"
#include "gui/app/catalogue_dialog.h"
#include "gui/app/chat_list.h"
#include "gui/app/chat_pane.h"
#include "gui/app/language.h"
#include "gui/app/main_window.h"
#include "gui/app/settings_dialog.h"
#include "gui/app/top_bar.h"
#include "gui/app/view_dock.h"
#include "gui/library/model_library.h"
#include "gui/models/format.h"
#include "gui/models/model_name.h"
#include "gui/widgets/composer.h"
#include "gui/widgets/theme.h"
#include "gui/widgets/transcript_view.h"

// Menus, shortcuts and dialogs of the main window.

namespace vitrine::gui {

QAction* MainWindow::add(QMenu* menu, const char* text, const QKeySequence& key,
                         std::function<void()> run) {
    auto* action = new QAction(this);
    if (!key.isEmpty()) action->setShortcut(key);
    action->setShortcutContext(Qt::WindowShortcut);
    connect(action, &QAction::triggered, this, [run = std::move(run)] { run(); });
    menu->addAction(action);
    addAction(action);
    texts_.emplace_back(action, text);
    return action;
}

void MainWindow::buildMenus() {
    const auto menu = [this](const char* text) {
        QMenu* m = menuBar()->addMenu(QString());
        menus_.emplace_back(m, text);
        return m;
    };
    modelMenu_ = menu(QT_TR_NOOP("&Model"));
    add(modelMenu_, QT_TR_NOOP("&Open a file…"), QKeySequence::Open, [this] { openFileDialog(); });
    add(modelMenu_, QT_TR_NOOP("Load &with options…"), Qt::CTRL | Qt::SHIFT | Qt::Key_W, [this] {
        const QString path = QFileDialog::getOpenFileName(
            this, tr("Load with options"), setup_.modelsFolder,
            tr("Models (*.gguf *.safetensors config.json);;All files (*)"));
        if (!path.isEmpty()) openWithOptions(path);
    });
    add(modelMenu_, QT_TR_NOOP("&Catalogue…"), Qt::CTRL | Qt::Key_M, [this] { openCatalogue(); });
    add(modelMenu_, QT_TR_NOOP("&Library…"), Qt::CTRL | Qt::SHIFT | Qt::Key_O,
        [this] { showLibrary(); });
    recentMenu_ = modelMenu_->addMenu(QString());
    menus_.emplace_back(recentMenu_, QT_TR_NOOP("&Recent"));
    connect(recentMenu_, &QMenu::aboutToShow, this, &MainWindow::fillModelMenu);
    modelMenu_->addSeparator();
    actions_[QStringLiteral("cancelLoad")] =
        add(modelMenu_, QT_TR_NOOP("Cancel opening"), {}, [this] { controller_->cancelLoad(); });
    actions_[QStringLiteral("unload")] =
        add(modelMenu_, QT_TR_NOOP("&Unload"), {}, [this] { controller_->unloadModel(); });
    add(modelMenu_, QT_TR_NOOP("KV &planner…"), Qt::CTRL | Qt::SHIFT | Qt::Key_K,
        [this] { showPlanner(); });
    actions_[QStringLiteral("reload")] =
        add(modelMenu_, QT_TR_NOOP("Load again with optio&ns…"), {}, [this] {
            if (const auto info = controller_->model())
                openWithOptions(QString::fromStdString(info->path));
        });
    add(modelMenu_, QT_TR_NOOP("&Details…"), Qt::CTRL | Qt::Key_I, [this] { showMachine(); });
    modelMenu_->addSeparator();
    add(modelMenu_, QT_TR_NOOP("&Quit"), QKeySequence::Quit, [this] { close(); });
    top_->setModelMenu(modelMenu_);
    buildChatMenus();
    buildViewMenus();
    QMenu* help = menu(QT_TR_NOOP("&Help"));
    add(help, QT_TR_NOOP("&Keyboard shortcuts"), Qt::Key_F1, [this] { showShortcuts(); });
    add(help, QT_TR_NOOP("&About Vitrine"), {}, [this] { showAbout(); });
}

void MainWindow::buildChatMenus() {
    QMenu* chat = menuBar()->addMenu(QString());
    menus_.emplace_back(chat, QT_TR_NOOP("&Chat"));
    add(chat, QT_TR_NOOP("&New"), QKeySequence::New, [this] { chat_->newChat(); });
    add(chat, QT_TR_NOOP("&List and search…"), Qt::CTRL | Qt::Key_L,
        [this] { chat_->toggleList(); });
    add(chat, QT_TR_NOOP("&Delete this chat"), {},
        [this] { chat_->removeChat(session_->chat().id); });
    add(chat, QT_TR_NOOP("&System prompt and sampling"), Qt::CTRL | Qt::SHIFT | Qt::Key_S,
        [this] { chat_->toggleSettings(); });
    add(chat, QT_TR_NOOP("&Preview prompt…"), Qt::CTRL | Qt::SHIFT | Qt::Key_P,
        [this] { chat_->showPrompt(); });
    chat->addSeparator();
    actions_[QStringLiteral("exportMarkdown")] =
        add(chat, QT_TR_NOOP("Export as &Markdown…"), Qt::CTRL | Qt::Key_E,
            [this] { chat_->exportChat(true); });
    actions_[QStringLiteral("exportJson")] =
        add(chat, QT_TR_NOOP("Export as &JSON…"), Qt::CTRL | Qt::SHIFT | Qt::Key_E,
            [this] { chat_->exportChat(false); });
    chat->addSeparator();
    actions_[QStringLiteral("dropOldest")] =
        add(chat, QT_TR_NOOP("Drop the &oldest turns and continue"), {},
            [this] { session_->dropOldestAndContinue(); });

    QMenu* message = menuBar()->addMenu(QString());
    menus_.emplace_back(message, QT_TR_NOOP("M&essage"));
    actions_[QStringLiteral("stop")] =
        add(message, QT_TR_NOOP("&Stop"), Qt::CTRL | Qt::Key_Period, [this] { session_->stop(); });
    actions_[QStringLiteral("regenerate")] =
        add(message, QT_TR_NOOP("&Answer again"), Qt::CTRL | Qt::Key_R,
            [this] { chat_->regenerate(chat_->actionTurn(false)); });
    actions_[QStringLiteral("edit")] =
        add(message, QT_TR_NOOP("&Edit the question"), Qt::CTRL | Qt::Key_Up,
            [this] { chat_->editTurn(chat_->actionTurn(true)); });
    actions_[QStringLiteral("copy")] =
        add(message, QT_TR_NOOP("&Copy the answer"), Qt::CTRL | Qt::SHIFT | Qt::Key_C,
            [this] { chat_->copyTurn(chat_->actionTurn(false)); });
    actions_[QStringLiteral("remove")] =
        add(message, QT_TR_NOOP("&Delete from here on"), {}, [this] {
            const int32_t current = chat_->transcript().currentTurn();
            chat_->removeTurn(current >= 0 ? current : chat_->actionTurn(true));
        });
    message->addSeparator();
    add(message, QT_TR_NOOP("&Previous message"), Qt::ALT | Qt::Key_Up,
        [this] { chat_->transcript().moveCurrent(-1); });
    add(message, QT_TR_NOOP("&Next message"), Qt::ALT | Qt::Key_Down,
        [this] { chat_->transcript().moveCurrent(1); });
    actions_[QStringLiteral("versionBefore")] =
        add(message, QT_TR_NOOP("Version &before"), Qt::ALT | Qt::Key_Left,
            [this] { chat_->selectVersion(chat_->actionTurn(false), -1); });
    actions_[QStringLiteral("versionAfter")] =
        add(message, QT_TR_NOOP("Version a&fter"), Qt::ALT | Qt::Key_Right,
            [this] { chat_->selectVersion(chat_->actionTurn(false), 1); });
    message->addSeparator();
    add(message, QT_TR_NOOP("&Write"), Qt::CTRL | Qt::Key_J, [this] { chat_->focusComposer(); });
}

void MainWindow::buildViewMenus() {
    viewMenu_ = menuBar()->addMenu(QString());
    menus_.emplace_back(viewMenu_, QT_TR_NOOP("&View"));
    int number = 1;
    for (ViewDock* d : docks_) {
        auto* action = new QAction(this);
        if (number < 10)
            action->setShortcut(
                QKeySequence(Qt::CTRL | static_cast<Qt::Key>(Qt::Key_0 + number++)));
        connect(action, &QAction::triggered, this, [this, d] {
            d->show();
            d->raise();
            d->view()->setFocus(Qt::ShortcutFocusReason);
        });
        viewMenu_->addAction(action);
        addAction(action);
        action->setData(QLatin1String(d->spec().id));
        actions_[QStringLiteral("view-") + QLatin1String(d->spec().id)] = action;
    }
    QMenu* shown = viewMenu_->addMenu(QString());
    menus_.emplace_back(shown, QT_TR_NOOP("&Shown"));
    for (ViewDock* d : docks_) shown->addAction(d->toggleViewAction());
    add(viewMenu_, QT_TR_NOOP("&Reset the layout"), {}, [this] { resetLayout(); });
    viewMenu_->addSeparator();
    QAction* tokens =
        add(viewMenu_, QT_TR_NOOP("&Underline tokens by probability"), Qt::CTRL | Qt::Key_U, [] {});
    tokens->setCheckable(true);
    tokens->setChecked(settings_.tokensShown());
    connect(tokens, &QAction::toggled, this, [this](bool isOn) {
        settings_.setTokensShown(isOn);
        chat_->transcript().setTokensShown(isOn);
    });
    add(viewMenu_, QT_TR_NOOP("&Follow the newest token"), Qt::CTRL | Qt::Key_End, [this] {
        selection_.reset();
        chat_->transcript().scrollToEnd();
    });
    viewMenu_->addSeparator();
    QAction* larger = add(viewMenu_, QT_TR_NOOP("&Larger text"), {}, [this] { changeFontSize(1); });
    larger->setShortcuts(
        {QKeySequence(Qt::CTRL | Qt::Key_Plus), QKeySequence(Qt::CTRL | Qt::Key_Equal)});
    add(viewMenu_, QT_TR_NOOP("S&maller text"), Qt::CTRL | Qt::Key_Minus,
        [this] { changeFontSize(-1); });
    add(viewMenu_, QT_TR_NOOP("&Normal text size"), Qt::CTRL | Qt::Key_0,
        [this] { changeFontSize(0); });
    viewMenu_->addSeparator();
    add(viewMenu_, QT_TR_NOOP("&Dark or light"), Qt::CTRL | Qt::SHIFT | Qt::Key_D, [this] {
        setTheme(Theme::current().isDark ? QStringLiteral("light") : QStringLiteral("dark"));
    });
    add(viewMenu_, QT_TR_NOOP("Language: English / 中文"), Qt::CTRL | Qt::SHIFT | Qt::Key_L,
        [this] {
            setLanguage(currentLanguage() == QLatin1String("en") ? QStringLiteral("zh_CN")
                                                                 : QStringLiteral("en"));
        });
    add(viewMenu_, QT_TR_NOOP("F&ull screen"), Qt::Key_F11,
        [this] { isFullScreen() ? showNormal() : showFullScreen(); });
    add(viewMenu_, QT_TR_NOOP("Se&ttings…"), QKeySequence(Qt::CTRL | Qt::Key_Comma),
        [this] { openSettings(); });
}

void MainWindow::retranslate() {
    for (const auto& [menu, text] : menus_) menu->setTitle(tr(text));
    for (const auto& [action, text] : texts_) action->setText(tr(text));
    for (ViewDock* d : docks_) {
        d->retranslate();
        actions_[QStringLiteral("view-") + QLatin1String(d->spec().id)]->setText(d->windowTitle());
    }
    if (!controller_->model()) setWindowTitle(QStringLiteral("Vitrine"));
}

void MainWindow::changeEvent(QEvent* event) {
    QMainWindow::changeEvent(event);
    if (event->type() == QEvent::LanguageChange && chat_) retranslate();
}

void MainWindow::updateActions() {
    const auto state = controller_->state();
    const bool isReady = state == SessionController::State::Ready;
    const bool hasTurns = !session_->chat().turns.empty();
    const auto enable = [this](const char* name, bool isOn) {
        actions_[QLatin1String(name)]->setEnabled(isOn);
    };
    enable("cancelLoad", state == SessionController::State::Loading);
    enable("unload", controller_->model() != nullptr && state != SessionController::State::Loading);
    enable("reload", controller_->model() != nullptr && state != SessionController::State::Loading);
    enable("stop", controller_->isRunning());
    enable("regenerate", isReady && hasTurns);
    enable("edit", isReady && hasTurns);
    enable("copy", hasTurns);
    enable("remove", hasTurns && session_->answeringTurn() < 0);
    enable("versionBefore", hasTurns && session_->answeringTurn() < 0);
    enable("versionAfter", hasTurns && session_->answeringTurn() < 0);
    enable("exportMarkdown", hasTurns);
    enable("exportJson", hasTurns);
    enable("dropOldest", isReady && session_->isContextFull() && !session_->turnsToDrop().empty());
    const engine::ModelInfo* info = controller_->model().get();
    if (info)
        top_->setLoading(state == SessionController::State::Loading
                             ? modelName(controller_->loadingPath())
                             : QString());
}

void MainWindow::fillModelMenu() {
    recentMenu_->clear();
    const auto addModel = [this](const QString& text, const QString& path) {
        QAction* action = recentMenu_->addAction(text);
        action->setToolTip(path);
        connect(action, &QAction::triggered, this, [this, path] { openModel(path); });
    };
    QStringList shown;
    for (const QString& path : settings_.recentModels()) {
        addModel(modelName(path), path);
        shown << path;
    }
    recentMenu_->addSeparator();
    for (const CatalogueEntry& entry : readCatalogue(setup_.modelsFolder))
        if (!entry.installedPath.isEmpty() && !shown.contains(entry.installedPath))
            addModel(entry.title, entry.installedPath);
    for (const QString& path : otherInstalledModels(setup_.modelsFolder))
        if (!shown.contains(path)) addModel(modelName(path), path);
    if (recentMenu_->isEmpty()) recentMenu_->addAction(tr("Nothing yet"))->setEnabled(false);
}

void MainWindow::openFileDialog() {
    const QStringList recent = settings_.recentModels();
    const QString folder =
        recent.isEmpty() ? setup_.modelsFolder : QFileInfo(recent.first()).absolutePath();
    const QString path = QFileDialog::getOpenFileName(
        this, tr("Open a model"), folder,
        tr("Models (*.gguf *.safetensors config.json);;All files (*)"));
    if (!path.isEmpty()) openModel(path);
}

void MainWindow::openCatalogue() {
    CatalogueDialog dialog(setup_.modelsFolder, this);
    if (dialog.exec() == QDialog::Accepted && !dialog.chosenPath().isEmpty())
        openModel(dialog.chosenPath());
}

void MainWindow::openSettings() {
    SettingsDialog dialog(settings_, this);
    connect(&dialog, &SettingsDialog::languageChosen, this, &MainWindow::setLanguage);
    connect(&dialog, &SettingsDialog::themeChosen, this, &MainWindow::setTheme);
    connect(&dialog, &SettingsDialog::foldersChosen, this, [this] {
        if (library_) library_->rescan();
    });
    connect(&dialog, &SettingsDialog::fontSizeChosen, this,
            [this](double points) { changeFontSize(points - Theme::basePointSize()); });
    connect(&dialog, &SettingsDialog::targetsChosen, this, &MainWindow::applyTargets);
    connect(&dialog, &SettingsDialog::layoutResetChosen, this, &MainWindow::resetLayout);
    dialog.exec();
    if (dialog.needsReload() && controller_->model())
        chat_->notices().show(QStringLiteral("reload"), NoticeKind::Info,
                              tr("The context size and threads apply when a model is opened."),
                              {{tr("Open it again"), [this] {
                                    chat_->notices().dismiss(QStringLiteral("reload"));
                                    openModel(QString::fromStdString(controller_->model()->path));
                                }}});
}

void MainWindow::showMachine() {
    const auto info = controller_->model();
    if (!info) {
        openCatalogue();
        return;
    }
    const auto text = [](const std::string& s) {
        return QString::fromStdString(s).toHtmlEscaped();
    };
    QString rows;
    const auto row = [&rows](const QString& name, const QString& value) {
        if (!value.isEmpty())
            rows += QStringLiteral("<tr><td style='padding-right:16px'>%1</td><td>%2</td></tr>")
                        .arg(name, value);
    };
    row(tr("File"), text(info->path));
    row(tr("Name"), text(info->name));
    row(tr("Format"), text(info->formatName));
    row(tr("Architecture"), text(info->architecture));
    row(tr("Weights"),
        QStringLiteral("%1 · %2").arg(text(info->quantisation), formatBytes(info->weightBytes)));
    row(tr("Parameters"), formatCount(static_cast<qint64>(info->nParameters)));
    row(tr("Layers, heads, KV heads"),
        QStringLiteral("%1, %2, %3").arg(info->nLayers).arg(info->nHeads).arg(info->nKvHeads));
    row(tr("Width, head size, FFN width"),
        QStringLiteral("%1, %2, %3").arg(info->dim).arg(info->headDim).arg(info->ffDim));
    row(tr("Vocabulary"),
        QStringLiteral("%1 · %2").arg(formatCount(info->vocab), text(info->tokenizerKind)));
    row(tr("Context"), tr("%1 of %2 trained")
                           .arg(formatCount(info->contextSize), formatCount(info->trainedContext)));
    row(tr("KV cache"), tr("%1, %2 a token, pages of %3 tokens")
                            .arg(text(info->kvType), formatBytes(info->kvBytesPerToken))
                            .arg(info->pageTokens));
    const observe::MemoryLedger& held = controller_->frame().memory;
    const auto pair = [](uint64_t planned, uint64_t actual) {
        return tr("%1 predicted · %2 now").arg(formatBytes(planned), formatBytes(actual));
    };
    row(tr("Memory of the weights"), pair(info->plannedWeightBytes, info->weightBytes));
    row(tr("Memory of the KV cache"),
        tr("%1 predicted when full · %2 now")
            .arg(formatBytes(info->plannedKvBytes), formatBytes(held.kv)));
    if (held.activations > 0)
        row(tr("Memory of activations"), pair(info->plannedActivationBytes, held.activations));
    row(tr("Machine"), QStringLiteral("%1 · %2 · %3")
                           .arg(text(info->backend), text(info->isa),
                                tr("%n thread(s)", nullptr, info->nThreads)));
    row(tr("Opened in"), formatDuration(info->loadNs));
    QMessageBox box(QMessageBox::NoIcon, tr("Model details"),
                    QStringLiteral("<table cellpadding='3'>%1</table>").arg(rows),
                    QMessageBox::Close, this);
    box.setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    box.exec();
}

void MainWindow::showAbout() {
    QMessageBox::about(this, tr("About Vitrine"),
                       tr("<h3>Vitrine %1</h3><p>A glass case for a language model at work: chat "
                          "with it, and watch tokenize, prefill, decode and "
                          "detokenize with figures measured on the run.</p><p>Free software under "
                          "the GNU General Public License, version 3 or later.</p>")
                           .arg(QApplication::applicationVersion()));
}

void MainWindow::showShortcuts() {
    std::vector<std::pair<QString, QString>> all{
        {QStringLiteral("Enter"), tr("send")},
        {QStringLiteral("Shift+Enter"), tr("new line")},
        {QStringLiteral("Esc"), tr("stop the answer, or leave editing")}};
    for (const QAction* action : actions())
        if (!action->shortcut().isEmpty())
            all.emplace_back(
                action->shortcut().toString(QKeySequence::NativeText),
                action->text().remove(QRegularExpression(QStringLiteral("\\(&\\w\\)|&"))));
    all.emplace_back(QStringLiteral("← →"), tr("previous and next token, in the conversation"));
    // Two columns, so that the list fits a small screen.
    const size_t half = (all.size() + 1) / 2;
    QString rows;
    const auto cell = [&all](size_t i) {
        if (i >= all.size()) return QString();
        return QStringLiteral(
                   "<td style='padding-right:14px'><b>%1</b></td><td "
                   "style='padding-right:28px'>%2</td>")
            .arg(all[i].first.toHtmlEscaped(), all[i].second.toHtmlEscaped());
    };
    for (size_t i = 0; i < half; ++i)
        rows += QStringLiteral("<tr>") + cell(i) + cell(i + half) + QStringLiteral("</tr>");
    QMessageBox box(QMessageBox::NoIcon, tr("Keyboard shortcuts"),
                    QStringLiteral("<table cellpadding='2'>%1</table>").arg(rows),
                    QMessageBox::Close, this);
    box.exec();
}

}  // namespace vitrine::gui
