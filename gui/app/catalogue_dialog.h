#pragma once
// The catalogue: models that Vitrine knows by name, which are here, and getting the others (by the
// program that packaging/run.sh uses, in a process of its own). Thread: GUI thread.

#include <QDialog>

#include "gui/app/catalogue.h"

class QCheckBox;
class QLabel;
class QListWidget;
class QProcess;
class QProgressBar;
class QPushButton;

namespace vitrine::gui {

class CatalogueDialog : public QDialog {
    Q_OBJECT
public:
    CatalogueDialog(QString modelsFolder, QWidget* parent);
    ~CatalogueDialog() override;

    const QString& chosenPath() const { return chosenPath_; }

    void reject() override;

private:
    void refill();
    void updateDetails();
    void onMain();
    void fetch(const CatalogueEntry& entry);
    bool canFetch(const CatalogueEntry& entry) const;
    void updateMain();
    void readProgress();
    void endFetch();
    const CatalogueEntry* current() const;

    QString modelsFolder_, chosenPath_, problem_;
    std::vector<CatalogueEntry> entries_;
    QListWidget* list_ = nullptr;
    QLabel *details_ = nullptr, *status_ = nullptr, *terms_ = nullptr;
    QCheckBox* accept_ = nullptr;  ///< of the terms of the chosen model; never checked by itself
    QProgressBar* progress_ = nullptr;
    QPushButton *main_ = nullptr, *close_ = nullptr;
    QProcess* process_ = nullptr;
};

}  // namespace vitrine::gui
