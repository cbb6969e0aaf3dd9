#include "gui/models/candidate_model.h"

#include "gui/models/format.h"

namespace vitrine::gui {

void CandidateModel::setToken(const TokenRecord* token, const engine::SamplingParams& sampling) {
    std::vector<Row> rows;
    if (token) {
        bool hasChosen = false;
        for (const engine::Candidate& candidate : token->candidates) {
            Row row{candidate, visiblePiece(pieceFromUtf8(candidate.text), 28),
                    static_cast<int32_t>(rows.size()), candidate.id == token->id, false};
            hasChosen |= row.isChosen;
            rows.push_back(std::move(row));
        }
        if (!hasChosen && token->index >= 0) {
            engine::Candidate chosen;
            chosen.id = token->id;
            chosen.rawProb = token->rawProb;
            chosen.sampledProb = token->sampledProb;
            rows.push_back({chosen, visiblePiece(token->text, 28), token->rank, true, true});
        }
    }
    sampling_ = sampling;
    const int before = rowCount(), after = static_cast<int>(rows.size());
    if (after == before) {
        rows_ = std::move(rows);
        if (after > 0) emit dataChanged(index(0, 0), index(after - 1, ColumnCount - 1));
        return;
    }
    beginResetModel();
    rows_ = std::move(rows);
    endResetModel();
}

void CandidateModel::retranslate() {
    emit headerDataChanged(Qt::Horizontal, 0, ColumnCount - 1);
    if (!rows_.empty()) emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

int CandidateModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int CandidateModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant CandidateModel::display(const Row& row, int column) const {
    const engine::Candidate& c = row.candidate;
    switch (column) {
        case Rank: return QString::number(row.rank + 1);
        case Piece: return row.piece;
        case Id: return QString::number(static_cast<qlonglong>(c.id.value));
        case Raw: return formatPercent(c.rawProb);
        case Sampled: return c.cutBy > 0 ? QStringLiteral("–") : formatPercent(c.sampledProb);
        case Cut:
            if (c.cutBy > 0 && c.cutBy <= engine::kSamplerStageCount)
                return tr("cut by %1")
                    .arg(samplerStageText(static_cast<engine::SamplerStage>(c.cutBy - 1),
                                          sampling_));
            return row.isChosen ? tr("chosen") : QString();
    }
    return {};
}

QVariant CandidateModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || static_cast<size_t>(index.row()) >= rows_.size()) return {};
    const Row& row = rows_[static_cast<size_t>(index.row())];
    switch (role) {
        case Qt::DisplayRole: return display(row, index.column());
        case ProbabilityRole:
            if (index.column() == Raw) return row.candidate.rawProb;
            if (index.column() == Sampled)
                return row.candidate.cutBy > 0 ? 0.0f : row.candidate.sampledProb;
            return {};
        case ChosenRole: return row.isChosen;
        case CutRole: return row.candidate.cutBy > 0;
        case Qt::ToolTipRole:
            if (row.isExtra)
                return tr("The chosen token, rank %1: not among the best %2")
                    .arg(row.rank + 1)
                    .arg(rows_.size() - 1);
            return tr("“%1” · id %2 · logit %3")
                .arg(row.piece)
                .arg(row.candidate.id.value)
                .arg(static_cast<double>(row.candidate.logit), 0, 'f', 3);
        case Qt::TextAlignmentRole:
            return QVariant::fromValue(
                Qt::AlignVCenter |
                (index.column() == Rank || index.column() == Id ? Qt::AlignRight : Qt::AlignLeft));
    }
    return {};
}

QVariant CandidateModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(
            Qt::AlignVCenter | (section == Rank || section == Id ? Qt::AlignRight : Qt::AlignLeft));
    if (role == Qt::ToolTipRole && section == Raw)
        return tr("Probability by the model: softmax of the raw logits");
    if (role == Qt::ToolTipRole && section == Sampled)
        return tr("Probability after the whole sampler chain: what the draw used");
    if (role != Qt::DisplayRole) return {};
    switch (section) {
        case Rank: return tr("Rank");
        case Piece: return tr("Token");
        case Id: return tr("Id");
        case Raw: return tr("Raw");
        case Sampled: return tr("Sampled");
        case Cut: return tr("Stage");
    }
    return {};
}

}  // namespace vitrine::gui
