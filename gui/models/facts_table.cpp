#include "gui/models/facts_table.h"

#include <algorithm>

namespace vitrine::gui {

void FactsTable::setTitles(const QStringList& titles) {
    if (titles.size() == titles_.size()) {
        titles_ = titles;
        emit headerDataChanged(Qt::Horizontal, 0, static_cast<int>(titles.size()) - 1);
        return;
    }
    beginResetModel();
    titles_ = titles;
    endResetModel();
}

void FactsTable::setRows(std::vector<Row> rows) {
    beginResetModel();
    rows_ = std::move(rows);
    refill();
    endResetModel();
}

void FactsTable::setSearch(const QString& text) {
    beginResetModel();
    words_ = text.split(QChar(' '), Qt::SkipEmptyParts);
    refill();
    endResetModel();
}

void FactsTable::sort(int column, Qt::SortOrder order) {
    beginResetModel();
    sortColumn_ = column;
    order_ = order;
    refill();
    endResetModel();
}

void FactsTable::refill() {
    shown_.clear();
    for (size_t i = 0; i < rows_.size(); ++i) {
        const bool isFound = std::all_of(words_.begin(), words_.end(), [&](const QString& word) {
            return std::any_of(
                rows_[i].cells.begin(), rows_[i].cells.end(),
                [&](const QString& cell) { return cell.contains(word, Qt::CaseInsensitive); });
        });
        if (isFound) shown_.push_back(static_cast<uint32_t>(i));
    }
    if (sortColumn_ < 0 || sortColumn_ >= titles_.size()) return;
    std::stable_sort(shown_.begin(), shown_.end(), [this](uint32_t left, uint32_t right) {
        const Row& a = rows_[order_ == Qt::AscendingOrder ? left : right];
        const Row& b = rows_[order_ == Qt::AscendingOrder ? right : left];
        if (sortColumn_ == numericColumn_) return a.number < b.number;
        return a.cells.value(sortColumn_) < b.cells.value(sortColumn_);
    });
}

QString FactsTable::whole(int row) const {
    if (row < 0 || static_cast<size_t>(row) >= shown_.size()) return {};
    return rows_[shown_[static_cast<size_t>(row)]].whole;
}

int FactsTable::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(shown_.size());
}

int FactsTable::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(titles_.size());
}

QVariant FactsTable::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || static_cast<size_t>(index.row()) >= shown_.size()) return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(
            Qt::AlignVCenter | (index.column() == numericColumn_ ? Qt::AlignRight : Qt::AlignLeft));
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole) return {};
    return rows_[shown_[static_cast<size_t>(index.row())]].cells.value(index.column());
}

QVariant FactsTable::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(Qt::AlignVCenter |
                                   (section == numericColumn_ ? Qt::AlignRight : Qt::AlignLeft));
    return role == Qt::DisplayRole ? QVariant(titles_.value(section)) : QVariant();
}

}  // namespace vitrine::gui
