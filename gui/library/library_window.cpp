#include "gui/library/library_window.h"

#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDesktopServices>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMimeData>
#include <QPushButton>
#include <QScreen>
#include <QScrollBar>
#include <QSplitter>
#include <QStackedWidget>
#include <QTreeView>
#include <QUrl>
#include <QVBoxLayout>

#include "gui/app/settings.h"
#include "gui/library/folders_editor.h"
#include "gui/library/model_info_pane.h"
#include "gui/library/model_library.h"
#include "gui/models/format.h"
#include "gui/widgets/elided_label.h"
#include "gui/widgets/theme.h"

namespace vitrine::gui {
namespace {

constexpr int kDetailsDelayMs = 150;  // running through the list by arrow keys reads nothing
constexpr int kAllStores = -1, kRecentStores = -2;

}  // namespace

LibraryWindow::LibraryWindow(ModelLibrary& library, Settings& settings, QWidget* parent)
    : QDialog(parent), library_(library), settings_(settings) {
    setObjectName(QStringLiteral("library"));
    setWindowFlags(Qt::Window);
    setAcceptDrops(true);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(12, 12, 12, 10);
    column->setSpacing(8);
    buildTop(column);
    buildList();
    column->addWidget(splitter_, 1);
    buildBottom(column);
    connectAll();
    retranslate();
    const QSize wanted = QSize(82, 44) * fontMetrics().height();
    resize(wanted.boundedTo(screen()->availableSize() * 9 / 10));
    restoreGeometry(settings_.libraryState(QStringLiteral("geometry")));
    if (!view_->header()->restoreState(settings_.libraryState(QStringLiteral("columns")))) {
        isColumnsFresh_ = true;
        view_->header()->setSortIndicator(-1, Qt::AscendingOrder);
    }
    const QHeaderView* header = view_->header();
    library_.model().sort(header->sortIndicatorSection(), header->sortIndicatorOrder());
    splitter_->restoreState(settings_.libraryState(QStringLiteral("splitter")));
    arrange();
    refresh();
}

LibraryWindow::~LibraryWindow() = default;

void LibraryWindow::buildTop(QVBoxLayout* column) {
    auto* row = new QHBoxLayout;
    search_ = new QLineEdit(this);
    search_->setClearButtonEnabled(true);
    search_->setMinimumWidth(120);
    stores_ = new QComboBox(this);
    hidden_ = new QCheckBox(this);
    folders_ = new QPushButton(this);
    rescan_ = new QPushButton(this);
    row->addWidget(search_, 1);
    row->addWidget(stores_);
    row->addWidget(hidden_);
    row->addWidget(folders_);
    row->addWidget(rescan_);
    column->addLayout(row);
}

void LibraryWindow::buildList() {
    splitter_ = new QSplitter(Qt::Horizontal, this);
    splitter_->setChildrenCollapsible(false);
    splitter_->setHandleWidth(5);
    pages_ = new QStackedWidget(splitter_);
    view_ = new QTreeView(pages_);
    view_->setModel(&library_.model());
    view_->setRootIsDecorated(false);
    view_->setUniformRowHeights(true);
    view_->setAllColumnsShowFocus(true);
    view_->setTextElideMode(Qt::ElideMiddle);
    view_->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    view_->setContextMenuPolicy(Qt::CustomContextMenu);
    view_->setDragEnabled(true);
    view_->setExpandsOnDoubleClick(false);
    view_->header()->setSortIndicatorShown(true);
    view_->header()->setSectionsClickable(true);
    view_->header()->setSortIndicatorClearable(true);
    view_->header()->setStretchLastSection(true);
    view_->setMinimumWidth(240);
    view_->setMinimumHeight(120);
    view_->installEventFilter(this);
    pages_->addWidget(view_);
    auto* none = new QWidget(pages_);
    auto* column = new QVBoxLayout(none);
    empty_ = new QLabel(none);
    empty_->setAlignment(Qt::AlignCenter);
    empty_->setWordWrap(true);
    empty_->setProperty("role", "dim");
    emptyButtons_ = new QWidget(none);
    auto* row = new QHBoxLayout(emptyButtons_);
    addFolder_ = new QPushButton(emptyButtons_);
    catalogue_ = new QPushButton(emptyButtons_);
    row->addStretch(1);
    row->addWidget(addFolder_);
    row->addWidget(catalogue_);
    row->addStretch(1);
    column->addStretch(2);
    column->addWidget(empty_);
    column->addWidget(emptyButtons_);
    column->addStretch(3);
    pages_->addWidget(none);
    info_ = new ModelInfoPane(splitter_);
    info_->setMinimumWidth(220);
    info_->setMinimumHeight(160);
    splitter_->setStretchFactor(0, 3);
    splitter_->setStretchFactor(1, 2);
}

void LibraryWindow::buildBottom(QVBoxLayout* column) {
    auto* row = new QHBoxLayout;
    status_ = new ElidedLabel(this);
    status_->setProperty("role", "dim");
    reveal_ = new QPushButton(this);
    copy_ = new QPushButton(this);
    open_ = new QPushButton(this);
    open_->setProperty("role", "primary");
    row->addWidget(status_, 1);
    row->addWidget(reveal_);
    row->addWidget(copy_);
    row->addWidget(open_);
    column->addLayout(row);
    // Enter in the list or the search opens; no button takes it by itself.
    for (QPushButton* button : findChildren<QPushButton*>()) button->setAutoDefault(false);
}

void LibraryWindow::connectAll() {
    LibraryModel& model = library_.model();
    detailsTimer_.setSingleShot(true);
    detailsTimer_.setInterval(kDetailsDelayMs);
    connect(&detailsTimer_, &QTimer::timeout, this, [this] {
        if (!current_.isEmpty()) library_.readDetails(current_);
    });
    connect(&library_, &ModelLibrary::changed, this, &LibraryWindow::refresh);
    connect(&library_, &ModelLibrary::detailsRead, info_, &ModelInfoPane::showDetails);
    connect(&model, &QAbstractItemModel::modelAboutToBeReset, this, [this] {
        if (!isRestoring_) scroll_ = view_->verticalScrollBar()->value();
        isRestoring_ = true;
    });
    // After the view's own: it was connected earlier.
    connect(&model, &QAbstractItemModel::modelReset, this, &LibraryWindow::restoreCurrent);
    connect(view_->selectionModel(), &QItemSelectionModel::currentChanged, this,
            &LibraryWindow::onCurrentChanged);
    connect(view_->header(), &QHeaderView::sortIndicatorChanged, &model, &LibraryModel::sort);
    connect(view_, &QTreeView::doubleClicked, this, &LibraryWindow::openCurrent);
    connect(view_, &QTreeView::customContextMenuRequested, this, &LibraryWindow::showMenu);
    connect(search_, &QLineEdit::textChanged, this, [this, &model](const QString& text) {
        model.setSearch(text);
        refresh();
    });
    search_->installEventFilter(this);
    connect(stores_, &QComboBox::currentIndexChanged, this, [this, &model] {
        const int store = stores_->currentData().toInt();
        model.setRecentOnly(store == kRecentStores);
        model.setStore(store >= 0 ? std::optional(static_cast<engine::ModelStore>(store))
                                  : std::nullopt);
        refresh();
    });
    connect(hidden_, &QCheckBox::toggled, this, [this, &model](bool isOn) {
        model.setHiddenShown(isOn);
        refresh();
    });
    connect(folders_, &QPushButton::clicked, this, &LibraryWindow::editFolders);
    connect(addFolder_, &QPushButton::clicked, this, &LibraryWindow::editFolders);
    connect(catalogue_, &QPushButton::clicked, this, &LibraryWindow::catalogueRequested);
    connect(rescan_, &QPushButton::clicked, &library_, &ModelLibrary::rescan);
    connect(open_, &QPushButton::clicked, this, &LibraryWindow::openCurrent);
    connect(reveal_, &QPushButton::clicked, this, &LibraryWindow::reveal);
    connect(copy_, &QPushButton::clicked, this, &LibraryWindow::copyPath);
}

void LibraryWindow::retranslate() {
    setWindowTitle(tr("Model library"));
    search_->setPlaceholderText(tr("Search names, types, architectures, folders"));
    search_->setAccessibleName(tr("Search"));
    stores_->setAccessibleName(tr("Found in"));
    folders_->setText(tr("Folders…"));
    folders_->setToolTip(tr("Choose the folders that are looked through"));
    rescan_->setText(tr("Look again"));
    rescan_->setToolTip(tr("Look through all folders again (F5)"));
    open_->setText(tr("Open"));
    reveal_->setText(tr("Show in folder"));
    copy_->setText(tr("Copy path"));
    addFolder_->setText(tr("Add a folder…"));
    catalogue_->setText(tr("Catalogue…"));
    view_->setAccessibleName(tr("Models"));
    fillStores();
    library_.model().retranslate();
    refresh();
}

void LibraryWindow::fillStores() {
    const QSignalBlocker quiet(stores_);
    const QVariant before = stores_->currentData();
    stores_->clear();
    stores_->addItem(tr("Everywhere"), kAllStores);
    stores_->addItem(tr("Recently opened"), kRecentStores);
    using engine::ModelStore;
    for (const ModelStore store : {ModelStore::Vitrine, ModelStore::Folder, ModelStore::HuggingFace,
                                   ModelStore::LmStudio, ModelStore::Ollama})
        stores_->addItem(storeName(store), static_cast<int>(store));
    const int index = stores_->findData(before);
    stores_->setCurrentIndex(std::max(0, index));
}

void LibraryWindow::refresh() {
    const LibraryModel& model = library_.model();
    const int nHidden = model.hiddenCount();
    hidden_->setText(tr("Show %n hidden", nullptr, nHidden));
    hidden_->setToolTip(
        tr("Image parts, adapters, vocabularies, importance matrices, unfinished downloads and "
           "later parts of split models"));
    hidden_->setVisible(nHidden > 0);
    const bool isEmpty = model.rowCount() == 0;
    pages_->setCurrentIndex(isEmpty ? 1 : 0);
    if (isEmpty) {
        const bool hasAny = model.modelCount() > 0;
        empty_->setText(library_.isScanning() ? tr("Looking for models…")
                        : hasAny              ? tr("No model matches the search.")
                                 : tr("No models were found. Add the folder where yours are, drop "
                                      "one here, or take one from the catalogue."));
        emptyButtons_->setVisible(!hasAny && !library_.isScanning());
    }
    QString status = tr("%n model(s)", nullptr, model.modelCount());
    if (model.rowCount() != model.modelCount())
        status += QStringLiteral(" · ") + tr("%n shown", nullptr, model.rowCount());
    status +=
        QStringLiteral(" · ") + tr("%n folder(s)", nullptr, static_cast<int>(library_.nFolders()));
    if (library_.isScanning()) status += QStringLiteral(" · ") + tr("looking…");
    const QStringList& problems = library_.problems();
    if (!problems.isEmpty())
        status += QStringLiteral(" · ") +
                  tr("%n could not be looked through", nullptr, static_cast<int>(problems.size()));
    status_->setText(status);
    status_->setToolTip(problems.mid(0, 20).join(QChar('\n')));
    rescan_->setEnabled(!library_.isScanning());
    updateActions();
}

void LibraryWindow::updateActions() {
    const engine::ModelEntry* entry = library_.model().find(current_);
    const bool isShown = entry != nullptr && library_.model().rowOf(current_) >= 0;
    for (QPushButton* button : {reveal_, copy_}) button->setEnabled(isShown);
    // What the header says may be wrong: the engine has the last word on anything that is a model.
    open_->setEnabled(isShown && entry->kind == engine::ModelKind::Model);
}

/// After a reset the view has forgotten the row; the path is still chosen.
void LibraryWindow::restoreCurrent() {
    if (!isRestoring_) return;
    LibraryModel& model = library_.model();
    const int row = model.rowOf(current_);
    if (row >= 0) view_->setCurrentIndex(model.index(row, 0));
    view_->verticalScrollBar()->setValue(scroll_);
    isRestoring_ = false;
    info_->showEntry(row >= 0 ? model.entry(row) : nullptr);
    updateActions();
}

void LibraryWindow::onCurrentChanged(const QModelIndex& index) {
    if (isRestoring_ || !index.isValid()) return;
    select(index.data(LibraryModel::PathRole).toString());
}

void LibraryWindow::select(const QString& path) {
    const bool isNew = path != current_;
    current_ = path;
    const LibraryModel& model = library_.model();
    const int row = model.rowOf(path);
    if (row >= 0 && view_->currentIndex().row() != row) view_->setCurrentIndex(model.index(row, 0));
    info_->showEntry(model.find(path));
    if (isNew) detailsTimer_.start();
    updateActions();
}

void LibraryWindow::showMenu(const QPoint& pos) {
    if (!view_->indexAt(pos).isValid()) return;
    QMenu menu(this);
    menu.addAction(open_->text(), this, &LibraryWindow::openCurrent)
        ->setEnabled(open_->isEnabled());
    menu.addAction(reveal_->text(), this, &LibraryWindow::reveal);
    menu.addAction(copy_->text(), this, &LibraryWindow::copyPath);
    menu.exec(view_->viewport()->mapToGlobal(pos));
}

void LibraryWindow::openCurrent() {
    if (!open_->isEnabled()) return;
    const QString path = current_;
    hide();
    emit openRequested(path);
}

void LibraryWindow::reveal() {
    if (current_.isEmpty()) return;
    const QFileInfo info(current_);
    QDesktopServices::openUrl(QUrl::fromLocalFile(info.absolutePath()));
}

void LibraryWindow::copyPath() {
    if (!current_.isEmpty()) QApplication::clipboard()->setText(current_);
}

void LibraryWindow::editFolders() {
    if (editLibraryFolders(settings_, this)) library_.rescan();
}

/// What the other columns leave is the name's, but never less than a name needs.
void LibraryWindow::arrangeColumns() {
    const int unit = fontMetrics().averageCharWidth();
    const int widths[] = {0, 10, 10, 12, 11, 10, 13};
    int rest = view_->viewport()->width();
    for (int i = LibraryModel::Size; i < LibraryModel::ColumnCount; ++i) {
        view_->setColumnWidth(i, unit * widths[i]);
        rest -= unit * widths[i];
    }
    view_->setColumnWidth(LibraryModel::Name, std::max(rest, unit * 26));
}

/// Side by side where there is room, else one above the other.
void LibraryWindow::arrange() {
    const bool isNarrow = width() < fontMetrics().height() * 52;
    splitter_->setOrientation(isNarrow ? Qt::Vertical : Qt::Horizontal);
}

void LibraryWindow::resizeEvent(QResizeEvent* event) {
    QDialog::resizeEvent(event);
    arrange();
}

void LibraryWindow::changeEvent(QEvent* event) {
    QDialog::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) retranslate();
}

void LibraryWindow::showEvent(QShowEvent* event) {
    QDialog::showEvent(event);
    if (isColumnsFresh_) QTimer::singleShot(0, this, &LibraryWindow::arrangeColumns);
    isColumnsFresh_ = false;
    library_.model().setRecent(settings_.recentModels());
    library_.start();
    search_->setFocus(Qt::OtherFocusReason);
}

void LibraryWindow::hideEvent(QHideEvent* event) {
    settings_.setLibraryState(QStringLiteral("geometry"), saveGeometry());
    settings_.setLibraryState(QStringLiteral("columns"), view_->header()->saveState());
    settings_.setLibraryState(QStringLiteral("splitter"), splitter_->saveState());
    QDialog::hideEvent(event);
}

void LibraryWindow::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::Find)) {
        search_->setFocus(Qt::ShortcutFocusReason);
        search_->selectAll();
    } else if (event->key() == Qt::Key_F5) {
        library_.rescan();
    } else {
        QDialog::keyPressEvent(event);
    }
}

/// Enter opens; the arrow keys lead from the search into the list.
bool LibraryWindow::eventFilter(QObject* object, QEvent* event) {
    if (event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        const bool isEnter = key == Qt::Key_Return || key == Qt::Key_Enter;
        if (object == view_ && isEnter) {
            openCurrent();
            return true;
        }
        if (object == search_ && (isEnter || key == Qt::Key_Down || key == Qt::Key_PageDown)) {
            const LibraryModel& model = library_.model();
            if (model.rowCount() == 0) return true;
            if (model.rowOf(current_) < 0) view_->setCurrentIndex(model.index(0, 0));
            view_->setFocus(Qt::OtherFocusReason);
            return true;
        }
    }
    return QDialog::eventFilter(object, event);
}

void LibraryWindow::dragEnterEvent(QDragEnterEvent* event) {
    if (event->source() == nullptr && event->mimeData()->hasUrls()) event->acceptProposedAction();
}

void LibraryWindow::dropEvent(QDropEvent* event) {
    event->acceptProposedAction();
    emit filesDropped(event->mimeData()->urls());
}

}  // namespace vitrine::gui
