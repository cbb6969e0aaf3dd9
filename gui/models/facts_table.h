#pragma once
// A table of texts that can be searched and sorted: metadata keys, tensors. Thread: GUI thread.

#include <vector>

#include <QAbstractTableModel>
#include <QStringList>

namespace vitrine::gui {

class FactsTable : public QAbstractTableModel {
    Q_OBJECT
public:
    struct Row {
        QStringList cells;
        qint64 number = 0;  ///< what the numeric column is sorted by
        QString whole;      ///< the value at full length, for the reader below the table
    };

    /// numericColumn is aligned right and sorted by Row::number; −1 = none.
    explicit FactsTable(int numericColumn = -1, QObject* parent = nullptr)
        : QAbstractTableModel(parent), numericColumn_(numericColumn) {}

    void setTitles(const QStringList& titles);
    void setRows(std::vector<Row> rows);
    void setSearch(const QString& text);

    int totalCount() const { return static_cast<int>(rows_.size()); }

    /// The full value of a shown row; empty outside.
    QString whole(int row) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    void sort(int column, Qt::SortOrder order) override;

private:
    void refill();

    int numericColumn_;
    QStringList titles_;
    std::vector<Row> rows_;
    std::vector<uint32_t> shown_;
    QStringList words_;
    int sortColumn_ = -1;  ///< −1 = as in the file
    Qt::SortOrder order_ = Qt::AscendingOrder;
};

}  // namespace vitrine::gui
