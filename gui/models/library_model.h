#pragma once
// The models that were found, as a table that searches, filters and sorts itself: ten thousand rows
// stay quick because every key is made once, when a row arrives. Thread: GUI thread.

#include <optional>
#include <vector>

#include <QAbstractTableModel>
#include <QSet>
#include <QStringList>

#include "engine/library/model_entry.h"

namespace vitrine::gui {

class LibraryModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column {
        Name,
        Size,
        Quantisation,
        Architecture,
        Parameters,
        Context,
        Source,
        ColumnCount
    };

    enum Role {
        PathRole = Qt::UserRole,  ///< QString
        SupportedRole,            ///< bool
        HiddenRole,               ///< bool: no model, shown on request
    };

    using QAbstractTableModel::QAbstractTableModel;

    /// Adds entries, or replaces those of the same path; shown with the next refresh().
    void put(std::vector<engine::ModelEntry> entries);
    /// Drops all but these; shown with the next refresh().
    void keepOnly(const QSet<QString>& paths);
    /// Filters and sorts anew. Resets the model when anything changed.
    void refresh();

    void setSearch(const QString& text);  ///< words, all of which must occur
    void setStore(std::optional<engine::ModelStore> store);
    void setRecentOnly(bool isOnly);
    void setHiddenShown(bool isShown);
    void setRecent(const QStringList& paths);  ///< newest first; on top until a column is chosen
    void setLoaded(const QString& path);       ///< the model that is open, marked

    int modelCount() const { return nModels_; }  ///< without the hidden ones

    int hiddenCount() const { return static_cast<int>(rows_.size()) - nModels_; }

    /// Null outside the shown rows.
    const engine::ModelEntry* entry(int row) const;
    const engine::ModelEntry* find(const QString& path) const;
    int rowOf(const QString& path) const;  ///< −1 = not shown
    void retranslate();

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    /// column −1: recent ones first, then those that can run, then by name.
    void sort(int column, Qt::SortOrder order) override;
    QMimeData* mimeData(const QModelIndexList& indexes) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;

private:
    struct Row {
        engine::ModelEntry entry;
        QString path, name;
        QString text;      ///< everything that the search looks at, lower case
        QString nameKey;   ///< sorts as people count: 2 before 10
        int nameRank = 0;  ///< place among all rows by name
        int recentRank = 0;
    };

    bool isShown(const Row& row) const;
    int compare(const Row& a, const Row& b) const;
    void rankNames();
    int recentRank(const QString& path) const;
    QString display(const Row& row, int column) const;
    QString toolTip(const Row& row) const;
    const Row* rowAt(int row) const;

    std::vector<Row> rows_;
    QHash<QString, size_t> byPath_;
    std::vector<uint32_t> byName_;  ///< the rows that are ranked, in order
    std::vector<uint32_t> shown_;
    int nModels_ = 0;
    QStringList words_;
    std::optional<engine::ModelStore> store_;
    bool isHiddenShown_ = false, isRecentOnly_ = false, isDirty_ = false;
    QHash<QString, int> recent_;
    QString loaded_;
    int sortColumn_ = -1;
    Qt::SortOrder sortOrder_ = Qt::AscendingOrder;
};

/// "135 M", "7.62 B". Never fails.
QString formatParameters(uint64_t count);
/// Translated: "Hugging Face", "folder".
QString storeName(engine::ModelStore store);
/// Translated, why the file is no model: "image part (mmproj)". Empty for a model.
QString kindName(engine::ModelKind kind);

}  // namespace vitrine::gui
