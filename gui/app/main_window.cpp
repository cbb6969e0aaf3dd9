#include "gui/app/main_window.h"

#include <algorithm>

#include <QApplication>
#include <QCloseEvent>
#include <QFileInfo>
#include <QMenuBar>
#include <QMimeData>
#include <QTimer>
#include <QToolBar>

#include "gui/app/catalogue.h"
#include "gui/app/chat_list.h"
#include "gui/app/chat_pane.h"
#include "gui/app/language.h"
#include "gui/app/top_bar.h"
#include "gui/app/view_dock.h"
#include "gui/library/library_window.h"
#include "gui/library/model_library.h"
#include "gui/models/engine_text.h"
#include "gui/models/format.h"
#include "gui/models/model_name.h"
#include "gui/planner/planner_window.h"
#include "gui/widgets/composer.h"
#include "gui/widgets/sampling_form.h"
#include "gui/widgets/theme.h"
#include "gui/widgets/transcript_view.h"

namespace vitrine::gui {

MainWindow::MainWindow(const Setup& setup, QWidget* parent) : QMainWindow(parent), setup_(setup) {
    setObjectName(QStringLiteral("vitrine"));
    setAcceptDrops(true);
    setDockNestingEnabled(true);
    setDockOptions(AllowNestedDocks | AllowTabbedDocks | AnimatedDocks);
    setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
    setCorner(Qt::BottomLeftCorner, Qt::BottomDockWidgetArea);
    setCorner(Qt::BottomRightCorner, Qt::BottomDockWidgetArea);
    setDocumentMode(true);

    controller_ = std::make_unique<SessionController>(setup.makeLink);
    store_ = std::make_unique<ChatStore>(setup.chatsFolder);
    session_ = std::make_unique<ChatSession>(*controller_, *store_);
    session_->setDefaults(settings_.systemPrompt(), settings_.sampling());

    auto* bar = new QToolBar(this);
    bar->setObjectName(QStringLiteral("top"));
    bar->setMovable(false);
    bar->setContextMenuPolicy(Qt::PreventContextMenu);
    top_ = new TopBar(bar);
    bar->addWidget(top_);
    bar->toggleViewAction()->setVisible(false);
    addToolBar(Qt::TopToolBarArea, bar);
    chat_ = new ChatPane(*session_, *controller_, selection_, this);
    setCentralWidget(chat_);
    chat_->transcript().setTokensShown(settings_.tokensShown());

    buildDocks();
    buildMenus();
    connectModel();
    connectChat();
    retranslate();
    applyTargets();
    resize(1440, 900);
    if (setup.restoresLayout && !settings_.layout().isEmpty()) {
        restoreGeometry(settings_.geometry());
        isArranging_ = true;
        arrangeDefault();
        isArranged_ = isLayoutOwn_ = restoreState(settings_.layout());
        isArranging_ = false;
    }
    updateTaps();
    store_->list();
    chat_->focusComposer();
}

MainWindow::~MainWindow() {
    // Views first: they may hold the attention source.
    for (ViewDock* dock : docks_) delete dock;
    docks_.clear();
    delete libraryWindow_;
    delete planner_;
    delete chat_;
    chat_ = nullptr;
    controller_->disconnect();
    session_.reset();
    controller_.reset();
    store_.reset();
}

void MainWindow::buildDocks() {
    const ViewContext context{&selection_, controller_->attention()};
    for (const ViewSpec* spec : viewSpecs()) {
        auto* dock = new ViewDock(*spec, context, this);
        addDockWidget(Qt::RightDockWidgetArea, dock);
        // Tabs until they are arranged: a column of all views would force a tall window.
        if (!docks_.empty()) tabifyDockWidget(docks_.back(), dock);
        docks_.push_back(dock);
        connect(dock, &ViewDock::seenChanged, this, &MainWindow::updateTaps);
        const auto markOwn = [this] {
            if (!isArranging_ && isVisible()) isLayoutOwn_ = true;
            refreshTitles();
        };
        connect(dock, &QDockWidget::topLevelChanged, this, markOwn);
        connect(dock, &QDockWidget::dockLocationChanged, this, markOwn);
    }
}

void MainWindow::refreshTitles() {
    // Later: which docks are tabs of each other is known only when the layout is done.
    QTimer::singleShot(0, this, [this] {
        for (ViewDock* d : docks_) d->refreshTitle();
    });
}

ViewDock* MainWindow::dock(const QString& id) const {
    for (ViewDock* dock : docks_)
        if (id == QLatin1String(dock->spec().id)) return dock;
    return nullptr;
}

bool MainWindow::isCompact() const {
    return width() < fontMetrics().height() * 64;
}

void MainWindow::arrangeDefault() {
    isArranging_ = true;
    for (ViewDock* dock : docks_) {
        dock->setFloating(false);
        removeDockWidget(dock);
    }
    isArrangedCompact_ = isCompact();
    if (isArrangedCompact_)
        arrangeCompact();
    else
        arrangeLarge();
    if (ViewDock* timeline = dock(QStringLiteral("timeline"))) {
        addDockWidget(Qt::BottomDockWidgetArea, timeline);
        timeline->show();
        resizeDocks({timeline}, {std::max(130, fontMetrics().height() * 9)}, Qt::Vertical);
    }
    isArranged_ = true;
    isArranging_ = false;
    refreshTitles();
}

void MainWindow::arrangeLarge() {
    // As drawn in the design: attention on top with the others as its tabs, three cards below.
    const QStringList below{QStringLiteral("kv_cache"), QStringLiteral("latency"),
                            QStringLiteral("next_token")};
    std::vector<ViewDock*> tabs, row;
    for (ViewDock* d : docks_) {
        const QString id = QLatin1String(d->spec().id);
        if (id != QLatin1String("timeline")) (below.contains(id) ? row : tabs).push_back(d);
    }
    ViewDock* const first = tabs.empty() ? nullptr : tabs.front();
    if (first) addDockWidget(Qt::RightDockWidgetArea, first);
    QList<QDockWidget*> widths;
    for (ViewDock* d : row) {
        if (!widths.isEmpty())
            splitDockWidget(widths.back(), d, Qt::Horizontal);
        else if (first)
            splitDockWidget(first, d, Qt::Vertical);
        else
            addDockWidget(Qt::RightDockWidgetArea, d);
        widths.append(d);
    }
    // Tabs last: a dock that is split off a tabbed one becomes a tab itself.
    for (size_t i = 1; i < tabs.size(); ++i) tabifyDockWidget(tabs[i - 1], tabs[i]);
    for (ViewDock* d : docks_) d->show();
    if (!first && widths.isEmpty()) return;
    if (first) first->raise();
    const int views = width() * 66 / 100;
    resizeDocks({first ? first : row.front()}, {views}, Qt::Horizontal);
    if (widths.size() == 3)
        resizeDocks(widths, {views * 36 / 100, views * 35 / 100, views * 29 / 100}, Qt::Horizontal);
    if (first && !widths.isEmpty()) {
        const int rest = std::max(300, height() - 330);
        resizeDocks({first, widths.front()}, {rest * 66 / 100, rest * 34 / 100}, Qt::Vertical);
    }
}

void MainWindow::arrangeCompact() {
    ViewDock* first = nullptr;
    for (ViewDock* d : docks_) {
        if (QLatin1String(d->spec().id) == QLatin1String("timeline")) continue;
        if (!first) {
            addDockWidget(Qt::RightDockWidgetArea, d);
            first = d;
        } else {
            tabifyDockWidget(first, d);
        }
        d->show();
    }
    if (!first) return;
    first->raise();
    resizeDocks({first}, {width() * 58 / 100}, Qt::Horizontal);
}

void MainWindow::resetLayout() {
    arrangeDefault();
    isLayoutOwn_ = false;
}

void MainWindow::showEvent(QShowEvent* event) {
    QMainWindow::showEvent(event);
    if (!isArranged_) arrangeDefault();
}

void MainWindow::resizeEvent(QResizeEvent* event) {
    QMainWindow::resizeEvent(event);
    if (isArranged_ && !isLayoutOwn_ && isCompact() != isArrangedCompact_)
        QTimer::singleShot(0, this, [this] {
            if (!isLayoutOwn_ && isCompact() != isArrangedCompact_) arrangeDefault();
        });
}

bool MainWindow::showView(const QString& id) {
    ViewDock* wanted = dock(id);
    if (!wanted) return false;
    wanted->show();
    wanted->raise();
    return true;
}

void MainWindow::updateTaps() {
    // The window itself needs frames: progress, context gauge.
    observe::TapSet taps{.opTimes = false, .frames = true, .qStore = false, .liveLayer = -1};
    for (const ViewDock* d : docks_) {
        if (!d->isSeen()) continue;
        const observe::TapSet& wanted = d->spec().taps;
        taps.opTimes |= wanted.opTimes;
        taps.frames |= wanted.frames;
        taps.qStore |= wanted.qStore;
        taps.liveLayer = std::max(taps.liveLayer, wanted.liveLayer);
    }
    controller_->setTaps(taps);
}

void MainWindow::onSnapshot(const SnapshotPtr& snapshot) {
    top_->showSnapshot(snapshot);
    for (ViewDock* d : docks_) d->setSnapshot(snapshot);
}

void MainWindow::connectModel() {
    connect(controller_.get(), &SessionController::snapshotReady, this, &MainWindow::onSnapshot);
    connect(controller_.get(), &SessionController::stateChanged, this, &MainWindow::updateActions);
    connect(controller_.get(), &SessionController::loadFailed, this, &MainWindow::onLoadFailed);
    connect(controller_.get(), &SessionController::loadProgressed, this,
            [this](quint64 done, quint64 total) {
                NoticeBar* bar = chat_->notices().find(QStringLiteral("load"));
                if (!bar) return;
                bar->setProgress(total > 0 ? static_cast<double>(done) / static_cast<double>(total)
                                           : -1);
                bar->setText(tr("Opening %1 · %2 of %3")
                                 .arg(modelName(controller_->loadingPath()), formatBytes(done),
                                      formatBytes(total)));
            });
    connect(controller_.get(), &SessionController::modelLoaded, this, [this] {
        chat_->notices().dismiss(QStringLiteral("load"));
        chat_->notices().dismiss(QStringLiteral("model"));
        chat_->notices().dismiss(QStringLiteral("crash"));
        top_->setLoading({});
        const auto info = controller_->model();
        settings_.addRecentModel(QString::fromStdString(info->path));
        setWindowTitle(modelTitle(*info) + QStringLiteral(" – Vitrine"));
        markLoaded();
        if (!info->contextReason.empty())
            chat_->notices().show(
                QStringLiteral("contextReason"), NoticeKind::Info,
                tr("The context holds %1 tokens: %2.")
                    .arg(formatCount(info->contextSize), engineText(info->contextReason)));
        updateActions();
    });
    connect(controller_.get(), &SessionController::modelUnloaded, this, [this] {
        setWindowTitle(QStringLiteral("Vitrine"));
        markLoaded();
        updateActions();
    });
    connect(controller_.get(), &SessionController::noticeRaised, this, [this](const QString& text) {
        chat_->notices().show(QStringLiteral("engine"), NoticeKind::Info, engineText(text));
    });
    connect(controller_.get(), &SessionController::replayFinished, this,
            [this](const QString& problem) {
                if (!problem.isEmpty())
                    chat_->notices().show(QStringLiteral("replay"), NoticeKind::Warning,
                                          engineText(problem));
            });
}

void MainWindow::connectChat() {
    connect(store_.get(), &ChatStore::listed, this, [this](const QVector<ChatSummary>& chats) {
        chat_->list().setChats(chats);
        // The chat of last time, once, unless one was begun meanwhile.
        if (isChatOpened_ || !setup_.restoresLayout) return;
        isChatOpened_ = true;
        const QString last = settings_.lastChat();
        const bool isThere = std::any_of(chats.begin(), chats.end(),
                                         [&](const ChatSummary& c) { return c.id == last; });
        if (isThere && session_->chat().turns.empty()) session_->openChat(last);
    });
    connect(store_.get(), &ChatStore::damagedFound, this,
            [this](const QStringList& files, const QString& folder) {
                chat_->notices().show(QStringLiteral("damaged"), NoticeKind::Warning,
                                      tr("%n chat file(s) could not be read and are kept in %1: %2",
                                         nullptr, static_cast<int>(files.size()))
                                          .arg(folder, files.mid(0, 3).join(QStringLiteral(", "))));
            });
    connect(store_.get(), &ChatStore::saveFailed, this, [this](const QString&, const QString& why) {
        chat_->notices().show(QStringLiteral("save"), NoticeKind::Error,
                              tr("The chat could not be saved (%1). It is kept in memory: free "
                                 "some disk space, and it is saved with the next change.")
                                  .arg(why));
    });
    connect(store_.get(), &ChatStore::saved, this,
            [this] { chat_->notices().dismiss(QStringLiteral("save")); });
    connect(session_.get(), &ChatSession::busyChanged, this, &MainWindow::updateActions);
    // Now, not at the end: the end may be a kill.
    connect(session_.get(), &ChatSession::summaryChanged, this,
            [this] { settings_.setLastChat(session_->chat().id); });
    connect(session_.get(), &ChatSession::chatChanged, this, &MainWindow::updateActions);
    connect(chat_, &ChatPane::openModelRequested, this, &MainWindow::openFileDialog);
    connect(chat_, &ChatPane::catalogueRequested, this, &MainWindow::openCatalogue);
    connect(chat_, &ChatPane::libraryRequested, this, &MainWindow::showLibrary);
    connect(chat_, &ChatPane::draftTokensChanged, top_, &TopBar::setDraftTokens);
    connect(chat_, &ChatPane::filesDropped, this, &MainWindow::openDropped);
    connect(chat_, &ChatPane::defaultsRequested, this, [this] {
        settings_.setSystemPrompt(session_->chat().systemPrompt);
        settings_.setSampling(chat_->form().settings());
        session_->setDefaults(settings_.systemPrompt(), settings_.sampling());
        chat_->notices().show(QStringLiteral("defaults"), NoticeKind::Info,
                              tr("New chats begin with this system prompt and sampling."), {}, true,
                              5000);
    });
    connect(top_, &TopBar::languageClicked, this, [this] {
        setLanguage(currentLanguage() == QLatin1String("en") ? QStringLiteral("zh_CN")
                                                             : QStringLiteral("en"));
    });
    connect(top_, &TopBar::themeClicked, this, [this] {
        setTheme(Theme::current().isDark ? QStringLiteral("light") : QStringLiteral("dark"));
    });
    connect(top_, &TopBar::settingsClicked, this, &MainWindow::openSettings);
    connect(top_, &TopBar::machineClicked, this, &MainWindow::showMachine);
    connect(top_, &TopBar::contextClicked, this, [this] { showView(QStringLiteral("kv_cache")); });
}

void MainWindow::onLoadFailed(const QString& path, const QString& message, bool isCancelled) {
    chat_->notices().dismiss(QStringLiteral("load"));
    top_->setLoading({});
    if (isCancelled) return;
    lastProblem_ = engineText(message);
    settings_.forgetRecentModel(path);
    std::vector<NoticeAction> actions{{tr("Open another…"), [this] { openFileDialog(); }},
                                      {tr("Catalogue…"), [this] { openCatalogue(); }}};
    // The estimate is advice: what does not fit by it can be loaded anyway.
    if (isLarge(path))
        actions.insert(actions.begin(), {tr("Load with options…"), [this, path] {
                                             chat_->notices().dismiss(QStringLiteral("model"));
                                             openWithOptions(path);
                                         }});
    chat_->notices().show(QStringLiteral("model"), NoticeKind::Error,
                          tr("%1 could not be opened. %2").arg(modelName(path), lastProblem_),
                          actions);
}

void MainWindow::begin(const QString& modelArgument, bool lastEndWasClean) {
    if (!modelArgument.isEmpty()) {
        openModel(modelArgument);
        return;
    }
    QString candidate;
    for (const QString& path : settings_.recentModels())
        if (candidate.isEmpty() && QFileInfo::exists(path)) candidate = path;
    if (candidate.isEmpty())
        for (const CatalogueEntry& entry : readCatalogue(setup_.modelsFolder))
            if (candidate.isEmpty() && !entry.installedPath.isEmpty())
                candidate = entry.installedPath;
    if (candidate.isEmpty() || !settings_.loadsLastModel()) return;
    if (lastEndWasClean) {
        openModel(candidate);
        return;
    }
    chat_->notices().show(
        QStringLiteral("crash"), NoticeKind::Warning,
        tr("Vitrine did not end cleanly last time, so no model was opened by itself. Your chats "
           "are here."),
        {{tr("Open %1").arg(modelName(candidate)), [this, candidate] {
              chat_->notices().dismiss(QStringLiteral("crash"));
              openModel(candidate);
          }}});
}

void MainWindow::bringToFront() {
    if (isMinimized()) showNormal();
    show();
    raise();
    activateWindow();
}

void MainWindow::closeEvent(QCloseEvent* event) {
    session_->stop();
    if (setup_.restoresLayout) {
        settings_.setLayout(saveGeometry(), isLayoutOwn_ ? saveState() : QByteArray());
        settings_.setLastChat(session_->chat().id);
    }
    settings_.sync();
    store_->flush();
    QMainWindow::closeEvent(event);
    QApplication::quit();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    if (event->mimeData()->hasUrls() && event->mimeData()->urls().first().isLocalFile())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
    event->acceptProposedAction();
    openDropped(event->mimeData()->urls());
}

void MainWindow::setLanguage(const QString& language) {
    settings_.setLanguage(language);
    applyLanguage(language);
}

void MainWindow::setTheme(const QString& theme) {
    settings_.setTheme(theme);
    Theme::apply(theme);
}

void MainWindow::changeFontSize(double delta) {
    const double size = delta == 0 ? 10.0 : Theme::basePointSize() + delta;
    Theme::setBasePointSize(size);
    settings_.setFontSize(Theme::basePointSize());
    Theme::apply(Theme::current().id);
}

void MainWindow::applyTargets() {
    top_->setTargets(settings_.ttftTargetMs(), settings_.tpotTargetMs());
}

}  // namespace vitrine::gui
