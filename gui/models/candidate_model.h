#pragma once
// The candidates of one decode step as a table: piece, id, raw probability, probability after the
// sampler chain, and the stage that cut it. Thread: GUI thread.

#include <QAbstractTableModel>

#include "gui/session/snapshot.h"

namespace vitrine::gui {

class CandidateModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Rank, Piece, Id, Raw, Sampled, Cut, ColumnCount };

    enum Role {
        ProbabilityRole = Qt::UserRole,  ///< float 0…1 of the Raw and Sampled columns, for bars
        ChosenRole,                      ///< bool: the token that was drawn
        CutRole,                         ///< bool: removed by a stage
    };

    using QAbstractTableModel::QAbstractTableModel;

    /// Shows the candidates of `token`; null clears. The drawn token is added as a last row when it
    /// is not among the candidates.
    void setToken(const TokenRecord* token, const engine::SamplingParams& sampling);
    void retranslate();

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    struct Row {
        engine::Candidate candidate;
        QString piece;
        int32_t rank = 0;
        bool isChosen = false;
        bool isExtra = false;  ///< not among the best: its logit is not known
    };

    QVariant display(const Row& row, int column) const;

    std::vector<Row> rows_;
    engine::SamplingParams sampling_;
};

}  // namespace vitrine::gui
