#include "gui/app/catalogue_dialog.h"

#include <QCheckBox>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QListWidget>
#include <QProcess>
#include <QProgressBar>
#include <QPushButton>
#include <QTimer>
#include <QVBoxLayout>

#include "gui/models/format.h"

namespace vitrine::gui {

CatalogueDialog::CatalogueDialog(QString modelsFolder, QWidget* parent)
    : QDialog(parent), modelsFolder_(std::move(modelsFolder)) {
    setWindowTitle(tr("Model catalogue"));
    resize(QSize(38, 33) * fontMetrics().height());
    auto* column = new QVBoxLayout(this);
    column->setSpacing(10);
    list_ = new QListWidget(this);
    list_->setAccessibleName(windowTitle());
    list_->setMinimumHeight(fontMetrics().height() * 9);
    column->addWidget(list_, 1);
    details_ = new QLabel(this);
    details_->setWordWrap(true);
    details_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    column->addWidget(details_);
    terms_ = new QLabel(this);
    terms_->setWordWrap(true);
    terms_->setTextFormat(Qt::RichText);
    terms_->setOpenExternalLinks(true);
    terms_->setTextInteractionFlags(Qt::TextBrowserInteraction);
    column->addWidget(terms_);
    accept_ = new QCheckBox(this);
    column->addWidget(accept_);
    progress_ = new QProgressBar(this);
    progress_->setTextVisible(false);
    progress_->hide();
    column->addWidget(progress_);
    status_ = new QLabel(this);
    status_->setWordWrap(true);
    status_->setProperty("role", "dim");
    column->addWidget(status_);
    auto* row = new QHBoxLayout;
    row->addStretch(1);
    main_ = new QPushButton(this);
    main_->setProperty("role", "primary");
    main_->setDefault(true);
    close_ = new QPushButton(tr("Close"), this);
    row->addWidget(main_);
    row->addWidget(close_);
    column->addLayout(row);
    connect(list_, &QListWidget::currentRowChanged, this, &CatalogueDialog::updateDetails);
    connect(list_, &QListWidget::itemActivated, this, &CatalogueDialog::onMain);
    connect(accept_, &QCheckBox::toggled, this, &CatalogueDialog::updateMain);
    connect(main_, &QPushButton::clicked, this, &CatalogueDialog::onMain);
    connect(close_, &QPushButton::clicked, this, &CatalogueDialog::reject);
    refill();
}

CatalogueDialog::~CatalogueDialog() {
    if (!process_) return;
    process_->disconnect(this);
    process_->terminate();
    if (!process_->waitForFinished(2000)) process_->kill();
}

const CatalogueEntry* CatalogueDialog::current() const {
    const int row = list_->currentRow();
    return row >= 0 && row < static_cast<int>(entries_.size()) ? &entries_[static_cast<size_t>(row)]
                                                               : nullptr;
}

void CatalogueDialog::refill() {
    const int row = std::max(0, list_->currentRow());
    entries_ = readCatalogue(modelsFolder_);
    for (const QString& path : otherInstalledModels(modelsFolder_)) {
        CatalogueEntry entry;
        entry.title = QFileInfo(path).completeBaseName();
        entry.installedPath = path;
        entry.bytes = QFileInfo(path).size();
        entries_.push_back(std::move(entry));
    }
    list_->clear();
    for (const CatalogueEntry& entry : entries_) {
        const QString state = entry.installedPath.isEmpty() ? tr("not here yet") : tr("installed");
        list_->addItem(
            QStringLiteral("%1\n%2 · %3")
                .arg(entry.title, formatBytes(static_cast<uint64_t>(entry.bytes)), state));
    }
    list_->setCurrentRow(std::min(row, list_->count() - 1));
    updateDetails();
}

void CatalogueDialog::updateDetails() {
    const CatalogueEntry* entry = current();
    if (!entry) return;
    const bool isHere = !entry->installedPath.isEmpty();
    QStringList parts;
    if (!entry->purpose.isEmpty()) parts << entry->purpose;
    if (!entry->languages.isEmpty())
        parts << tr("Languages: %1. Licence: %2.")
                     .arg(entry->languages.join(QStringLiteral(", ")), entry->licence);
    if (!isHere) parts << tr("From a terminal: packaging/run.sh --model %1").arg(entry->name);
    details_->setText(parts.join(QStringLiteral("\n")));
    const bool asksTerms = !isHere && !entry->termsUrl.isEmpty();
    terms_->setVisible(asksTerms);
    accept_->setVisible(asksTerms);
    if (asksTerms) {
        terms_->setText(QStringLiteral("<b>%1</b><br>%2<br><a href=\"%3\">%3</a>")
                            .arg(entry->termsTitle.toHtmlEscaped(),
                                 entry->termsText.toHtmlEscaped(),
                                 entry->termsUrl.toHtmlEscaped()));
        accept_->setText(tr("I have read and accept the terms: %1").arg(entry->termsTitle));
    }
    // Another model's terms were not accepted with these.
    if (!process_) accept_->setChecked(false);
    accept_->setEnabled(!process_);
    updateMain();
    // The texts below took room from the list.
    QTimer::singleShot(0, list_, [this] { list_->scrollToItem(list_->currentItem()); });
}

bool CatalogueDialog::canFetch(const CatalogueEntry& entry) const {
    return !fetchProgram().isEmpty() && (entry.termsUrl.isEmpty() || accept_->isChecked());
}

void CatalogueDialog::updateMain() {
    const CatalogueEntry* entry = current();
    if (!entry) return;
    const bool isHere = !entry->installedPath.isEmpty();
    main_->setText(isHere ? tr("Open") : tr("Download"));
    main_->setEnabled(!process_ && (isHere || canFetch(*entry)));
}

void CatalogueDialog::onMain() {
    const CatalogueEntry* entry = current();
    if (!entry || process_) return;
    if (entry->installedPath.isEmpty()) {
        if (canFetch(*entry))
            fetch(*entry);
        else
            accept_->setFocus(Qt::OtherFocusReason);
        return;
    }
    chosenPath_ = entry->installedPath;
    accept();
}

void CatalogueDialog::fetch(const CatalogueEntry& entry) {
    QStringList arguments{fetchProgram(), entry.name, QStringLiteral("--progress"),
                          QStringLiteral("json")};
    if (!entry.termsUrl.isEmpty() && accept_->isChecked())
        arguments << QStringLiteral("--accept-terms");
    problem_.clear();
    process_ = new QProcess(this);
    connect(process_, &QProcess::readyReadStandardOutput, this, &CatalogueDialog::readProgress);
    connect(process_, &QProcess::finished, this, &CatalogueDialog::endFetch);
    connect(process_, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error != QProcess::FailedToStart) return;
        problem_ = tr("The download program could not be started: python3 is missing.");
        endFetch();
    });
    process_->start(QStringLiteral("python3"), arguments);
    progress_->setRange(0, 0);
    progress_->show();
    status_->setText(tr("Connecting…"));
    close_->setText(tr("Cancel"));
    updateDetails();
}

void CatalogueDialog::readProgress() {
    while (process_ && process_->canReadLine()) {
        const QJsonObject o = QJsonDocument::fromJson(process_->readLine()).object();
        const QString event = o["event"].toString();
        if (event == QLatin1String("progress")) {
            const double done = o["done"].toDouble(), total = o["total"].toDouble();
            progress_->setRange(0, 1000);
            progress_->setValue(total > 0 ? static_cast<int>(done / total * 1000) : 0);
            const QString stage = o["stage"].toString();
            const QString what = stage == QLatin1String("verify") ? tr("Checking")
                                 : stage == QLatin1String("join") ? tr("Unpacking")
                                                                  : tr("Downloading");
            status_->setText(tr("%1: %2 of %3")
                                 .arg(what, formatBytes(static_cast<uint64_t>(done)),
                                      formatBytes(static_cast<uint64_t>(total))));
        } else if (event == QLatin1String("retry")) {
            status_->setText(o["message"].toString());
        } else if (event == QLatin1String("error")) {
            problem_ = o["message"].toString() + QChar(' ') + o["next"].toString();
        }
    }
}

void CatalogueDialog::endFetch() {
    if (!process_) return;
    readProgress();
    const bool isFine = process_->exitStatus() == QProcess::NormalExit &&
                        process_->exitCode() == 0 && problem_.isEmpty();
    process_->deleteLater();
    process_ = nullptr;
    progress_->hide();
    close_->setText(tr("Close"));
    status_->setText(isFine ? QString()
                     : problem_.isEmpty()
                         ? tr("The download was stopped; what is here is kept for the next try.")
                         : problem_);
    refill();
}

void CatalogueDialog::reject() {
    if (process_) {
        process_->terminate();
        return;
    }
    QDialog::reject();
}

}  // namespace vitrine::gui
