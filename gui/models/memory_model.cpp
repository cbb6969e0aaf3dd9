#include "gui/models/memory_model.h"

#include "gui/models/format.h"

namespace vitrine::gui {
namespace {

// Rows: the five stacked parts, their sum, the process, what the system still has.
constexpr int kTotalRow = kStackedParts;
constexpr int kProcessRow = kStackedParts + 1;
constexpr int kAvailableRow = kStackedParts + 2;

uint64_t engineTotal(const observe::MemoryLedger& ledger) {
    uint64_t sum = 0;
    for (int i = 0; i < kStackedParts; ++i) sum += memoryBytes(ledger, static_cast<MemoryPart>(i));
    return sum;
}

}  // namespace

uint64_t memoryBytes(const observe::MemoryLedger& ledger, MemoryPart part) {
    switch (part) {
        case MemoryPart::Weights: return ledger.weights;
        case MemoryPart::Kv: return ledger.kv;
        case MemoryPart::Activations: return ledger.activations;
        case MemoryPart::Scratch: return ledger.scratch;
        case MemoryPart::Capture: return ledger.capture;
        case MemoryPart::Process: return ledger.rss;
    }
    return 0;
}

QString MemoryModel::partName(MemoryPart part) {
    switch (part) {
        case MemoryPart::Weights: return tr("Weights");
        case MemoryPart::Kv: return tr("KV cache");
        case MemoryPart::Activations: return tr("Activations");
        case MemoryPart::Scratch: return tr("Scratch");
        case MemoryPart::Capture: return tr("Capture (log-sum-exp, Q)");
        case MemoryPart::Process: return tr("Process (resident)");
    }
    return {};
}

QString MemoryModel::shortName(MemoryPart part) {
    switch (part) {
        case MemoryPart::Weights: return tr("weights");
        case MemoryPart::Kv: return tr("KV");
        case MemoryPart::Activations: return tr("activations");
        case MemoryPart::Scratch: return tr("scratch");
        case MemoryPart::Capture: return tr("capture");
        case MemoryPart::Process: return tr("process");
    }
    return {};
}

void MemoryModel::setLedger(const observe::MemoryLedger& ledger) {
    ledger_ = ledger;
    emit dataChanged(index(0, Name), index(kRows - 1, ColumnCount - 1));
}

void MemoryModel::setPredicted(const std::array<uint64_t, kStackedParts>& bytes) {
    if (predicted_ == bytes) return;
    predicted_ = bytes;
    emit dataChanged(index(0, Predicted), index(kRows - 1, Predicted));
}

void MemoryModel::setSwatches(const std::array<QColor, kMemoryParts>& colors) {
    swatches_ = colors;
    emit dataChanged(index(0, Name), index(kRows - 1, Name));
}

void MemoryModel::retranslate() {
    emit headerDataChanged(Qt::Horizontal, 0, ColumnCount - 1);
    emit dataChanged(index(0, Name), index(kRows - 1, ColumnCount - 1));
}

int MemoryModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : kRows;
}

int MemoryModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

uint64_t MemoryModel::bytesOf(int row) const {
    if (row < kStackedParts) return memoryBytes(ledger_, static_cast<MemoryPart>(row));
    if (row == kTotalRow) return engineTotal(ledger_);
    return row == kProcessRow ? ledger_.rss : ledger_.available;
}

QString MemoryModel::nameOf(int row) const {
    if (row < kStackedParts) return partName(static_cast<MemoryPart>(row));
    if (row == kTotalRow) return tr("Engine total");
    return row == kProcessRow ? partName(MemoryPart::Process) : tr("Free on this system");
}

QVariant MemoryModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= kRows) return {};
    const int row = index.row();
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(Qt::AlignVCenter |
                                   (index.column() == Name ? Qt::AlignLeft : Qt::AlignRight));
    if (role == Qt::DecorationRole && index.column() == Name) {
        if (row < kStackedParts) return swatches_[static_cast<size_t>(row)];
        if (row == kProcessRow) return swatches_[static_cast<size_t>(MemoryPart::Process)];
        return QColor(Qt::transparent);
    }
    if (role != Qt::DisplayRole) return {};
    switch (index.column()) {
        case Name: return nameOf(row);
        case Size: return formatBytes(bytesOf(row));
        case Bytes: return formatExactBytes(bytesOf(row));
        case Predicted: {
            uint64_t bytes = 0;
            if (row < kStackedParts) bytes = predicted_[static_cast<size_t>(row)];
            if (row == kTotalRow)
                for (const uint64_t part : predicted_) bytes += part;
            return bytes > 0 ? formatBytes(bytes) : QString();
        }
        case Share: {
            const uint64_t total = engineTotal(ledger_);
            if (row > kTotalRow || total == 0) return QString();
            return formatPercent(static_cast<double>(bytesOf(row)) / static_cast<double>(total));
        }
    }
    return {};
}

QVariant MemoryModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(Qt::AlignVCenter |
                                   (section == Name ? Qt::AlignLeft : Qt::AlignRight));
    if (role == Qt::ToolTipRole && section == Predicted)
        return tr(
            "Estimated before loading, for a context filled to its end. The other columns "
            "are what is held now.");
    if (role != Qt::DisplayRole) return {};
    switch (section) {
        case Name: return tr("Purpose");
        case Size: return tr("Size");
        case Bytes: return tr("Bytes");
        case Share: return tr("Share");
        case Predicted: return tr("Predicted, full");
    }
    return {};
}

}  // namespace vitrine::gui
