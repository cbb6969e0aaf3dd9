#pragma once
// What a model file says about itself: facts, metadata, tensors, tokenizer, chat templates. Shows
// what the engine's reader hands over and reads nothing itself. Thread: GUI thread.

#include <memory>

#include <QWidget>

#include "engine/library/model_details.h"
#include "engine/library/model_entry.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QStackedWidget;
class QTabWidget;
class QTextBrowser;
class QTreeView;

namespace vitrine::gui {

class ElidedLabel;
class FactsTable;

class ModelInfoPane : public QWidget {
    Q_OBJECT
public:
    explicit ModelInfoPane(QWidget* parent = nullptr);

    /// What the list knows, until the details are there. Null: nothing is chosen.
    void showEntry(const engine::ModelEntry* entry);
    void showDetails(const std::shared_ptr<const engine::ModelDetails>& details);

    QTabWidget* tabs() { return tabs_; }

    FactsTable* metadata() { return metadata_; }

    FactsTable* tensors() { return tensors_; }

protected:
    void changeEvent(QEvent* event) override;

private:
    QWidget* buildTable(FactsTable* table, QTreeView*& view, QLineEdit*& search);
    void retranslate();
    void refill();
    void arrangeColumns();
    QString overview() const;
    QString tokenizerText() const;
    void showTemplate(int index);

    engine::ModelEntry entry_;
    bool hasEntry_ = false;
    std::shared_ptr<const engine::ModelDetails> details_;
    QStackedWidget* pages_ = nullptr;
    QLabel* nothing_ = nullptr;
    ElidedLabel *title_ = nullptr, *path_ = nullptr;
    QTabWidget* tabs_ = nullptr;
    QTextBrowser *overview_ = nullptr, *tokenizer_ = nullptr;
    FactsTable *metadata_ = nullptr, *tensors_ = nullptr;
    QTreeView *metadataView_ = nullptr, *tensorView_ = nullptr;
    QLineEdit *metadataSearch_ = nullptr, *tensorSearch_ = nullptr;
    QPlainTextEdit *value_ = nullptr, *template_ = nullptr;
    QLabel* tensorSum_ = nullptr;
    QComboBox* templates_ = nullptr;
};

}  // namespace vitrine::gui
