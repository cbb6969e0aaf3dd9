#include "gui/library/folders_editor.h"

#include <QCheckBox>
#include <QDialog>
#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QVBoxLayout>

#include "engine/library/model_stores.h"
#include "gui/app/settings.h"
#include "gui/models/library_model.h"

namespace vitrine::gui {

FoldersEditor::FoldersEditor(Settings& settings, QWidget* parent)
    : QWidget(parent), settings_(settings) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    list_ = new QListWidget(this);
    list_->setAccessibleName(tr("Folders with models"));
    // Four folders, and more where the dialog has the room.
    list_->setMinimumHeight(fontMetrics().height() * 7);
    list_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Ignored);
    column->addWidget(list_, 1);
    auto* row = new QHBoxLayout;
    auto* add = new QPushButton(tr("Add a folder…"), this);
    remove_ = new QPushButton(tr("Remove from the list"), this);
    row->addWidget(add);
    row->addWidget(remove_);
    row->addStretch(1);
    column->addLayout(row);
    auto* others = new QCheckBox(tr("Also the stores of Hugging Face, LM Studio and Ollama"), this);
    others->setChecked(settings_.searchesOtherStores());
    QStringList there;
    for (const engine::LibraryRoot& root : engine::knownStores())
        there << QStringLiteral("%1: %2").arg(storeName(root.store),
                                              QString::fromStdString(root.path));
    others->setToolTip(there.isEmpty() ? tr("None of them is on this machine.")
                                       : there.join(QChar('\n')));
    column->addWidget(others);
    connect(add, &QPushButton::clicked, this, &FoldersEditor::addByDialog);
    connect(remove_, &QPushButton::clicked, this, &FoldersEditor::removeCurrent);
    connect(list_, &QListWidget::currentRowChanged, this,
            [this](int current) { remove_->setEnabled(current >= 0); });
    connect(others, &QCheckBox::toggled, this, [this](bool isOn) {
        settings_.setSearchesOtherStores(isOn);
        emit changed();
    });
    refill();
}

void FoldersEditor::refill() {
    list_->clear();
    for (const QString& folder : settings_.libraryFolders())
        list_->addItem(QDir::toNativeSeparators(folder));
    remove_->setEnabled(list_->currentRow() >= 0);
}

void FoldersEditor::addByDialog() {
    const QString folder =
        QFileDialog::getExistingDirectory(this, tr("Add a folder with models"), QDir::homePath());
    if (folder.isEmpty() || !settings_.addLibraryFolder(folder)) return;
    refill();
    emit changed();
}

void FoldersEditor::removeCurrent() {
    QStringList folders = settings_.libraryFolders();
    const int row = list_->currentRow();
    if (row < 0 || row >= folders.size()) return;
    folders.removeAt(row);
    settings_.setLibraryFolders(folders);
    refill();
    emit changed();
}

bool editLibraryFolders(Settings& settings, QWidget* parent) {
    QDialog dialog(parent);
    dialog.setWindowTitle(FoldersEditor::tr("Folders with models"));
    dialog.resize(520, 300);
    auto* column = new QVBoxLayout(&dialog);
    auto* text = new QLabel(
        FoldersEditor::tr("Vitrine looks through these at any depth and leaves the files where "
                          "they are. Its own models folder is always among them."),
        &dialog);
    text->setWordWrap(true);
    text->setProperty("role", "dim");
    column->addWidget(text);
    auto* editor = new FoldersEditor(settings, &dialog);
    column->addWidget(editor, 1);
    auto* buttons = new QDialogButtonBox(&dialog);
    buttons->addButton(FoldersEditor::tr("Close"), QDialogButtonBox::RejectRole);
    QObject::connect(buttons, &QDialogButtonBox::rejected, &dialog, &QDialog::accept);
    column->addWidget(buttons);
    bool isChanged = false;
    QObject::connect(editor, &FoldersEditor::changed, &dialog, [&isChanged] { isChanged = true; });
    dialog.exec();
    return isChanged;
}

}  // namespace vitrine::gui
