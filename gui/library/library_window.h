#pragma once
// The model library: what was found, searched, filtered and sorted, with a pane that says what is
// in the chosen model. Opens nothing itself: asks by openRequested. Thread: GUI thread.

#include <QDialog>
#include <QTimer>

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QSplitter;
class QStackedWidget;
class QTreeView;

namespace vitrine::gui {

class ElidedLabel;
class ModelInfoPane;
class ModelLibrary;
class Settings;

class LibraryWindow : public QDialog {
    Q_OBJECT
public:
    LibraryWindow(ModelLibrary& library, Settings& settings, QWidget* parent);
    ~LibraryWindow() override;

    QTreeView* view() { return view_; }

    QLineEdit* search() { return search_; }

    ModelInfoPane* info() { return info_; }

    /// Chooses a model, now or when it is found.
    void select(const QString& path);

    QString selectedPath() const { return current_; }

signals:
    void openRequested(const QString& path);
    void catalogueRequested();
    void filesDropped(const QList<QUrl>& urls);

protected:
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool eventFilter(QObject* object, QEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    void buildTop(class QVBoxLayout* column);
    void buildList();
    void buildBottom(class QVBoxLayout* column);
    void connectAll();
    void retranslate();
    void fillStores();
    void refresh();
    void updateActions();
    void restoreCurrent();
    void onCurrentChanged(const QModelIndex& index);
    void showMenu(const QPoint& pos);
    void openCurrent();
    void reveal();
    void copyPath();
    void editFolders();
    void arrange();
    void arrangeColumns();

    ModelLibrary& library_;
    Settings& settings_;
    QString current_;
    QTimer detailsTimer_;
    QLineEdit* search_ = nullptr;
    QComboBox* stores_ = nullptr;
    QCheckBox* hidden_ = nullptr;
    QPushButton *folders_ = nullptr, *rescan_ = nullptr, *open_ = nullptr, *reveal_ = nullptr,
                *copy_ = nullptr, *addFolder_ = nullptr, *catalogue_ = nullptr;
    QSplitter* splitter_ = nullptr;
    QStackedWidget* pages_ = nullptr;
    QTreeView* view_ = nullptr;
    QLabel* empty_ = nullptr;
    QWidget* emptyButtons_ = nullptr;
    ElidedLabel* status_ = nullptr;
    ModelInfoPane* info_ = nullptr;
    bool isRestoring_ = false;     ///< between a reset of the rows and choosing the same one again
    bool isColumnsFresh_ = false;  ///< no widths of an earlier time
    int scroll_ = 0;
};

}  // namespace vitrine::gui
