#pragma once
// The memory ledger as a table: purpose, size, exact bytes, share. Thread: GUI thread.

#include <array>

#include <QAbstractTableModel>
#include <QColor>

#include "engine/observe/frame.h"

namespace vitrine::gui {

/// What the engine allocates, in stacking order from the bottom, and the process's total.
enum class MemoryPart { Weights, Kv, Activations, Scratch, Capture, Process };
inline constexpr int kMemoryParts = 6;
inline constexpr int kStackedParts = 5;

uint64_t memoryBytes(const observe::MemoryLedger& ledger, MemoryPart part);

class MemoryModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Name, Size, Bytes, Share, Predicted, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;

    void setLedger(const observe::MemoryLedger& ledger);
    /// Bytes of each part as predicted before loading, for a full context; 0 = none was made.
    void setPredicted(const std::array<uint64_t, kStackedParts>& bytes);
    /// Colours of the parts, shown beside their names: the chart's legend.
    void setSwatches(const std::array<QColor, kMemoryParts>& colors);
    void retranslate();
    static QString partName(MemoryPart part);
    static QString shortName(MemoryPart part);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    static constexpr int kRows = kMemoryParts + 2;  ///< parts, engine total, free on this system
    uint64_t bytesOf(int row) const;
    QString nameOf(int row) const;

    observe::MemoryLedger ledger_;
    std::array<uint64_t, kStackedParts> predicted_{};
    std::array<QColor, kMemoryParts> swatches_;
};

}  // namespace vitrine::gui
